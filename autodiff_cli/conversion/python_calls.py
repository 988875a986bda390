"""Calls of Python's functions: those of libraries, and those of the text, which are written out."""

import ast
from collections.abc import Sequence

from ..errors import AutodiffError
from ..operations import FUNCTIONS, LIST_FUNCTIONS
from .expressions import (
    Expression,
    applied,
    atom,
    call,
    filled,
    infix,
    joined,
    operation_of_helper,
    same_letters,
    wrong_count,
)
from .python_expressions import ExpressionReader, last_name, names_in, parameters
from .python_libraries import FORMULAS, OF_MODULES, RENAMED, SECOND, SYMPY
from .sympy_calls import SYMPY_CALLS

_ARRAYS = ("array", "asarray", "tensor", "as_tensor", "Tensor")
_WRAPPERS = (
    *_ARRAYS, "Float", "Integer", "Parameter", "S", "Value", "Variable", "doit", "double", "float", "float32",
    "float64", "item", "sympify",
)  # fmt: skip
"""functions and methods whose result is the number that they are given"""
_NO_NUMBERS = ("device", "dtype", "evaluate", "label", "requires_grad")
"""keywords that leave the value as it is"""
_SCALAR_MODULES = frozenset(["math", "cmath", "mpmath", "sympy"])
_KEYWORDS = "negative_slope", "alpha", "base", "n", "loc", "scale", "beta"
"""keywords whose values are numbers of the formula, in the order of the parameters"""
_DERIVATIVES = ("grad", "hessian", "jacfwd", "jacobian", "jacrev", "value_and_grad")
"""functions that take a function"""
_REDUCTIONS = {"average": "mean"} | {name: name for name in ("len", "mean", "norm", "prod", "sum")}
"""functions of a list in the language, for those of an array"""
_OF_LISTS = (*_REDUCTIONS, "amax", "amin", "logsumexp", "max", "min")
"""functions whose only argument may be an array"""
_APPROXIMATE = {
    **dict.fromkeys(("approximate='tanh'", "approximate=True"), "gelu_tanh"),
    **dict.fromkeys(("approximate='none'", "approximate=False"), "gelu_erf"),
}
"""the keyword of `gelu` → the function"""


class CallReader(ExpressionReader):
    """Reads the calls of one text too."""

    def _call(self, node: ast.Call) -> Expression:
        function, name, arguments = node.func, last_name(node.func), list(node.args)
        if isinstance(function, ast.Attribute) and not self._is_module(function.value):
            arguments.insert(0, function.value)  # x.exp()
        if name is None or any(isinstance(argument, ast.Starred) for argument in arguments):
            raise self.refuse(node, "this call is not a formula")
        if isinstance(function, ast.Name) and name in self._functions:
            values = [self.expression(argument) for argument in arguments]
            operation = operation_of_helper(name, values, self.span(node)) if self._is_exported else None
            return operation or self._inlined(node, self._functions[name], values)
        if isinstance(function, ast.Name) and name in self._imports.modules:
            name = self._imports.modules[name].rpartition(".")[2]  # from math import log10 as log
        return self._call_of_library(node, name, arguments)

    def _call_of_library(self, node: ast.Call, name: str, arguments: Sequence[ast.expr]) -> Expression:
        """A function that the text does not define, on arguments of which some may be no numbers."""
        module = self._module_of(node.func)
        if name in _DERIVATIVES:
            raise self._unknown(node, name)  # before its argument, which is a function
        if name in SYMPY_CALLS and (self._is_of_sympy(node.func) or name == "Piecewise"):
            return SYMPY_CALLS[name](self, node, arguments)
        if name in ("clamp", "clip") and arguments:
            return self._clipped(node, name, arguments)
        if name == "dot" and len(arguments) == 2:
            return self._dot(node, arguments)
        if name == "gelu" and (known := _APPROXIMATE.get(", ".join(map(ast.unparse, node.keywords)))):
            return self._applied(node, known, [self.expression(one) for one in arguments])
        if name in ("pdf", "cdf", "_pdf", "_cdf") and module.split(".")[-1] == "norm":
            name = f"norm{name[-3:]}"
        starts = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "start")]
        if name == "sum" and isinstance(node.func, ast.Name) and not module and node.args and len(starts) == 1:
            return self._sum_from(node, starts[0])
        if len(node.args) > 1 and name in ("max", "min", "sum") and isinstance(node.args[0], ast.List | ast.Tuple):
            raise self.refuse(node, f"`{name}` over an axis is not a formula of numbers")
        if len(arguments) > 1:
            self._refuse_second(node, name, arguments[1])
        return self._call_on_values(node, name, arguments)

    def _sum_from(self, node: ast.Call, first: ast.expr) -> Expression:
        """Python's `sum` of its first argument, from a value on."""
        start, (terms, *_) = self.expression(first), node.args
        if isinstance(terms, ast.List | ast.Tuple) and not terms.elts:
            return start
        total = self.expression(ast.copy_location(ast.Call(node.func, [terms], []), node))
        return infix("+", total, start, self.span(node))

    def _call_on_values(self, node: ast.Call, name: str, arguments: Sequence[ast.expr]) -> Expression:
        """A function of numbers, or of one list of them."""
        span, are_listed = self.span(node), False
        if len(arguments) == 1 and name in _OF_LISTS:
            arguments = [self._list_of(arguments[0])]
        if len(arguments) == 1 and isinstance(arguments[0], ast.List | ast.Tuple):
            arguments, are_listed = arguments[0].elts, True
        values = [*map(self.expression, arguments), *self._keywords(node, name)]
        if name in ("normcdf", "normpdf") and len(values) == 2:  # SciPy's `loc` is 0, or `scale` 1
            is_scale = any(keyword.arg == "scale" for keyword in node.keywords)
            values.insert(1 if is_scale else 2, atom("0" if is_scale else "1", span))
        if name in _WRAPPERS and len(values) == 1:
            return values[0]
        if name in _ARRAYS and are_listed:
            raise self.refuse(node, "an array is not a number", "write single numbers, or np.sum([a, b]) and the like")
        if name in _REDUCTIONS and len(values) == 1 and not are_listed:
            return call(_REDUCTIONS[name], values, span)
        if name == "norm" and are_listed:
            squares = [infix("^", value, atom("2", span), span) for value in values]
            return call("sqrt", [joined("+", squares, span)], span)
        return self._applied(node, name, values)

    def _clipped(self, node: ast.Call, name: str, arguments: Sequence[ast.expr]) -> Expression:
        """`clip` and `clamp`, of whose bounds one may be missing, or None."""
        bounds = dict(zip(("min", "max"), arguments[1:], strict=False))
        words = self._known_keywords(node, name, ("a_min", "min", "a_max", "max"))
        bounds |= {(word.arg or "").removeprefix("a_"): word.value for word in words}
        given = {end: bound for end, bound in bounds.items() if ast.unparse(bound) != "None"}
        if not given or len(arguments) > 3:
            raise self.refuse(node, f"`{name}` takes a lower and an upper bound here")
        parts = [self.expression(part) for part in (arguments[0], given.get("min"), given.get("max")) if part]
        return call("clip" if len(given) == 2 else "max" if "min" in given else "min", parts, self.span(node))

    def _dot(self, node: ast.Call, arguments: Sequence[ast.expr]) -> Expression:
        """A scalar product, written out where its numbers are."""
        left, right = map(self._list_of, arguments)
        span = self.span(node)
        if isinstance(left, ast.List) and isinstance(right, ast.List) and len(left.elts) == len(right.elts) > 0:
            pairs = zip(left.elts, right.elts, strict=True)
            return joined("+", [infix("*", self.expression(a), self.expression(b), span) for a, b in pairs], span)
        return call("dot", [self.expression(one) for one in arguments], span)

    def _list_of(self, node: ast.expr) -> ast.expr:
        """The list that a library's array is made of; any other expression as it is."""
        if isinstance(node, ast.Call) and last_name(node.func) in _ARRAYS and len(node.args) == 1:
            (given,) = node.args
            is_defined = ast.unparse(node.func) in self._functions
            return given if isinstance(given, ast.List) and not is_defined else node
        return node

    def _refuse_second(self, node: ast.Call, name: str, argument: ast.expr) -> None:
        """Raise an error where the second argument of a function on arrays is not a number of the formula."""
        root = self._module_of(node.func).partition(".")[0]
        is_builtin = isinstance(node.func, ast.Name) and not root
        if name not in SECOND or is_builtin or root in _SCALAR_MODULES:
            return
        is_number = not names_in(argument)
        if root == "torch" and name in ("max", "min") and not is_number:
            return  # the larger of two tensors
        what, hint = SECOND[name]
        message = f"the argument `{ast.unparse(argument)}` of `{ast.unparse(node.func)}` is {what}"
        raise self.refuse(argument, message, hint.format(name))

    def _keywords(self, node: ast.Call, name: str) -> list[Expression]:
        """The values of keyword arguments that are numbers of the formula, in the order of the parameters."""
        keywords = self._known_keywords(node, name, _KEYWORDS)
        keywords.sort(key=lambda keyword: _KEYWORDS.index(keyword.arg or ""))
        return [self.expression(keyword.value) for keyword in keywords]

    def _known_keywords(self, node: ast.Call, name: str, known: Sequence[str]) -> list[ast.keyword]:
        """The keyword arguments that are numbers of the formula. Raises AutodiffError for one that is not known."""
        keywords = [keyword for keyword in node.keywords if keyword.arg not in _NO_NUMBERS]
        for keyword in keywords:
            if keyword.arg not in known:
                raise self.refuse(keyword.value, f"the argument `{keyword.arg}` of `{name}` is not known")
        return keywords

    def _applied(self, node: ast.Call, name: str, values: list[Expression]) -> Expression:
        """A function of a library on values."""
        span = self.span(node)
        formula = OF_MODULES.get(f"{self._module_of(node.func)}.{name}")
        formula = formula or (SYMPY.get(name) if self._is_of_sympy(node.func) else None)
        known = RENAMED.get(name, name)
        formula = formula or FORMULAS.get(known)
        self._names.keep_constants(formula or "", span)
        if name == "sum" and values:
            return joined("+", values, span)
        if name in ("mean", "average") and values:
            return filled(f"{{0}}/{len(values)}", [joined("+", values, span)], span)
        if name == "prod" and values:
            return joined("*", values, span)
        if known == "round" and len(values) == 2:
            raise self.refuse(node, "rounding to decimals is not smooth", "write round(x*10**n)/10**n")
        if (expression := applied(known, formula, values, span)) is not None:
            return expression
        if known in FUNCTIONS or formula is not None:
            raise wrong_count(self.source, span, name, len(values))
        raise self._unknown(node, name)

    def _unknown(self, node: ast.Call, name: str) -> AutodiffError:
        """The error for a function that has no formula here."""
        from ..parser.diagnostics.context import Context
        from ..parser.diagnostics.idiom_matching import find_idiom
        from ..parser.diagnostics.synonyms import MISSING_FUNCTIONS, SYNONYMS

        word = SYNONYMS.get(name.lower(), name)
        hint = same_letters(word, [*FUNCTIONS, *RENAMED, *FORMULAS])
        problem = self.refuse(node, f"unknown function `{name}`", hint)
        if name in LIST_FUNCTIONS:
            problem.hint = "write its formula for single numbers, such as x[0]"
        elif match := find_idiom(Context(name, len(name), len(name)), MISSING_FUNCTIONS):
            problem.hint, problem.remedy = match.hint, match.remedy
        return problem

    def _inlined(
        self, node: ast.Call, function: ast.FunctionDef | ast.Lambda, values: Sequence[Expression]
    ) -> Expression:
        """A function of the text on values: its body with these in place of its parameters."""
        names = [argument.arg for argument in parameters(function.args)]
        keywords = {keyword.arg or "": self.expression(keyword.value) for keyword in node.keywords}
        arguments = {**dict(zip(names, values, strict=False)), **keywords}
        body = function.body if isinstance(function, ast.Lambda) else _returned(function.body)
        if body is None or set(arguments) != set(names) or len(values) + len(keywords) != len(names):
            hint = "a function that is called has as many arguments, and only `if` and `return` in it"
            raise self.refuse(node, f"this call of `{last_name(node.func)}` cannot be written out", hint)
        self._has_called = True
        called = {last_name(part.func) for part in ast.walk(body) if isinstance(part, ast.Call)}
        used = names_in(body) - set(names)
        # what is called is a function: a value of its name does not matter
        used -= {name for name in used & called if self._functions.get(name) not in self._within}
        if last_name(node.func) not in self._locals and (other := sorted(used & self._locals)):
            message = f"`{last_name(node.func)}` uses `{other[0]}`, which is another value here"
            raise self.refuse(node, message, "give one of them another name")
        if len(self._substituted) > 100:
            raise self.refuse(node, "a function calls itself", "write the formula out")
        self._substituted.append(arguments)
        result = self.expression(body)
        self._substituted.pop()
        return result._replace(span=self.span(node))

    def _is_of_sympy(self, function: ast.expr) -> bool:
        """Whether a function is SymPy's."""
        module = self._module_of(function)
        return module.partition(".")[0] == "sympy" if module else self._imports.is_sympy


def _returned(body: Sequence[ast.stmt]) -> ast.expr | None:
    """The expression that statements return; None for those that do more than choose and return."""
    if not body:
        return None
    first, rest = body[0], body[1:]
    if isinstance(first, ast.Return):
        return first.value
    if isinstance(first, ast.If):
        then, other = _returned(first.body), _returned([*first.orelse, *rest])
        return ast.copy_location(ast.IfExp(first.test, then, other), first) if then and other else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return _returned(rest) if is_text else None
