"""Who may ask over REST, where what is asked for has a permission of its own."""

from nautobot.core.api.authentication import TokenPermissions


class ViewPermission(TokenPermissions):
    """Who may see it may ask; the job says who may run it."""

    perms_map = {"POST": ["%(app_label)s.view_%(model_name)s"]}


class ReleasePermission(TokenPermissions):
    """To release a slice is to delete it."""

    perms_map = {"POST": ["%(app_label)s.delete_%(model_name)s"]}
