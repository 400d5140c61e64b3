"""Take what is mended out of an order: its steps are no longer due, until its fault comes again."""

from fabric_twin.core.orders.life import SETTLED, StepIs
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import Do, Step


def without_bundle(progress: Progress, bundle: str) -> Progress:
    """The steps of a bundle, and its light test, are no longer due.

    Nobody needs to go to a rack where nothing else is left.
    """
    mine = _of(progress, bundle)
    after = progress
    for step in mine:
        state = progress.steps[step.number - 1]
        if state not in SETTLED:
            was_done = state == StepIs.FAILED and step.do != Do.CHECK
            after = after.but(step.number, StepIs.DONE if was_done else StepIs.NOT_DUE)
    for crew in range(1, progress.order.crews + 1):
        for visit in progress.order.visits(crew):
            left = [step for step in visit if step in after.left]
            if [step.do for step in left] == [Do.GO] and any(step in mine for step in visit):
                after = after.but(left[0].number, StepIs.NOT_DUE)
    return after


def due_again(progress: Progress, bundle: str) -> Progress:
    """The steps of a bundle that were no longer due, and its light test, are due as at first.

    Somebody has to go there again, also one who was there.
    """
    mine, first, after = _of(progress, bundle), Progress.of(progress.order), progress
    for step in mine:
        after = after.but(step.number, first.steps[step.number - 1])
    for visit in progress.order.visits():
        go = visit[0]
        was = progress.steps[go.number - 1] in (StepIs.NOT_DUE, StepIs.DONE)
        if go.do == Do.GO and was and any(one in mine for one in visit):
            after = after.but(go.number, first.steps[go.number - 1])
    return after


def _of(progress: Progress, bundle: str) -> list[Step]:
    return [step for step in progress.order.steps if bundle in (step.bundle, step.finding)]
