"""The OpenAPI document: whole, and made without a warning about our views."""

import io
import re
from contextlib import redirect_stderr
from typing import Any
from unittest import mock
from uuid import uuid4

from django.conf import settings
from drf_spectacular.drainage import GENERATOR_STATS
from nautobot.apps.testing import OpenAPISchemaTestCases
from rest_framework.settings import api_settings
from rest_framework.test import APIClient

PREFIX = "/plugins/fabric-twin/"


class OpenApiTest(OpenAPISchemaTestCases.BaseSchemaTestCase):
    """What the document says of our part of the API."""

    @classmethod
    def setUpTestData(cls) -> None:
        GENERATOR_STATS.reset()
        # Only today's: Nautobot's base makes one for each of eight versions, all alike in ours.
        now = settings.REST_FRAMEWORK_VERSION
        with (
            redirect_stderr(io.StringIO()) as cls.said,
            mock.patch.object(api_settings, "ALLOWED_VERSIONS", [now]),
        ):
            super().setUpTestData()
        cls.schema = cls.schemas[now]

    def operations(self) -> dict[str, Any]:
        return {
            f"{method} {path.partition(PREFIX)[2]}": operation
            for path, methods in self.schema["paths"].items()
            if PREFIX in path
            for method, operation in methods.items()
        }

    def test_nothing_of_ours_is_warned_of(self) -> None:
        ours = [line for line in self.said.getvalue().splitlines() if "fabric_twin" in line]
        self.assertEqual(ours, [])

    def test_every_action_is_there(self) -> None:
        operations = self.operations()
        for operation in (
            "get pods/{id}/utilisation/",
            "get pods/{id}/links/",
            "get ports/{id}/light-path/",
            "get slices/{id}/circuits/",
            "post slices/{id}/release/",
            "post slices/",
            "delete slices/",
            "patch cubes/{id}/",
            "post tickets/",
            "get tickets/{id}/plan/",
            "get tickets/{id}/document/",
            *(
                f"post tickets/{{id}}/{deed}/"
                for deed in (
                    "submit",
                    "withdraw",
                    "approve",
                    "deny",
                    "emergency",
                    "review",
                    "schedule",
                    "revise",
                    "confirm-drained",
                    "start",
                    "stop",
                    "resume",
                    "ask-undo",
                    "undo",
                )
            ),
        ):
            self.assertIn(operation, operations)
        for kind in ("ports", "slice-parts", "ticket-events", "ticket-stages", "reservations"):
            self.assertNotIn(f"post {kind}/", operations)

    def test_nobody_is_answered_without_a_token_or_with_a_wrong_one(self) -> None:
        said = {}
        wrong = {"HTTP_AUTHORIZATION": f"Token {'0' * 40}"}, {"HTTP_COOKIE": "sessionid=made-up"}
        for header in ({}, *wrong):
            client = APIClient(**header)
            for operation in self.operations():
                method, path = operation.split()
                url = f"/api{PREFIX}" + re.sub(r"{\w+}", str(uuid4()), path)
                said[operation, *header] = client.generic(method.upper(), url).status_code
        self.assertGreater(len(said), 3 * 85)
        self.assertEqual(
            {asked: code for asked, code in said.items() if code not in (401, 403)}, {}
        )

    def test_a_wish_and_a_refusal_are_described(self) -> None:
        create = self.operations()["post slices/"]
        body = create["requestBody"]["content"]["application/json"]["schema"]
        wish = self.get_component_schema(body["$ref"].rpartition("/")[2])
        self.assertEqual(set(wish["required"]), {"pod"})  # a cluster's job may have none
        self.assertLessEqual(
            {"shape", "cubes", "slots", "twisted", "name"}, set(wish["properties"])
        )
        refusal = create["responses"]["409"]["content"]["application/json"]["schema"]
        self.assertEqual(refusal, {"$ref": "#/components/schemas/Refusal"})
