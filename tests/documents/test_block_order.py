"""An order that brings a block into a network, whole, as the technician reads it."""

from fabric_twin.core.orders.floor import default_floor
from fabric_twin.core.orders.planning.install import install
from fabric_twin.core.topology.network import Block, Network
from fabric_twin.core.topology.wiring import intended_network
from fabric_twin.services.orders.issue import Issued
from fabric_twin.services.orders.render_order import render_order

INTENDED = intended_network(
    Network("dc1", 2, (Block("ab01", 12, 400, 1), Block("ab05", 4, 400, 4)))
)
FLOOR = default_floor(INTENDED.names)
ISSUED = Issued(install(INTENDED, [4], FLOOR, name="dc1-w1"), FLOOR, noun="network")

PAPER = """\
Install block ab05 of dc1
Network dc1 (network-2), order dc1-w1
1 crew: 28 hands-on steps, 2 rack visits, 16 m on foot, about 14 min
Step numbers left out are automatic: the fabric darkens ports before the steps marked \
"only when dark", and the order's page says when

Parts
part                         needed
block of 4 strands           1
cable, one strand, 20 m      2
cable, one strand, 25 m      2
cords for power and network  1
label                        8
transceiver                  2

1. dc1-ab05: row 1, place 4
steps  device    unit  port     do                          cable or part                finding  needs
2      dc1-ab05  1              fit                         block of 4 strands
3      dc1-ab05  1              fit                         cords for power and network
4-5    dc1-ab05  1     m01 m02  fit 2                       transceiver
6-9    dc1-ab05  1     m01/1    scan, inspect, clean, plug  dc1-ab05:m01/1
10-13  dc1-ab05  1     m01/2    scan, inspect, clean, plug  dc1-ab05:m01/2
14-17  dc1-ab05  1     m02/1    scan, inspect, clean, plug  dc1-ab05:m02/1
18-21  dc1-ab05  1     m02/2    scan, inspect, clean, plug  dc1-ab05:m02/2

2. dc1-ocs-r01: row 4, place 12
steps  device      unit  port  do                                          cable or part   finding  needs
27-30  dc1-ocs-01  1     4A    scan, inspect, clean, plug; only when dark  dc1-ab05:m01/1
31-34  dc1-ocs-01  1     4B    scan, inspect, clean, plug; only when dark  dc1-ab05:m02/1
35-38  dc1-ocs-02  7     4A    scan, inspect, clean, plug; only when dark  dc1-ab05:m01/2
39-42  dc1-ocs-02  7     4B    scan, inspect, clean, plug; only when dark  dc1-ab05:m02/2
47                             test dc1-ab05 to dc1-ocs-r01 by light

Cables
cable           device    port   to device   to port  length m  label           bundle
dc1-ab05:m01/1  dc1-ab05  m01/1  dc1-ocs-01  4A       25        dc1-ab05:m01/1  dc1-ab05 to dc1-ocs-r01
dc1-ab05:m01/2  dc1-ab05  m01/2  dc1-ocs-02  4A       20        dc1-ab05:m01/2  dc1-ab05 to dc1-ocs-r01
dc1-ab05:m02/1  dc1-ab05  m02/1  dc1-ocs-01  4B       25        dc1-ab05:m02/1  dc1-ab05 to dc1-ocs-r01
dc1-ab05:m02/2  dc1-ab05  m02/2  dc1-ocs-02  4B       20        dc1-ab05:m02/2  dc1-ab05 to dc1-ocs-r01
"""  # noqa: E501 - as it is printed
LABELS = """\
cable,end,text,device,port,to_device,to_port
dc1-ab05:m01/1,a,dc1-ab05:m01/1,dc1-ab05,m01/1,dc1-ocs-01,4A
dc1-ab05:m01/1,b,dc1-ab05:m01/1,dc1-ocs-01,4A,dc1-ab05,m01/1
dc1-ab05:m01/2,a,dc1-ab05:m01/2,dc1-ab05,m01/2,dc1-ocs-02,4A
dc1-ab05:m01/2,b,dc1-ab05:m01/2,dc1-ocs-02,4A,dc1-ab05,m01/2
dc1-ab05:m02/1,a,dc1-ab05:m02/1,dc1-ab05,m02/1,dc1-ocs-01,4B
dc1-ab05:m02/1,b,dc1-ab05:m02/1,dc1-ocs-01,4B,dc1-ab05,m02/1
dc1-ab05:m02/2,a,dc1-ab05:m02/2,dc1-ab05,m02/2,dc1-ocs-02,4B
dc1-ab05:m02/2,b,dc1-ab05:m02/2,dc1-ocs-02,4B,dc1-ab05,m02/2
"""


def test_paper_and_labels_name_the_block_its_strands_and_the_ports_of_switches() -> None:
    files = dict(render_order(ISSUED, "txt", labels=True))
    assert {name: text.decode() for name, text in files.items()} == {
        "dc1-w1-work-order.txt": PAPER,
        "dc1-w1-labels.csv": LABELS,
    }


def test_every_form_can_be_made_and_none_speaks_of_cubes() -> None:
    for form in ("html", "md", "json", "csv", "pdf"):
        [(_, made)] = render_order(ISSUED, form)
        for word in (b"cube", b"tray", b"face "):
            assert form == "pdf" or word not in made.split(b"</style>")[-1], (form, word)
