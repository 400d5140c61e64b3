"""Audit pods, and keep their findings."""

from collections.abc import Iterable

from nautobot.apps.jobs import BooleanVar, ChoiceVar, DryRunVar, MultiObjectVar, ObjectVar

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import AuditRun, Block, Cube, Finding, Pod, Port, Switch
from fabric_twin.models.audit_run import GateChoices
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.prune_runs import thin_runs
from fabric_twin.operations.audits.run import How, run_audit, sentence, try_audit
from fabric_twin.operations.dispatch import run_job
from fabric_twin.operations.pods.audit_schedule import JOB
from fabric_twin.operations.pods.thin_light import thin_light
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"

#: New findings that the log names, with a link each; the run's page has all.
MOST_LINES = 20
#: Gates at which the job fails, by what it should fail on.
FAILS = {
    "": (),
    "error": (GateChoices.FAIL,),
    "warning": (GateChoices.FAIL, GateChoices.WARN),
}


class AuditPod(RefusingJob):
    """Compare what is recorded with the rule, and with the fabric; findings come, stay and go."""

    to_fabric = True

    pod = ObjectVar(model=Pod, required=False, description="Left empty: every pod that you may see")
    switch = ObjectVar(
        model=Switch, required=False, query_params={"pod": "$pod"}, description="Only this switch"
    )
    cube = ObjectVar(
        model=Cube, required=False, query_params={"pod": "$pod"}, description="Only this cube"
    )
    block = ObjectVar(
        model=Block, required=False, query_params={"pod": "$pod"}, description="Only this block"
    )
    ports = MultiObjectVar(
        model=Port, required=False, query_params={"pod": "$pod"}, description="Only these ports"
    )
    light = BooleanVar(
        required=False, default=False, description="Light and circuits, and no serials and parts"
    )
    light_test = BooleanVar(
        required=False,
        default=False,
        label="Light test",
        description="Make test circuits, on ports that nothing uses, for findings not seen since; "
        "they are removed afterwards",
    )
    fail_on = ChoiceVar(
        label="Fail on",
        required=False,
        default="",
        choices=(
            ("", "Never"),
            ("error", "errors"),
            ("warning", "errors and warnings"),
        ),
        description="For pipelines; silenced findings do not count",
    )
    dryrun = DryRunVar(description="Say what would be found, and write nothing")

    class Meta:
        name = "Audit pod"
        description = "Explain every difference between rule, records and fabric; keep findings."
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(
        self,
        *,
        pod: Pod | None = None,
        switch: Switch | None = None,
        cube: Cube | None = None,
        block: Block | None = None,
        ports: Iterable[Port] = (),
        light: bool = False,
        light_test: bool = False,
        fail_on: str = "",
        dryrun: bool = False,
    ) -> str:
        """Audit one pod or all; one that refuses does not stop the others."""
        parts = [self.visible(part) for part in (switch, cube, block, *(ports or ())) if part]
        for part in parts:
            if pod and part.pod_id != pod.pk:
                raise UnusableInput(
                    f"{part} is of pod {part.pod}",
                    where=f"pod {pod.name}",
                    remedy="Name one of the pod, or none for all of it",
                )
        scope = _scope(switch, cube, block, list(ports or ()), light=light)
        if not pod and parts:
            raise UnusableInput(
                "a part of a pod is named and no pod",
                where="pod",
                remedy="Name the pod that it is of",
            )

        if dryrun and light_test:
            raise UnusableInput(
                "a dry run makes no test circuits",
                where="light test",
                remedy="Leave out one of the two",
            )

        def audit(one: Pod) -> tuple[str, bool]:
            if not pod and (queue := self.elsewhere(one)):
                wish = {"light": light, "light_test": light_test, "fail_on": fail_on}
                run_job(JOB, self.user, f"pod {one}", pod=one, dryrun=dryrun, **wish)
                return f"{one}: a job of its own audits it, on the queue {queue}", True
            told, gate = self._audit(one, scope, dryrun=dryrun, light_test=light_test)
            return told, gate not in FAILS[fail_on or ""]

        pods = [self.visible(pod)] if pod else list(self.every_pod())
        return self.for_each(pods, audit, "The audit gate failed for %s")

    def _audit(self, pod: Pod, scope: Scope, *, dryrun: bool, light_test: bool) -> tuple[str, str]:
        if dryrun:
            audit, turned = try_audit(pod, scope, observe_scope)
            told = (
                f"{pod.name}: would find {len(audit.found):,}, {len(turned.new):,} new, "
                f"{len(turned.gone):,} gone"
            )
            self.logger.info("%s", told, extra={"object": pod})
            return told, ""
        how = How(
            look=observe_scope, light_test=light_test, user=self.user, job_result=self.job_result
        )
        run = run_audit(pod, scope, how)
        self._log(run)
        thin_runs(pod)
        thin_light(pod)
        return sentence(run), run.gate

    def _log(self, run: AuditRun) -> None:
        """The new findings with links, then the run."""
        keys = run.keys.get("new", [])
        new = Finding.objects.filter(pod=run.pod_id, key__in=keys[:MOST_LINES])
        for finding in new.select_related("pod").order_by("severity", "code"):
            log = self.logger.error if finding.severity == "error" else self.logger.warning
            log("New: %s", finding.cause, extra={"object": finding})
        for device, why in sorted(run.not_reached.items()):
            self.logger.warning("%s did not answer: %s", device, why, extra={"object": run.pod})
        log = self.logger.info if run.gate == GateChoices.FAIL else self.logger.success
        log(sentence(run), extra={"object": run})


def _scope(
    switch: Switch | None, cube: Cube | None, block: Block | None, ports: list[Port], *, light: bool
) -> Scope:
    if sum(map(bool, (switch, cube, block, ports))) > 1:
        raise UnusableInput(
            "a switch, a cube, a block or ports are named together",
            where="scope",
            remedy="Name one of them, or none for the whole pod",
        )
    return Scope(
        switches=frozenset({switch.number} if switch else ()),
        slots=frozenset({cube.slot} if cube else block.places if block else ()),
        ports=frozenset(port.number for port in ports),
        light=light,
    )
