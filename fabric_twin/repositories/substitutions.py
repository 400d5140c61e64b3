"""The spares of a pod that stand in for other ports, as the core knows them."""

from fabric_twin.core.names import Names
from fabric_twin.core.plant import Substitution as CoreSubstitution
from fabric_twin.models import Pod, Substitution


def substitutions_of(pod: Pod) -> list[CoreSubstitution]:
    """Every substitution of a pod, by the names of the rule; one query."""
    names = Names(pod.to_core().layout, pod.name)
    rows = Substitution.objects.filter(port__pod=pod).order_by("port__number")
    return [
        CoreSubstitution(*names.port(port), names.port(spare)[1], reason)
        for port, spare, reason in rows.values_list("port__number", "spare__number", "reason")
    ]
