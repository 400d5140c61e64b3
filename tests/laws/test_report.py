"""The report agrees with itself and with what it was asked about."""

from collections import Counter

from hypothesis import given

from .bench.mixtures import Mixture, mixtures
from .bench.product import audit

CODES = {
    *("swapped", "rotated", "shifted", "reversed", "bundle-swapped", "wrong-port", "wrong-side"),
    *("wrong-index", "wrong-axis", "wrong-lane", "crossed-pair", "missing", "unexpected"),
    *("doubled-port", "unknown-port", "spare-in-use"),
    "dark",  # an end that is not known: discovery writes it where no light is
}


@given(mixtures())
def test_the_report_counts_what_it_lists(mixture: Mixture) -> None:
    plant, report = mixture.plant, audit(mixture.plant)
    assert set(report) == {
        *("version", "pod", "design", "cables", "expected", "findings", "summary")
    }
    assert (report["version"], report["pod"], report["design"]) == (1, "p1", plant.kind.name)
    assert (report["cables"], report["expected"]) == (len(plant.rows), len(plant.right))
    assert report["summary"] == Counter(finding["code"] for finding in report["findings"])


@given(mixtures())
def test_every_finding_is_whole(mixture: Mixture) -> None:
    for finding in audit(mixture.plant)["findings"]:
        assert set(finding) == {*("id", "code", "severity", "cause", "cables", "ports", "remedy")}
        assert finding["severity"] in {"error", "warning"}
        assert finding["code"] in CODES
        assert finding["id"]
        assert finding["cause"]
        ends = [mixture.plant.rows.get(cable) for cable in finding["cables"]]
        assert (
            finding["ports"]
            or finding["code"] in {"unexpected", "unknown-port"}
            or ends == [[None, None]]
        )
        assert all(len(port) == 2 and all(map(str, port)) for port in finding["ports"])
        assert len(set(finding["cables"])) == len(finding["cables"])


@given(mixtures())
def test_a_plant_is_clean_just_when_it_is_right(mixture: Mixture) -> None:
    assert (not audit(mixture.plant)["findings"]) == mixture.plant.is_right()
