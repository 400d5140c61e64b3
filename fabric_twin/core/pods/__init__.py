"""The ports of a pod as the rule lays them out, and their names."""
