"""Render documents of a pod as the inventory has it."""

import io
import zipfile
from typing import Any

from nautobot.apps.jobs import ChoiceVar, IntegerVar, ObjectVar, StringVar

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Kind
from fabric_twin.documents.formats import FORMATS, KINDS, check_format
from fabric_twin.documents.topology.wiring import DOCUMENTS, OF_CLUSTER
from fabric_twin.models import Block, Pod, Switch
from fabric_twin.operations.calls.progress import counting, tell
from fabric_twin.presenters.networks.network import NetworkSight
from fabric_twin.presenters.pod_fabric import whole_fabric_of
from fabric_twin.presenters.printed import render_recorded
from fabric_twin.repositories.permissions import require_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.pods.render import (
    Rendering,
    render_fabric,
    render_one,
)
from fabric_twin.services.pods.which import Which, device_of
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"

LINK_MATRIX = "link-matrix"
#: Kinds that are made of a pod's cables, and not of a slice or a plan.
OF_A_POD = [name for name, kind in KINDS.items() if kind.of in {"switch", "cube", "pod", "port"}]
#: Those of networks of blocks, which share some with pods.
OF_A_NETWORK = (LINK_MATRIX, *DOCUMENTS)
#: More files than these are attached as one.
MOST_FILES = 4


class RenderDocuments(RefusingJob):
    """Port maps, face maps, labels, cut lists, bills of materials and light paths."""

    pod = ObjectVar(model=Pod)
    kind = ChoiceVar(
        choices=[(name, name) for name in dict.fromkeys((*OF_A_POD, *OF_A_NETWORK, *OF_CLUSTER))],
        description="Block map, switch map and link matrix are of networks; group map and "
        "switch map of clusters",
    )
    form = ChoiceVar(label="Format", choices=[(name, name) for name in FORMATS], default="pdf")
    switch = ObjectVar(
        model=Switch, required=False, query_params={"pod": "$pod"}, description="Of one switch"
    )
    cube = IntegerVar(required=False, min_value=1, description="Of the cube or group in this slot")
    block = ObjectVar(
        model=Block, required=False, query_params={"pod": "$pod"}, description="Of one block"
    )
    port = StringVar(required=False, description="Of one port: c007:4.3.2/X+")

    class Meta:
        name = "Render documents"
        description = "Render documents of a pod; files are attached to the result."
        read_only = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(
        self,
        *,
        pod: Pod,
        kind: str,
        form: str,
        switch: Switch | None = None,
        cube: int | None = None,
        block: Block | None = None,
        port: str = "",
    ) -> str:
        """Make them, and attach them: many of them as one file."""
        pod = self.visible(pod)
        check_format(kind, form)
        tell("Reads the records of the pod")
        record = PodRecord(pod)
        is_cluster = record.design.kind is Kind.GROUPS
        which = Which(
            cube=None if is_cluster else cube,
            group=self._group(record, cube) if is_cluster and cube else None,
            switch=record.names.switches[self._of(pod, switch).number] if switch else None,
            port=port or None,
            every=not (cube or switch or port or block),
            block=str(self._of(pod, block).device) if block else None,
        )
        if record.is_network:
            rendering = self._of_network(record, kind, form, which)
        elif is_cluster:
            rendering = render_recorded(record, kind, form, which, self.user)
        else:
            rendering = render_fabric(kind, form, whole_fabric_of(record, self.user), which)
        files, made = {}, counting("documents made", rendering.count)
        for name, content in rendering.files:
            files[name] = content
            made()
        if len(files) > MOST_FILES:
            files = {f"{pod.name}-{kind}.zip": _zipped(files)}
        for name, content in files.items():
            self.create_file(name, content)
        done = f"{record.names.noun.capitalize()} {pod.name}: {rendering.count} {kind} as {form}"
        self.logger.info("%s", done, extra={"object": pod})
        return done

    def _of(self, pod: Pod, part: Switch | Block) -> Any:
        """A switch or a block of the pod that is named, and of no other."""
        if self.visible(part).pod_id != pod.pk:
            raise UnusableInput(
                f"{part} is of pod {part.pod}",
                where=f"pod {pod.name}",
                remedy="Name one of the pod, or none for all of it",
            )
        return part

    def _group(self, record: PodRecord, slot: int) -> str:
        """The device of the group in a slot."""
        if slot not in record.cubes:
            raise UnusableInput(
                f"no group stands in slot {slot}",
                where=f"cluster {record.pod.name}",
                remedy="Name a slot that holds one, or none for all of it",
            )
        return record.names.device(slot - 1)

    def _of_network(self, record: PodRecord, kind: str, form: str, which: Which) -> Rendering:
        """Documents of a network: who may not see all of it gets none."""
        if kind == LINK_MATRIX:
            device_of(kind, which, record.names)
            require_of(self.user, "view", record.behind_documents)
            return render_one(NetworkSight(record.pod, self.user).drawing, form, record.pod.name)
        return render_recorded(record, kind, form, which, self.user)


def _zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()
