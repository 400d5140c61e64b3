"""Work orders over REST: created, assigned, and done step by step."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from nautobot.apps.api import NautobotModelViewSet, ReadOnlyModelViewSet
from nautobot.users.models import User
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from fabric_twin import filters
from fabric_twin.api import order_serializers as serializers
from fabric_twin.api.acts import job_asked, with_acts
from fabric_twin.api.documents import attachment, document_in
from fabric_twin.api.permissions import ViewPermission
from fabric_twin.api.readable import KEY
from fabric_twin.api.refusals import REFUSED, Refusing
from fabric_twin.api.serializers import JobAskedSerializer
from fabric_twin.api.views import Nested
from fabric_twin.api.wished import WishedViewSet
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.life import Act
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.planning.moving import Moved
from fabric_twin.core.orders.planning.routes import Route
from fabric_twin.core.orders.reports import Told
from fabric_twin.core.slots import parse_slots
from fabric_twin.core.topology.joining import NewBlock
from fabric_twin.models import OrderEvent, OrderStep, StepPhoto, StepReport, Stock, WorkOrder
from fabric_twin.operations.orders.actions import ORDER_DEEDS
from fabric_twin.operations.orders.call_worker import call_for_check, call_for_correction
from fabric_twin.operations.orders.fabric.read_next import read_next
from fabric_twin.operations.orders.findings_to_mend import findings_named
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.reports.offline_steps import ahead, states_of
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.operations.orders.request_tickets import ask_for_tickets
from fabric_twin.presenters.acts import ORDER_ACTS
from fabric_twin.presenters.asking_user import user_of
from fabric_twin.presenters.work_order import PAPERS, order_page, order_paper

#: Digits of a step's number.
LONGEST_NUMBER = 9


def _posted(
    name: str, asked: Any, answer: Any, told: str, do: Callable[..., Any], code: int = 200
) -> Any:
    """An action as a POST on an order; who may see it may ask, what is done asks for its own."""

    def view(self: Any, request: Request, pk: str) -> Response:  # noqa: ARG001
        order, given = self.get_object(), asked(data=request.data)
        given.is_valid(raise_exception=True)
        done = do(self, order, user_of(request), given.validated_data)
        return Response(done, status=code)

    view.__name__, view.__doc__ = name, told
    described = extend_schema(request=asked, responses={code: answer} | REFUSED, filters=False)
    return described(
        action(detail=True, methods=["post"], permission_classes=[ViewPermission])(view)
    )


def _step(told: Told) -> Any:
    """One report, at the address of its step."""

    def view(self: Any, request: Request, pk: str, number: str) -> Response:  # noqa: ARG001
        order, given = self.get_object(), serializers.StepSaidSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        said = serializers.report_of(given.validated_data, _number(number), told)
        answer = self.taken(order, [said])[0]
        return Response(answer, status=200 if answer["taken"] else 409)

    view.__name__ = f"step_{told}"
    view.__doc__ = f"Report a step as {told}; an answer that is not `taken` says why."
    described = extend_schema(
        request=serializers.StepSaidSerializer,
        responses={200: serializers.AnswerSerializer, 409: serializers.AnswerSerializer},
        parameters=[OpenApiParameter("number", OpenApiTypes.INT, OpenApiParameter.PATH)],
        filters=False,
    )
    posted = action(
        detail=True,
        methods=["post"],
        url_path=rf"steps/(?P<number>[^/.]+)/{told}",
        permission_classes=[ViewPermission],
    )
    return described(posted(view))


@with_acts(
    ORDER_DEEDS,
    ORDER_ACTS,
    serializers.WorkOrderSerializer,
    names=Act,
    asked={Act.ASSIGN: serializers.AssignSerializer},
)
@extend_schema_view(
    create=extend_schema(
        request=serializers.OrderWishSerializer,
        responses={201: serializers.WorkOrderSerializer} | REFUSED,
    )
)
class WorkOrderViewSet(WishedViewSet):
    """Work orders. POST creates one; all of it is at `facts/`."""

    queryset = WorkOrder.objects.select_related("pod", "author", "assignee", "team")
    serializer_class = serializers.WorkOrderSerializer
    filterset_class = filters.WorkOrderFilterSet
    wish_class = serializers.OrderWishSerializer
    long = ("facts",)

    step_done, step_cannot, step_undone = (_step(told) for told in Told)

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002
        """Plan a work order and create it; it reserves what it needs."""
        given = self.get_serializer(data=request.data)
        given.is_valid(raise_exception=True)
        return self.answer(make_order(*_wished(given.validated_data, user_of(request))), 201)

    @extend_schema(responses={(200, "application/json"): OpenApiTypes.OBJECT}, filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def facts(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Bundles, cables, needs, materials, and every step, as `fabric-twin order` writes them."""
        order = self.get_object()
        steps = order.steps.order_by("number").values_list("facts", flat=True)
        return Response({**order.facts, "steps": list(steps)})

    @document_in(PAPERS)
    def document(self, request: Request, pk: str) -> HttpResponse:  # noqa: ARG002
        """The order as a page, paper, Markdown or a table; or its labels."""
        form = request.GET.get("form", "html")
        if form not in PAPERS:
            raise UnusableInput(
                f"an order has no form {form[:20]!r}",
                where="form",
                remedy=f"Choose one of {', '.join(PAPERS)}",
            )
        order = self.get_object()
        return attachment(*order_paper(order, form, order_page(order, request)))

    @extend_schema(
        parameters=[OpenApiParameter("crew", OpenApiTypes.INT, description="1 by default")],
        responses={(200, "application/json"): OpenApiTypes.OBJECT},
        filters=False,
    )
    @action(detail=True, pagination_class=None, filterset_class=None)
    def ahead(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """What a crew has before it, as the phone page takes it along."""
        return Response(ahead(self.get_object(), _crew(request)))

    @extend_schema(
        request=None,
        parameters=[OpenApiParameter("crew", OpenApiTypes.INT, description="1 by default")],
        responses={(200, "application/json"): OpenApiTypes.OBJECT} | REFUSED,
        filters=False,
    )
    @action(
        detail=True, methods=["post"], permission_classes=[ViewPermission], filterset_class=None
    )
    def next(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Read the port of what comes next, within two seconds.

        What the fabric does before it a worker does: where one was `called`, ask again in a moment.
        `why` says what the technician waits for, `by_fabric` what the fabric did
        since the last manual step.
        """
        order, crew = self.get_object(), _crew(request)
        read = read_next(order, user_of(request), crew)
        order.refresh_from_db()
        told = ahead(order, crew)
        return Response(
            {
                **told,
                "next": read.ahead.step,
                "why": read.ahead.why,
                "live": list(read.ahead.live),
                "called": read.ahead.called,
                "by_fabric": states_of(order, read.by_fabric),
            }
        )

    reports = _posted(
        "reports",
        serializers.ReportsSerializer,
        serializers.AnswersSerializer,
        "Report what was done, in the order in which it was done; a phone sends all reports it "
        "kept.",
        lambda view, order, _user, facts: {
            "answers": view.taken(order, [serializers.report_of(said) for said in facts["reports"]])
        },
    )
    tickets = _posted(
        "tickets",
        serializers.InterruptSerializer,
        OpenApiTypes.OBJECT,
        "Make draft tickets for all that its steps and checks wait for; submit them on request.",
        lambda _view, order, user, facts: {
            "tickets": [
                {"id": str(ticket.pk), "name": ticket.name, "title": ticket.title}
                for ticket in ask_for_tickets(order, user, **facts)
            ]
        },
    )
    records = _posted(
        "records",
        serializers.NothingSerializer,
        JobAskedSerializer,
        "Have a worker correct records that are wrong, once light has confirmed that the cables "
        "are right.",
        lambda view, order, user, _facts: {
            "job_result": job_asked(call_for_correction(order, user), view.request)
        },
        202,
    )
    check = _posted(
        "check",
        serializers.CheckSerializer,
        JobAskedSerializer,
        "Have a worker run the light test of bundles whose manual steps are done.",
        lambda view, order, user, facts: {
            "job_result": job_asked(call_for_check(order, user, facts["bundles"]), view.request)
        },
        202,
    )

    @extend_schema(
        parameters=[OpenApiParameter("report", OpenApiTypes.UUID, OpenApiParameter.PATH)],
        responses={(200, "image/jpeg"): OpenApiTypes.BINARY},
        filters=False,
    )
    @action(
        detail=True,
        url_path=rf"photos/(?P<report>{KEY})",
        pagination_class=None,
        filterset_class=None,
    )
    def photo(self, request: Request, pk: str, report: str) -> HttpResponse:  # noqa: ARG002
        """The picture that came with a report."""
        found = StepPhoto.objects.filter(report=report, report__order=self.get_object()).first()
        if found is None:
            return HttpResponse(status=404)
        kept = {"X-Content-Type-Options": "nosniff", "Content-Disposition": "inline"}
        return HttpResponse(bytes(found.image), content_type=found.kind, headers=kept)

    def answer(self, order: WorkOrder, code: int) -> Response:
        """The order as it is now."""
        context = self.get_serializer_context()
        return Response(serializers.WorkOrderSerializer(order, context=context).data, code)

    def taken(self, order: WorkOrder, said: list[Any]) -> list[dict[str, Any]]:
        """Take reports; what became of each."""
        reports = [report for report, _ in said]
        photos = {report.id: photo for report, photo in said if photo}
        answers = take_reports(order, user_of(self.request), reports, photos)
        return [
            {
                "id": report.id,
                "step": report.step,
                "taken": answer.taken,
                "state": str(answer.state),
                "why": answer.why,
                "again": answer.again,
            }
            for report, answer in zip(reports, answers, strict=True)
        ]


def _wished(facts: dict[str, Any], user: User) -> tuple[Any, OrderWish, Any]:
    pod, kind = facts["pod"], Kind(facts["kind"])
    slots = parse_slots(facts["slots"], pod.to_core().slots) if facts["slots"] else ()
    found = findings_named(pod, facts["findings"], user)
    more = {
        name: facts[name] for name in ("crews", "interrupt", "title", "reason", "due", "elsewhere")
    }
    moves = tuple(Moved.from_json(row) for row in facts["moves"])
    more["route"] = Route(facts["route"])
    more["block"] = NewBlock(**facts["block"]) if facts["block"] else None
    return pod, OrderWish(kind=kind, slots=tuple(slots), moves=moves, findings=found, **more), user


def _number(step: str) -> int:
    if not step.isdecimal() or len(step) > LONGEST_NUMBER:
        raise UnusableInput(
            f"there is no step {step[:20]!r}", where="step", remedy="Name it by its number"
        )
    return int(step)


def _crew(request: Request) -> int:
    crew = request.GET.get("crew") or "1"
    if not crew.isdecimal() or len(crew) > LONGEST_NUMBER:
        raise UnusableInput(
            f"there is no crew {crew[:20]!r}",
            where="crew",
            remedy="Name it by its number",
        )
    return int(crew)


class OrderStepViewSet(Nested, Refusing, ReadOnlyModelViewSet):
    """Steps of orders."""

    nested = (
        "device__location",
        "device__parent_bay",
        "finding__pod",
        "port__interface__device",
        "port__pod",
        "rack__location",
    )

    queryset = OrderStep.objects.select_related("order__pod", "rack", "device", "done_by")
    serializer_class = serializers.OrderStepSerializer
    filterset_class = filters.OrderStepFilterSet


class StepReportViewSet(Refusing, ReadOnlyModelViewSet):
    """Reports of steps."""

    queryset = StepReport.objects.select_related("order__pod", "by")
    serializer_class = serializers.StepReportSerializer
    filterset_class = filters.StepReportFilterSet


class OrderEventViewSet(Refusing, ReadOnlyModelViewSet):
    """The history of orders."""

    queryset = OrderEvent.objects.select_related("order__pod", "who")
    serializer_class = serializers.OrderEventSerializer
    filterset_class = filters.OrderEventFilterSet


class StockViewSet(Refusing, NautobotModelViewSet):
    """Parts on the shelf, and on their way."""

    queryset = Stock.objects.select_related("location")
    serializer_class = serializers.StockSerializer
    filterset_class = filters.StockFilterSet
