"""What a change of rings means for the jobs of a cluster, in words."""

from fabric_twin.core.counted import counted
from fabric_twin.core.tickets.words import some
from fabric_twin.documents.tickets.facts import TicketFacts


def concerned_jobs(facts: TicketFacts) -> dict[str, str]:
    """Which jobs are interrupted, what becomes of them, and how few entries change."""
    blast = facts.blast
    entries, groups = blast["entries"], blast["groups"]
    hit = blast["slices"]
    others = [name for name in facts.plan.get("untouched_owners", ()) if name not in hit]
    gone = len(facts.plan.get("gone", ()))
    lost = counted(gone, "flow entry") if gone else ""
    return {
        "Jobs interrupted": some(hit) or "none",
        "What happens": "; ".join(blast["told"]),
        "Flow entries": f"remove {entries['remove']:,}, add {entries['add']:,}; no plan changes "
        f"fewer than {entries['lower_bound']:,}",
        "Lost with what is out": lost,
        "Not touched": some(others) or "no other job",
        "Free groups before": f"{groups['free_before']:,}",
        "Free groups after": f"{groups['free_after']:,}",
    }
