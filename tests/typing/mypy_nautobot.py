"""A plugin for mypy: what Nautobot's classes leave open is for ours to fill in.

    class Panel:                     Nautobot's: no types, so mypy takes None for the type
        template_path = None
    class Ours(Panel):
        template_path = "a.html"     and would refuse this

What Nautobot declares a type for is checked as ever, and so are all methods.
"""

from collections.abc import Callable

from mypy.nodes import Var
from mypy.plugin import ClassDefContext, Plugin
from mypy.types import AnyType, TypeOfAny

_WITHOUT_TYPES = ("django_filters.", "django_tables2.", "nautobot.")
#: Nautobot's views inherit from Django's and from REST framework's, which mean different things.
_NAMED_TWICE = {
    "django.views.generic.base.TemplateResponseMixin": ("request",),
    "django.views.generic.edit.FormMixin": ("initial",),
}


class NautobotPlugin(Plugin):
    """Attributes without a type, of classes without types, may be set by who inherits them."""

    def get_base_class_hook(self, fullname: str) -> Callable[[ClassDefContext], None] | None:
        """Asked for every base of every class."""
        return _open if fullname.startswith((*_WITHOUT_TYPES, "fabric_twin.")) else None


def _open(ours: ClassDefContext) -> None:
    info = ours.cls.info
    for name in info.names:
        known = [(base, base.names[name].node) for base in info.mro if name in base.names]
        of_class = any(isinstance(node, Var) and node.is_classvar for _, node in known)
        for base, node in known:
            if isinstance(node, Var) and base.module_name.startswith(_WITHOUT_TYPES):
                node.is_classvar = of_class
                if node.is_inferred:
                    node.type = AnyType(TypeOfAny.unannotated)
    for base in info.mro:
        for name in _NAMED_TWICE.get(base.fullname, ()):
            if isinstance(node := base.names[name].node, Var):
                node.type = AnyType(TypeOfAny.special_form)


def plugin(version: str) -> type[NautobotPlugin]:
    """What mypy looks for."""
    return NautobotPlugin
