"""Discovery: which fibre is in which port, learned by switching circuits and asking who sees whom.

rounds      what was set and what was seen, as one column a round
chains      rounds 1 and 2: chains that read one way only, and of which no two are alike
refinement  everything at once, when no port is dark
placing     where figures of ports can be, when some are
knowledge   what follows from what is known, and no more
pairing     later rounds: the unknown against the known
discovery   the conversation: next round, what was seen, and again
observed    what is said in the end, and what could not be seen
against_record  the same beside the cables that are recorded
"""

from fabric_twin.core.discovery.discovery import MOST_ROUNDS, Discovery
from fabric_twin.core.discovery.observed import Heard, Observed, Seen

__all__ = ["MOST_ROUNDS", "Discovery", "Heard", "Observed", "Seen"]
