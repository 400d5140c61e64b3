"""Tickets over REST: created, followed, and acted on by POST on the object."""

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from nautobot.apps.api import ReadOnlyModelViewSet
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from fabric_twin import filters
from fabric_twin.api import ticket_serializers as serializers
from fabric_twin.api.acts import job_asked, with_acts
from fabric_twin.api.documents import attachment, document_in
from fabric_twin.api.refusals import REFUSED, Refusing
from fabric_twin.api.wished import WishedViewSet
from fabric_twin.core.tickets.life import Action
from fabric_twin.documents.tickets.ticket_files import FORMS
from fabric_twin.models import Reservation, Ticket, TicketEvent, TicketStage
from fabric_twin.operations.tickets.actions import CONFIRM_DRAINED, CONFIRM_LINKS, TICKET_DEEDS
from fabric_twin.operations.tickets.create import ask_for
from fabric_twin.operations.tickets.record import hold_ticket
from fabric_twin.presenters.acts import TICKET_ACTS
from fabric_twin.presenters.asking_user import user_of
from fabric_twin.presenters.ticket import ticket_document_of, ticket_page

#: What a worker is called for: the answer is 202, and the job.
LONG = frozenset({Action.START, Action.RESUME, Action.UNDO})


@with_acts(
    TICKET_DEEDS,
    TICKET_ACTS,
    serializers.TicketSerializer,
    names=TICKET_ACTS,
    asked={
        Action.SCHEDULE: serializers.ScheduleSerializer,
        CONFIRM_DRAINED: serializers.DrainedSerializer,
        CONFIRM_LINKS: serializers.LinksDrainedSerializer,
    },
    answered_later=LONG,
    later=serializers.RunAskedSerializer,
)
@extend_schema_view(
    create=extend_schema(
        request=serializers.TicketWishSerializer,
        responses={201: serializers.TicketSerializer} | REFUSED,
    )
)
class TicketViewSet(WishedViewSet):
    """Tickets. POST creates one; the plan is at `plan/`, each form at `document/`."""

    queryset = Ticket.objects.select_related(
        "pod", "author", "approved_by", "reviewed_by", "revises__pod", "finding", "slice__pod"
    )
    serializer_class = serializers.TicketSerializer
    filterset_class = filters.TicketFilterSet
    wish_class = serializers.TicketWishSerializer
    long = ("plan",)

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002
        """Plan a change and make a draft ticket of it, or submit it at once."""
        wish = self.get_serializer(data=request.data)
        wish.is_valid(raise_exception=True)
        facts = wish.validated_data
        made = ask_for(
            facts["pod"],
            facts["kind"],
            facts.get("wish", {}),
            user_of(request),
            wish.terms(),
            submitted=facts["submit"],
        )
        return self.answer(made, 201)

    @extend_schema(responses={(200, "application/json"): OpenApiTypes.OBJECT}, filters=False)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def plan(self, request: Request, pk: str) -> Response:  # noqa: ARG002
        """Its stages of circuits, what else changes, and how each stage is checked and undone."""
        return Response(self.get_object().plan)

    @document_in(FORMS)
    def document(self, request: Request, pk: str) -> HttpResponse:  # noqa: ARG002
        """The ticket as a page, paper, Markdown, JSON, a table of circuits or its window."""
        ticket = self.get_object()
        page = ticket_page(ticket, request)
        return attachment(*ticket_document_of(ticket, request.GET.get("form", "html"), page))

    def hold(self, record: Ticket) -> None:
        """Its pod first, as every act does."""
        hold_ticket(record, None, "change")

    def answer(self, ticket: Ticket, code: int) -> Response:
        """The ticket as it is now, with the job that carries it out where one was called."""
        if code == 202:
            # A worker is called for once the transaction is over, and the ticket names the job.
            ticket.refresh_from_db(fields=["job_result"])
        shown = serializers.TicketSerializer(ticket, context=self.get_serializer_context()).data
        if code != 202:
            return Response(shown, status=code)
        job = job_asked(ticket.job_result, self.request) if ticket.job_result else None
        return Response({"ticket": shown, "job_result": job}, status=code)


class TicketStageViewSet(Refusing, ReadOnlyModelViewSet):
    """How far each stage of a ticket is."""

    queryset = TicketStage.objects.select_related("ticket__pod")
    serializer_class = serializers.TicketStageSerializer
    filterset_class = filters.TicketStageFilterSet


class TicketEventViewSet(Refusing, ReadOnlyModelViewSet):
    """The history of a ticket: poll this to follow it."""

    queryset = TicketEvent.objects.select_related("ticket__pod", "who")
    serializer_class = serializers.TicketEventSerializer
    filterset_class = filters.TicketEventFilterSet


class ReservationViewSet(Refusing, ReadOnlyModelViewSet):
    """What open tickets hold."""

    queryset = Reservation.objects.select_related(
        "ticket__pod", "run__pod", "switch__pod", "switch__device", "cube__pod", "cube__rack"
    )
    serializer_class = serializers.ReservationSerializer
    filterset_class = filters.ReservationFilterSet
