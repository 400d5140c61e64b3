"""Records that Nautobot has none for. They hold what is so, and no rules.

    Location --- Pod --+-- Cube ----- Rack        slot 7 of the pod is this rack
                       +-- Block ---- Device     ab01 of the network, from port 4, is this device
                       +-- Demand                what blocks asked of each other on a day
                       +-- Multislice +- MultislicePart   a job over pods, its rings in order
                       +-- Switch --- Device      number 9 of the design's switches is this device
                       +-- Port ----- Interface   number 1234 of the pod's layout is this interface
                       +-- WrittenEnd - Cable    a cable's end that is written, and in no port
                       +-- LightAgreement --- AgreedCable - Cable    light last agreed with it then
                       +-- Slice -+-- SlicePart        which cube stands at which place of the torus
                                  +-- OpticalCircuit   switch, A port, B port: wanted, seen, or both
                       +-- AuditRun                    when it was audited, and what was found
                       +-- Finding -+- FindingPlace    one cause, and the ports and cables it is at
                       +-- Silence                     which findings are kept quiet, and until when
                       +-- Ticket -+-- TicketStage     one bulk change, and what came of it
                                   +-- TicketEvent     a line of its history
                                   +-- TicketDrain     who confirmed a slice: drained, or bears it
                                   +-- Reservation     a port, or a cube, that is this ticket's
                       +-- WorkOrder -+-- OrderStep    what one technician does at one place
                                      +-- StepReport   what somebody said of it, and a StepPhoto
                                      +-- OrderEvent   a line of its history
                                      +-- Reservation  a port, or a cube, that is this order's
    Location --- Stock                                 parts on the shelf, and on their way
    Port --- Substitution                              the spare that takes a port's cable
    JobResult --- JobLease                             a job of ours that a worker has, or had
    Heartbeat                                          who runs all the time, and was there when
    HandOver                                           when a shift ended, and its note to the next

A pod's own names are Nautobot's: a rack, device or interface may be called anything, because what
it is in the pod is told by these relations alone.
"""

from fabric_twin.models.audit_run import AuditRun
from fabric_twin.models.cube import Cube
from fabric_twin.models.finding import Finding, FindingPlace
from fabric_twin.models.hand_over import HandOver
from fabric_twin.models.heartbeat import Heartbeat
from fabric_twin.models.job_lease import JobLease
from fabric_twin.models.networks.block import Block
from fabric_twin.models.networks.demand import Demand
from fabric_twin.models.networks.multislice import Multislice, MultislicePart
from fabric_twin.models.optical_circuit import OpticalCircuit
from fabric_twin.models.order_step import OrderEvent, OrderStep, StepPhoto, StepReport
from fabric_twin.models.pod import Pod
from fabric_twin.models.port import Port
from fabric_twin.models.reading import (
    AgreedCable,
    LastGoodLight,
    LightAgreement,
    LightDay,
    LightReading,
    Reading,
)
from fabric_twin.models.silence import Silence
from fabric_twin.models.slice import Slice, SlicePart
from fabric_twin.models.stock import Stock
from fabric_twin.models.substitution import Substitution
from fabric_twin.models.switch import Switch
from fabric_twin.models.ticket import Ticket
from fabric_twin.models.ticket_course import Reservation, TicketDrain, TicketEvent, TicketStage
from fabric_twin.models.touch import Touch
from fabric_twin.models.work_order import WorkOrder
from fabric_twin.models.written_end import WrittenEnd

__all__ = [
    "AgreedCable",
    "AuditRun",
    "Block",
    "Cube",
    "Demand",
    "Finding",
    "FindingPlace",
    "HandOver",
    "Heartbeat",
    "JobLease",
    "LastGoodLight",
    "LightAgreement",
    "LightDay",
    "LightReading",
    "Multislice",
    "MultislicePart",
    "OpticalCircuit",
    "OrderEvent",
    "OrderStep",
    "Pod",
    "Port",
    "Reading",
    "Reservation",
    "Silence",
    "Slice",
    "SlicePart",
    "StepPhoto",
    "StepReport",
    "Stock",
    "Substitution",
    "Switch",
    "Ticket",
    "TicketDrain",
    "TicketEvent",
    "TicketStage",
    "Touch",
    "WorkOrder",
    "WrittenEnd",
]
