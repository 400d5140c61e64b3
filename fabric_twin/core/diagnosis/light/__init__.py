"""What is wrong with light itself, once everybody is where they should be.

dark        paths on which no light gets through
levels      too weak, thrown back, or full of errors: over a limit
relative    paths beside what is remembered of them
worse       what passes, worse than before
"""
