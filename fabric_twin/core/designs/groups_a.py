"""Groups of 4x4 processors, 24x24 of them, over two tier-1 switches a plane."""

from fabric_twin.core.groups.cluster import Joined
from fabric_twin.core.groups.design import full_cluster

DESIGN = full_cluster("groups-a", "24x24 groups of 4x4, 2 tier-1 switches a plane", Joined.TWO)
