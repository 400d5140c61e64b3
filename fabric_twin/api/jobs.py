"""What REST answers of a job that was asked for: where to follow it."""

from nautobot.extras.models import JobResult
from rest_framework.request import Request
from rest_framework.reverse import reverse


def job_asked(result: JobResult, request: Request) -> dict[str, str]:
    """The job's id and address."""
    where = reverse("extras-api:jobresult-detail", args=[result.pk], request=request)
    return {"id": str(result.pk), "url": where}
