"""Fingerprints of what an audit reads: the same where nothing changed, without reading it.

The database adds up a hash of every row, so 13,824 cables are one number and not 13,824 rows.
"""

from hashlib import blake2b

from django.contrib.contenttypes.models import ContentType
from django.db import connection
from nautobot.dcim.models import Interface

from fabric_twin import __version__
from fabric_twin.models import Pod

#: What an audit depends on, by input: columns, and the rows they are of.
_INPUTS = {
    "cubes": ("slot, rack_id, status_id", "fabric_twin_cube WHERE pod_id = %(pod)s"),
    "switches": (
        "s.number, s.status_id, d.name",
        """fabric_twin_switch s JOIN dcim_device d ON d.id = s.device_id
        WHERE s.pod_id = %(pod)s""",
    ),
    "ports": (
        "p.number, i.name, d.name, i.status_id",
        """fabric_twin_port p JOIN dcim_interface i ON i.id = p.interface_id
        LEFT JOIN dcim_device d ON d.id = i.device_id WHERE p.pod_id = %(pod)s""",
    ),
    "cables": (
        """p.number, t.cable_id, t.cable_end, c.status_id, c.label, c._custom_field_data,
        path.destination_id""",
        """fabric_twin_port p
        JOIN dcim_cabletocabletermination t ON t.interface_id = p.interface_id
        JOIN dcim_cable c ON c.id = t.cable_id
        LEFT JOIN dcim_cablepath path
        ON path.origin_id = p.interface_id AND path.origin_type_id = %(interface)s
        WHERE p.pod_id = %(pod)s""",
    ),
    "written ends": (
        "w.cable_id, w.cable_end, w.device, w.port, c.status_id, c.label",
        """fabric_twin_writtenend w JOIN dcim_cable c ON c.id = w.cable_id
        WHERE w.pod_id = %(pod)s""",
    ),
    "substitutions": (
        "p.number, spare.number",
        """fabric_twin_substitution s JOIN fabric_twin_port p ON p.id = s.port_id
        JOIN fabric_twin_port spare ON spare.id = s.spare_id WHERE p.pod_id = %(pod)s""",
    ),
    "circuits": (
        "c.switch_id, c.a, c.b, c.slice_id, c.wanted",
        """fabric_twin_opticalcircuit c JOIN fabric_twin_switch s ON s.id = c.switch_id
        WHERE s.pod_id = %(pod)s""",
    ),
}
_SUM = "SELECT count(*), coalesce(sum(hashtextextended(ROW({})::text, 0)::numeric), 0) FROM {}"


def fingerprints_of(pod: Pod) -> dict[str, str]:
    """The fingerprint of each input, and of the program that judges them."""
    asked = {"pod": pod.pk, "interface": ContentType.objects.get_for_model(Interface).pk}
    program = blake2b(f"{__version__} {pod.design} {pod.name}".encode(), digest_size=8)
    found = {"program": program.hexdigest()}
    with connection.cursor() as cursor:
        for name, (columns, rows) in _INPUTS.items():
            cursor.execute(_SUM.format(columns, rows), asked)
            found[name] = ":".join(map(str, cursor.fetchone()))
    return found
