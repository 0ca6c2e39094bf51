"""What is known of course systems (systems.yaml): how they name what was handed in, and how they list a class."""

from pathlib import Path
from typing import Any

import yaml

SYSTEMS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("systems.yaml").read_text("utf-8"))
