"""Random command lines, run in this process by the thousand, and what must hold for each of them."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "support"))  # the formulas there serve these command lines too
