"""What the field calls things on the wire: names only, for who asks and who answers.

Drivers and the simulator do not know each other; each reads and writes with code of its own. What
they share is the vocabulary, and it is here alone, because upstream may still change it.
"""
