"""The packaged database restored, and what a comparison says of one that is otherwise."""

import lzma
import re
from collections.abc import Iterator

import pytest

from fabric_twin.stack.empty_database import DUMP, make_database, restore
from fabric_twin.stack.postgres import Postgres
from tests.database.anew import server
from tests.database.canonical import canonical
from tests.database.differences import differences
from tests.database.dump import parts

# One worker has the server.
pytestmark = pytest.mark.integration

TABLES_WITH_ROWS = [
    "auth_group",
    "auth_permission",
    "constance_constance",
    "dcim_cabletype",
    "django_content_type",
    "django_migrations",
    "extras_approvalworkflowdefinition",
    "extras_approvalworkflowstagedefinition",
    "extras_customfield",
    "extras_customfield_content_types",
    "extras_job",
    "extras_jobbutton",
    "extras_jobbutton_content_types",
    "extras_jobqueue",
    "extras_jobqueueassignment",
    "extras_role",
    "extras_role_content_types",
    "extras_status",
    "extras_status_content_types",
    "ipam_namespace",
    "users_objectpermission",
    "users_objectpermission_groups",
    "users_objectpermission_object_types",
    "vpn_vpnphase1policy",
    "vpn_vpnphase2policy",
    "vpn_vpnprofile",
    "vpn_vpnprofilephase1policyassignment",
    "vpn_vpnprofilephase2policyassignment",
]

CHANGES = """
    ALTER TABLE fabric_twin_pod ADD planted integer;
    ALTER TABLE fabric_twin_stock DROP part;
    ALTER TABLE fabric_twin_cube ALTER slot TYPE bigint;
    ALTER TABLE fabric_twin_cube ALTER target SET DEFAULT 'there';
    ALTER TABLE fabric_twin_cube ALTER address DROP NOT NULL;
    INSERT INTO auth_group (name) VALUES ('planted');
    DELETE FROM django_migrations WHERE id = 1;
    UPDATE constance_constance SET value = 'other' WHERE id = 1;
    CREATE INDEX planted ON fabric_twin_pod (design);
    DROP INDEX twin_tickets_by_state;
    ALTER TABLE fabric_twin_reservation DROP CONSTRAINT twin_one_holder;
    ALTER TABLE fabric_twin_switch DROP CONSTRAINT twin_one_switch_a_number;
    ALTER TABLE fabric_twin_slicepart DISABLE TRIGGER twin_a_chip_in_one_slice;
    ALTER FUNCTION twin_a_chip_in_one_slice STABLE;
"""

FOUND = """
not the same: column fabric_twin_cube.address
-9. character varying(255) NOT NULL
+9. character varying(255)
not the same: column fabric_twin_cube.slot
-5. smallint NOT NULL
+5. bigint NOT NULL
not the same: column fabric_twin_cube.target
-10. character varying(64) NOT NULL
+10. character varying(64) DEFAULT 'there'::character varying NOT NULL
only migrated: column fabric_twin_pod.planted
not the same: column fabric_twin_stock.location_id
-8. uuid NOT NULL
+7. uuid NOT NULL
not the same: column fabric_twin_stock.on_hand
-6. integer NOT NULL
+5. integer NOT NULL
not the same: column fabric_twin_stock.ordered
-7. integer NOT NULL
+6. integer NOT NULL
only packaged: column fabric_twin_stock.part
only packaged: constraint fabric_twin_reservation twin_one_holder
only packaged: constraint fabric_twin_stock twin_one_stock_a_part
only packaged: constraint fabric_twin_switch twin_one_switch_a_number
not the same: function twin_a_chip_in_one_slice()
-    LANGUAGE plpgsql
+    LANGUAGE plpgsql STABLE
only migrated: index planted
only packaged: index twin_tickets_by_state
only migrated: row of auth_group: 5	planted
only packaged: row of constance_constance: 1	DEVICE_UNIQUENESS	location_tenant_name
only migrated: row of constance_constance: 1	DEVICE_UNIQUENESS	other
only packaged: row of django_migrations: 1	contenttypes	0001_initial	2000-01-01 00:00:00+00
not the same: sequence set auth_group_id_seq
-SELECT pg_catalog.setval('public.auth_group_id_seq', 4, true);
+SELECT pg_catalog.setval('public.auth_group_id_seq', 5, true);
not the same: trigger fabric_twin_slicepart twin_a_chip_in_one_slice
+
+ALTER TABLE public.fabric_twin_slicepart DISABLE TRIGGER twin_a_chip_in_one_slice;
"""


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with server() as postgres:
        make_database(postgres, "packaged", restore)
        yield postgres


@pytest.fixture(scope="module")
def packaged(postgres: Postgres) -> str:
    return postgres.dump("packaged")


def test_what_is_restored_is_what_is_in_the_dump(packaged: str) -> None:
    _made_of, _, dump = lzma.decompress(DUMP.read_bytes()).decode().partition("\n")
    assert canonical(packaged) == dump


def test_it_holds_no_user_no_secret_and_nothing_that_happened(packaged: str) -> None:
    rows = [part.name for part in parts(packaged) if re.search(r"stdin;\n(?!\\\.)", part.text)]
    assert sorted(rows) == TABLES_WITH_ROWS


def test_whatever_differs_is_named(postgres: Postgres, packaged: str) -> None:
    postgres.copy("packaged", "changed")
    postgres.sql(CHANGES, "changed")
    found = list(differences(packaged, postgres.dump("changed")))
    assert "\n".join(found) == FOUND.strip()
