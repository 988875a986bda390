"""Where the files that tests read are."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
CORPORA = ROOT.parent / "shared" / "corpora"
"""formulas with reference numbers, beside the project; tests that read them are skipped where there are none"""
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
"""a code block of a document: its language and its text"""
