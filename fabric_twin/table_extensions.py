"""What lists of Nautobot's own records say of the fabric."""

from typing import ClassVar

from nautobot.apps.tables import TableExtension

from fabric_twin.tables.cable import LightAgreedColumn

_LIGHT = "fabric_twin_light_agreed"


class CableColumns(TableExtension):
    """When light last agreed with a cable."""

    model = "dcim.cable"
    table_columns: ClassVar = {_LIGHT: LightAgreedColumn()}
    add_to_default_columns = (_LIGHT,)


table_extensions = [CableColumns]
