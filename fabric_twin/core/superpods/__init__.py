"""Jobs over several pods: rings of pods over a network of blocks.

rings        which pods are neighbours, how many links that is worth, what rings ask of blocks
order        the order of pods that changes the fewest links
collective   how long a collective takes, within pods and between them
wish         a job that is wished for
plan         jobs in turn, beside all other demand
standing     what each pair of neighbours has left, and what that does to the time
"""
