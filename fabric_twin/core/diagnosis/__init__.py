"""The diagnosis of a pod: what the fabric shows, explained by physical causes.

identity    two switches at each other's address          is the switch who it seems to be?
equipment   who does not answer, power, boards, trays     does it run?
switching   ports that failed, circuits, siblings         does it do what it was told?
modules     parts and serials                             is it what belongs there?
recorded    the record against the rule, light as witness
cabling     cables that light shows elsewhere
light       paths without light; loss, reflection, errors; what passes worse than before

First cause wins: what one question explains is not asked about again.
"""

from fabric_twin.core.diagnosis.diagnose import diagnose
from fabric_twin.core.diagnosis.diagnosis import Diagnosis
from fabric_twin.core.diagnosis.pictures import Pictures

__all__ = ["Diagnosis", "Pictures", "diagnose"]
