"""What the contracts in pyproject.toml cannot say: all a layer may use, not what it may not."""

import subprocess
import sys

import grimp


def test_the_core_imports_python_and_numpy_only() -> None:
    graph = grimp.build_graph("fabric_twin", include_external_packages=True, cache_dir=None)
    core = {"fabric_twin.core", *graph.find_descendants("fabric_twin.core")}
    used = {name for module in core for name in graph.find_modules_directly_imported_by(module)}
    outside = {name.partition(".")[0] for name in used} - {"fabric_twin", "numpy"}
    assert outside <= sys.stdlib_module_names


def test_the_command_line_starts_without_django() -> None:
    script = "import sys, fabric_twin.cli; sys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)
