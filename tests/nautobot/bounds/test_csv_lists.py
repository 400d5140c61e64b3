"""A list as CSV comes line by line, of however many records, and holds no thread until its last."""

import csv
from collections.abc import Iterator
from time import monotonic
from typing import Any
from unittest import mock

import pytest
from nautobot.apps.testing import APITestCase

from fabric_twin.api import csv_lists
from fabric_twin.api.serializers import SubstitutionSerializer
from fabric_twin.api.urls import router
from fabric_twin.models import Port, Substitution
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.many_of_all import MANY, make_many_of_all
from tests.nautobot.bases.pods.small_pod import make_location

ROOT = "/api/plugins/fabric-twin/"
#: For 27,648 ports, which take ten seconds; Nautobot's own way answered nothing in sixty.
FIRST, ALL = 5.0, 60.0


class CsvListsTest(APITestCase):
    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def lines(self, path: str) -> Iterator[str]:
        answer = self.client.get(f"{ROOT}{path}", **self.header)
        self.assertEqual(answer["Content-Type"], "text/csv; charset=UTF-8")
        return (line.decode() for line in answer.streaming_content)

    @pytest.mark.weekly
    def test_all_ports_of_a_whole_pod_come_in_seconds_and_some_at_a_time(self) -> None:
        load_pod("iw1", "ironwood", make_location("Hall"))
        begun = monotonic()
        lines = self.lines("ports/?format=csv")
        told = next(lines)
        self.assertLess(monotonic() - begun, FIRST)
        self.assertLessEqual({"pod__name", "number", "interface__name"}, {*told.strip().split(",")})
        self.assertEqual(sum(1 for _ in lines), Port.objects.count())
        self.assertLess(monotonic() - begun, ALL)

    def test_what_is_deleted_meanwhile_is_left_out_and_the_rest_comes(self) -> None:
        """Whether before its lines are read, or while they are: they take several queries."""
        make_many_of_all()
        keys = list(Substitution.objects.values_list("pk", flat=True))
        collect = SubstitutionSerializer._collect_natural_key_values

        def first_lost(serializer: Any, *args: Any) -> Any:
            Substitution.objects.filter(pk=keys[0]).delete()
            return collect(serializer, *args)

        with (
            mock.patch.object(csv_lists, "AT_ONCE", 5),
            mock.patch.object(SubstitutionSerializer, "_collect_natural_key_values", first_lost),
        ):
            lines = self.lines("substitutions/?format=csv")
            told = [next(lines)]
            Substitution.objects.filter(pk__in=keys[5:10]).delete()
            told += lines
        self.assertIn("port__", told[0])
        there = map(str, (*keys[1:5], *keys[10:]))
        self.assertEqual([row["id"] for row in csv.DictReader(told)], list(there))

    def test_every_list_of_ours_has_all_of_its_records(self) -> None:
        make_many_of_all()
        for prefix, view, _ in router.registry:
            with self.subTest(prefix):
                asked = f"{prefix}/?format=csv&limit=0"
                with mock.patch.object(csv_lists, "AT_ONCE", 5):
                    lines = list(self.lines(asked))
                rows = list(csv.DictReader(lines))
                there = view.queryset.model.objects.values_list("pk", flat=True)
                self.assertEqual([row["id"] for row in rows], list(map(str, there)))
                self.assertGreaterEqual(len(rows), MANY)
                with mock.patch.object(csv_lists, "AT_ONCE", len(rows)):
                    whole = self.client.get(f"{ROOT}{asked}", **self.header)
                self.assertEqual("".join(lines), whole.text, "Nautobot's own")
