"""What a packet switch answers to each message of one connection."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from fabric_twin.dialects import openflow as of
from fabric_twin.simulator.openflow import messages
from fabric_twin.simulator.openflow.flow_table import CAPACITY, check_instructions
from fabric_twin.simulator.openflow.messages import Change, Request
from fabric_twin.simulator.openflow.packet_switch import PacketSwitch
from fabric_twin.simulator.openflow.refusal import Refusal
from fabric_twin.simulator.pod import Manners

#: How long a message of a controller's should be that gets a packet: the specification's default.
_CONFIG = b"\0\0\0\x80"
#: What is answered with what it says: there is one controller, whatever its role.
_ECHOED = {of.ECHO_REQUEST: of.ECHO_REPLY, of.ROLE_REQUEST: of.ROLE_REPLY}


#: How long the bodies of some messages are.
_LENGTHS = {
    of.FEATURES_REQUEST: 0,
    of.CONFIG_REQUEST: 0,
    of.SET_CONFIG: 4,
    of.BARRIER_REQUEST: 0,
    of.ROLE_REQUEST: 16,
}


class HangUp(Exception):
    """The switch ends the connection, after it has said what there is to say."""


@dataclass
class Conversation:
    """One connection to a switch, message by message."""

    switch: PacketSwitch
    #: By port, whether its link is up.
    up: Callable[[], Mapping[int, bool]]
    manner: Callable[[], Manners]
    #: Is called after the table was changed.
    changed: Callable[[], None]
    _has_said_hello: bool = False
    #: The answer to the next barrier is lost.
    _loses: bool = False

    def answer(self, request: Request) -> Iterator[bytes]:
        """Answer one message; `HangUp` where nothing more is said."""
        if not self._has_said_hello:
            yield from self._greet(request)
            return
        try:
            if request.version != of.VERSION:
                raise Refusal("OFPBRC_BAD_VERSION")
            if len(request.body) != _LENGTHS.get(request.kind, len(request.body)):
                raise Refusal("OFPBRC_BAD_LEN")
            yield from self._answers(request)
        except Refusal as refusal:
            yield request.refused(refusal)

    def _greet(self, request: Request) -> Iterator[bytes]:
        if request.kind == of.HELLO and messages.offers_ours(request):
            self._has_said_hello = True
            return
        yield request.refused(Refusal("OFPHFC_INCOMPATIBLE"), b"this switch speaks OpenFlow 1.3")
        raise HangUp

    def _answers(self, request: Request) -> Iterable[bytes]:  # noqa: PLR0911
        if request.kind in _ECHOED:
            return [request.answered(_ECHOED[request.kind], request.body)]
        match request.kind:
            case of.FEATURES_REQUEST:
                told = messages.features(self.switch.datapath)
                return [request.answered(of.FEATURES_REPLY, told)]
            case of.CONFIG_REQUEST:
                return [request.answered(of.CONFIG_REPLY, _CONFIG)]
            case of.MULTIPART_REQUEST:
                return self._parts(request)
            case of.BARRIER_REQUEST:
                if self._loses and self.manner().loses:
                    raise HangUp
                return [request.answered(of.BARRIER_REPLY)]
            case of.FLOW_MOD:
                self._change(messages.change_of(request.body, self.switch.table.now()))
                return []
            case of.HELLO | of.ERROR | of.ECHO_REPLY | of.SET_CONFIG:
                return []
            case of.EXPERIMENTER:
                raise Refusal("OFPBRC_BAD_EXPERIMENTER")
        raise Refusal("OFPBRC_BAD_TYPE")

    def _parts(self, request: Request) -> Iterator[bytes]:
        kind, body = messages.multipart_of(request.body)
        for part in messages.in_parts(kind, self._pieces(kind, body)):
            yield request.answered(of.MULTIPART_REPLY, part)

    def _pieces(self, kind: int, body: bytes) -> Iterable[bytes]:
        table, now = self.switch.table, self.switch.table.now()
        match kind:
            case of.DESCRIPTION:
                return [messages.description(self.switch.name)]
            case of.PORT_DESCRIPTION:
                return messages.ports(self.switch.ports, self.up(), self.switch.datapath)
            case of.TABLE:
                return [messages.table(len(table.rows()))]
            case of.TABLE_FEATURES:
                if body:
                    raise Refusal("OFPTFFC_EPERM")
                return [messages.table_features(CAPACITY)]
            case of.FLOW | of.AGGREGATE:
                number, asked = messages.asked_of(body)
                is_ours = number in (0, of.ALL_TABLES)
                rows = list(table.select(asked)) if is_ours else []
                if kind == of.FLOW:
                    return (messages.row(row, now) for row in rows)
                return [messages.rows_counted(len(rows))]
        raise Refusal("OFPBRC_BAD_MULTIPART")

    def _change(self, change: Change) -> None:
        """Change rows as it is asked, or as the switch's manners let it."""
        self._check(change)
        manner, table = self.manner(), self.switch.table
        self._loses, self.switch.changes = manner.loses, self.switch.changes + 1
        if manner.ignores or (manner.halves and self.switch.changes % 2 == 0):
            return
        match change.command:
            case of.ADD:
                table.add(change.row, may_overlap=change.may_overlap)
            case of.MODIFY | of.MODIFY_STRICT:
                table.modify(change.asked, change.row.instructions)
            case of.DELETE | of.DELETE_STRICT:
                table.delete(change.asked)
        self.changed()

    def _check(self, change: Change) -> None:
        """Refuse a change that the switch does not understand, or could never make."""
        deletes = change.command in (of.DELETE, of.DELETE_STRICT)
        if change.table != 0 and not (deletes and change.table == of.ALL_TABLES):
            raise Refusal("OFPFMFC_BAD_TABLE_ID")
        if change.row.flags & ~of.FLAGS:
            raise Refusal("OFPFMFC_BAD_FLAGS")
        if change.command > of.DELETE_STRICT:
            raise Refusal("OFPFMFC_BAD_COMMAND")
        if not deletes and change.buffer != of.NO_BUFFER:
            raise Refusal("OFPBRC_BUFFER_UNKNOWN")
        check_instructions(change.row.instructions, self.switch.ports)
