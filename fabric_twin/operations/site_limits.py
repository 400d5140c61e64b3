"""The limits of light that an administrator has set: `PLUGINS_CONFIG["fabric_twin"]["limits"]`."""

from django.conf import settings

from fabric_twin.core.diagnosis.limits import Limits, limits_of


def site_limits() -> Limits:
    """Ours, but for those that are set; checked when Nautobot starts."""
    given = settings.PLUGINS_CONFIG.get("fabric_twin", {})
    return limits_of(given.get("limits", {}), 'PLUGINS_CONFIG["fabric_twin"]["limits"]')
