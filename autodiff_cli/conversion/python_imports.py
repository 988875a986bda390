"""The imports of texts in Python, and the names that are usual for modules without them."""

import ast
from dataclasses import dataclass, field

from .python_libraries import MODULES


@dataclass
class Imports:
    """The imports of one text or of several that are read one after the other, which add to them."""

    is_sympy: bool = False
    """whether the text is SymPy's, which decides which of two definitions a name without a module has"""
    modules: dict[str, str] = field(default_factory=MODULES.copy)
    """names → the modules, or the functions of modules, that they stand for"""
    stars: list[str] = field(default_factory=list)
    """the modules all of whose names are imported"""

    def __post_init__(self) -> None:
        self.modules |= {"S": "sympy.S"} if self.is_sympy else {}

    def add(self, node: ast.Import | ast.ImportFrom) -> set[str]:
        """Keep the modules and functions that names stand for from now on, and return the names that are symbols."""
        package = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        symbols: set[str] = set()
        for alias in node.names:
            whole = f"{package}.{alias.name}" if package else alias.name
            self.is_sympy |= whole.partition(".")[0] == "sympy"
            if package == "sympy.abc":
                symbols.add(alias.asname or alias.name)
            elif alias.name == "*":
                self.stars.append(package)
                self.modules |= {"S": "sympy.S"} if package == "sympy" else {}
            elif alias.asname or package:
                self.modules[alias.asname or alias.name] = whole
            else:
                first = alias.name.partition(".")[0]
                self.modules[first] = first
        return symbols

    def forget(self, names: set[str]) -> None:
        """Take names for those of values from now on."""
        self.modules = {name: module for name, module in self.modules.items() if name not in names}
