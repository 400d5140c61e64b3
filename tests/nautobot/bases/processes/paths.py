"""Where processes that a test starts find the checkout and Nautobot's settings."""

from pathlib import Path

CONFIG = Path(__file__).parents[2] / "nautobot_config.py"
ROOT = Path(__file__).parents[4]
