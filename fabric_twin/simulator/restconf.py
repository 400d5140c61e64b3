"""One switch of a pod, as a Polatis would answer for it over RESTCONF."""

from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.dialects import polatis, sonic
from fabric_twin.dialects.sonic import circuit_key
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.pod import SimulatedPod


@dataclass
class PolatisFace:
    """What one switch answers."""

    pod: SimulatedPod
    name: str

    def answer(self, method: str, path: str, body: Any) -> tuple[int, Any]:  # noqa: PLR0911
        """Answer one request."""
        number = self.pod.points.switch_numbers[self.name]
        self.pod.advance()
        switch = int(self.pod.answers[number])
        if self.pod.manner(self.name).silent or not self.pod.answering(switch):
            return 503, {"error": "the switch does not answer"}
        match method, path:
            case "GET", polatis.SWITCH:
                return 200, {"optical-switch:product-information": {"manufacturer": "Polatis"}}
            case "GET", polatis.CROSS_CONNECTS:
                return 200, {polatis.PAIRS: {"pair": self._pairs(switch)}}
            case "GET", polatis.PORTS:
                return 200, {polatis.PORT_CONFIG: {"port": self._ports(switch)}}
            case "PUT", polatis.CROSS_CONNECTS:
                self._replace(switch, body)
                return 204, None
            case "POST", polatis.SET_STATE:
                self._set_state(switch, body)
                return 204, None
        return 404, {"error": "nothing is here"}

    def _pairs(self, switch: int) -> list[dict[str, int]]:
        """Cross-connects as they are carried."""
        mirrors = self.pod.mirrors
        radix, now = mirrors.radix, self.pod.clock.now()
        there = (mirrors.settles[switch] <= now) & (
            mirrors.stands[switch] == mirrors.steered[switch]
        )
        steered = mirrors.steered[switch].tolist()
        return [
            {"ingress": a + 1, "egress": steered[a] + 1}
            for a in range(radix)
            if steered[a] >= 0 and there[a] and there[steered[a]]
        ]

    def _ports(self, switch: int) -> list[dict[str, Any]]:
        draft = Draft.of(self.pod.mirrors, switch)
        rows = self.pod.configs[switch].get(sonic.PORT, {})
        return [
            {
                "port-id": number,
                "label": rows.get(name, {}).get(sonic.LABEL, ""),
                "status": polatis.PORT_DISABLED if name in draft.blocked else polatis.PORT_ENABLED,
            }
            for number, name in enumerate(self.pod.points.simplex_names, 1)
        ]

    def _replace(self, switch: int, body: Any) -> None:
        try:
            rows = body[polatis.PAIRS]["pair"]
            numbers = [(int(row["ingress"]), int(row["egress"])) for row in rows]
        except (KeyError, TypeError, ValueError):
            raise UnusableInput("these are not pairs", remedy="Give ingress and egress") from None
        draft, radix = Draft.of(self.pod.mirrors, switch), self.pod.mirrors.radix
        draft.clear()
        for ingress, egress in numbers:
            a, b = f"{ingress}A", f"{egress - radix}B"
            draft.add(circuit_key(a, b), a, b)
        self.pod.commit(switch, draft)

    def _set_state(self, switch: int, body: Any) -> None:
        """Keep ports dark, or no longer."""
        names = self.pod.points.simplex_names
        draft = Draft.of(self.pod.mirrors, switch)
        try:
            for word, blocked in ((polatis.DISABLE, True), (polatis.ENABLE, False)):
                for number in body[polatis.INPUT].get(word, ()):
                    if not 1 <= number <= len(names):
                        raise ValueError(number)
                    draft.force(names[number - 1], blocked)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise UnusableInput(
                "these are not ports", remedy=f"Give lists of numbers from 1 to {len(names)}"
            ) from None
        self.pod.commit(switch, draft)
