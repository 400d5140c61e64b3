"""Networks: blocks, and what they ask of each other. Ports and switches are as in pods."""
