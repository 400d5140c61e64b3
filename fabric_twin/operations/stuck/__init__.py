"""What does not go on by itself: people are told (`seen`), and make it go on (`go_on`).

watch     nobody calls workers for what waits
job       no worker took it
lost      its worker was lost, and nobody asked for the same again
ticket    it could run, and waits for a switch, a drain, a permission
changes   places changed, and no audit has looked at them
order     the fabric has its part to do, and no worker has done it
"""
