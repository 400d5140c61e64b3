"""Nautobot Jobs, one verb a file, each registered here."""

from nautobot.apps.jobs import register_jobs

from fabric_twin.tasks.adopt_pod import AdoptPod
from fabric_twin.tasks.audit_pod import AuditPod
from fabric_twin.tasks.background import (  # noqa: F401 - for Celery
    advance_order,
    audit_touched,
    try_ticket,
)
from fabric_twin.tasks.carry_out_ticket import CarryOutTicket
from fabric_twin.tasks.check_bundle import CheckBundle
from fabric_twin.tasks.confirm_switch import ConfirmSwitch
from fabric_twin.tasks.correct_records import CorrectRecords
from fabric_twin.tasks.discover_cables import DiscoverCables
from fabric_twin.tasks.export_cut_sheet import ExportCutSheet
from fabric_twin.tasks.import_demand import ImportDemand
from fabric_twin.tasks.load_network import LoadNetwork
from fabric_twin.tasks.load_pod import LoadPod
from fabric_twin.tasks.make_order import MakeOrder
from fabric_twin.tasks.make_slice import MakeSlice
from fabric_twin.tasks.release_slice import ReleaseSlice
from fabric_twin.tasks.remove_pod import RemovePod
from fabric_twin.tasks.render_documents import RenderDocuments
from fabric_twin.tasks.set_addresses import SetAddresses
from fabric_twin.tasks.sync_pod import SyncPod
from fabric_twin.tasks.wire_hosts import WireHosts

name = "Fabric Twin"

jobs = [
    LoadPod,
    LoadNetwork,
    ImportDemand,
    ExportCutSheet,
    AdoptPod,
    AuditPod,
    RemovePod,
    RenderDocuments,
    MakeSlice,
    ReleaseSlice,
    SetAddresses,
    SyncPod,
    MakeOrder,
    CheckBundle,
    CorrectRecords,
    CarryOutTicket,
    ConfirmSwitch,
    DiscoverCables,
    WireHosts,
]
register_jobs(*jobs)
