"""The App's panel on the home page; counts are of what the user may see."""

from nautobot.apps.ui import HomePageItem, HomePagePanel

from fabric_twin.models import Cube, OpticalCircuit, Pod, Slice, Switch


def _item(name: str, model: type, description: str, weight: int) -> HomePageItem:
    kind = model.__name__.lower()
    return HomePageItem(
        name=name,
        model=model,
        weight=weight,
        link=f"plugins:fabric_twin:{kind}_list",
        description=description,
        permissions=[f"fabric_twin.view_{kind}"],
    )


layout = (
    HomePagePanel(
        name="Fabric Twin",
        weight=150,
        items=(
            _item("Pods", Pod, "Designs as they stand", 100),
            _item("Cubes", Cube, "Racks of chips in slots of pods", 200),
            _item("Switches", Switch, "Optical circuit switches", 300),
            _item("Slices", Slice, "Cubes joined into a torus for a job", 400),
            _item("Circuits", OpticalCircuit, "Ports joined by light", 500),
        ),
    ),
)
