"""Expressions of Python as those of the language: operators, constants of modules, and calls of their functions."""

import ast
import re
from collections.abc import Callable, Sequence

from ..errors import AutodiffError, Source, Span
from ..operations import ALIASES, FUNCTIONS, LIST_FUNCTIONS
from ..version import WRITTEN_BY
from ..work_budget import charge
from .expressions import (
    FMOD,
    PART,
    REMAINDER,
    Expression,
    Names,
    ambiguous,
    applied,
    atom,
    call,
    error,
    filled,
    generated,
    infix,
    joined,
    prefix,
    same_letters,
)
from .sympy_calls import SYMPY_CALLS

_MODULES_WORDS = """
math cmath np numpy jnp jax torch F nn functional sp sympy scipy special stats norm statistics tf keras K autograd anp
"""
_MODULES = {word: word for word in _MODULES_WORDS.split()} | {"sp": "sympy"}
"""names that are modules without being imported"""
_CONSTANTS = {
    "pi": "pi", "e": "e", "E": "e", "inf": "inf", "infty": "inf", "oo": "inf", "nan": "nan", "tau": "2*pi",
    "Half": "0.5", "One": "1", "Zero": "0",
}  # fmt: skip
_EVERYWHERE = frozenset(["inf", "nan", "pi"])
"""constants that are the same in every module, and without one"""
_WITH_E = frozenset(["math", "cmath", "np", "numpy", "jnp", "anp", "cupy", "mpmath", "mp", "torch"])
"""modules, such as `jax.numpy`, whose `e` is 2.718…; it is the charge in `scipy.constants`"""
_ARRAYS = ("array", "asarray", "tensor", "as_tensor")
_WRAPPERS = (*_ARRAYS, "float", "Float", "Integer", "S", "doit", "sympify", "float32", "float64", "Variable")
_RENAMED = ALIASES | {
    "Abs": "abs", "Max": "max", "amax": "max", "Min": "min", "amin": "min", "ceiling": "ceil", "loggamma": "lgamma",
    "remainder": "mod", "floor_divide": "floor_div", "Mod": "mod",
    "int": "trunc",
}  # fmt: skip
_FLOOR_DIVISION = "round(({0} - {0} % {1})/{1})"  # floor({0}/{1}) is 10 for 1//0.1
_FORMULAS = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0}*{1}", "div": "{0}/{1}", "pow": "{0}^{1}", "neg": "-{0}",
    "mod": "{0} % {1}", "floor_div": _FLOOR_DIVISION, "fmod": FMOD, "rsqrt": "1/sqrt({0})",
    "heaviside": "where({0} == 0, {1}, (1 + sign({0}))/2)", "logit": "log({0}/(1 - {0}))",
    "logsigmoid": "-softplus(-{0})", "xlogy": "where({0} == 0, 0, {0}*log({1}))", "softsign": "{0}/(1 + abs({0}))",
    "fma": "{0}*{1} + {2}", "exp10": "10^{0}", "relu6": "clip({0}, 0, 6)", "isnan": "{0} != {0}",
    "gelu_tanh": "0.5*{0}*(1 + tanh(sqrt(2/pi)*({0} + 0.044715*{0}^3)))",
    "ldexp": "{0}*2^{1}", "gelu_erf": "gelu({0})", "softplus": "softplus({1}*{0})/{1}",
    "normcdf": "normcdf(({0} - {1})/{2})", "normpdf": "normpdf(({0} - {1})/{2})/{2}",
    "tanhshrink": "{0} - tanh({0})", "Rational": "{0}/{1}", "positive": "{0}",
    "real_root": "nthroot({0}, {1})",
}  # fmt: skip
_ROOTS = {"cbrt": "{0}^(1/3)", "root": "{0}^(1/{1})"}
"""the principal ones, which are not real for negative numbers"""
_SYMPY = _ROOTS | {
    "sinc": "sinc({0}/pi)", "Heaviside": "(1 + sign({0}))/2",
    "Eq": "{0} == {1}", "Ne": "{0} != {1}",
}  # fmt: skip
"""functions that SymPy defines differently from NumPy, or that NumPy lacks"""
_OF_MODULES = {
    "math.remainder": REMAINDER,
    **{f"mpmath.{name}": formula for name, formula in _ROOTS.items()},
    **dict.fromkeys(("jax.nn.gelu", "flax.linen.gelu", "nn.gelu"), _FORMULAS["gelu_tanh"]),
}
"""functions that a module defines differently from others"""
_SCALAR_MODULES = frozenset(["math", "cmath", "mpmath", "sympy"])
_AXIS = "an axis", "write {0}([…, …]) for numbers side by side"
_SECOND = {
    **dict.fromkeys(("amax", "amin", "average", "logsumexp", "max", "mean", "min", "prod", "sum"), _AXIS),
    "log": ("where the result is kept", "write {0}(a)/{0}(b) for another base"),
}
"""functions on arrays whose second argument is not a number of the formula: what it is, and what may be meant"""
_OF_ARRAYS = frozenset([*_SECOND, "cbrt", "remainder", "sinc"])
_STARS = {
    **dict.fromkeys(("numpy", "jax.numpy", "autograd.numpy"), (_OF_ARRAYS | {"e"}) - {"logsumexp"}),
    "torch": _OF_ARRAYS - {"cbrt"},
    "math": frozenset(["cbrt", "e", "log", "remainder", "tau"]),
    "cmath": frozenset(["e", "log"]),
    "mpmath": frozenset(["e", "log", *_ROOTS]),
    "sympy": frozenset(["log", *_SYMPY]),
    "scipy.constants": frozenset(["e"]),
    "scipy.special": frozenset(["cbrt", "logsumexp", "sinc"]),
    **dict.fromkeys(("jax.nn", "flax.linen"), frozenset(["gelu", "logsumexp"])),
}
"""modules → those functions that `import *` brings from them and that are not the same in every module"""
_KEYWORDS = "negative_slope", "alpha", "base", "n", "loc", "scale", "beta"
"""keywords whose values are numbers of the formula, in the order of the parameters"""
_REDUCTIONS = {"average": "mean"} | {name: name for name in ("len", "mean", "norm", "prod", "sum")}
"""functions of a list in the language, for those of an array"""
_APPROXIMATE = {
    **dict.fromkeys(("approximate='tanh'", "approximate=True"), "gelu_tanh"),
    **dict.fromkeys(("approximate='none'", "approximate=False"), "gelu_erf"),
}
"""the keyword of `gelu` → the function"""
_IN_PARENTHESES = ast.BoolOp, ast.Compare, ast.IfExp, ast.Lambda, ast.UnaryOp
"""expressions that need parentheses beside a comparison"""
OPERATORS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^", ast.Mod: "%",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.And: "and", ast.Or: "or",
}  # fmt: skip


class ExpressionReader:
    """Reads the expressions of one text; `is_sympy` decides which of two definitions a name without a module has."""

    def __init__(self, source: Source, *, is_sympy: bool = False) -> None:
        self.source, self.is_sympy = source, is_sympy
        self._is_own = WRITTEN_BY in source.text
        """whether this program wrote it: then a function with a name of the table is that of the table"""
        self._is_ascii = source.text.isascii()
        self._lines = line_starts(source.text)
        self._modules = _MODULES | ({"S": "sympy.S"} if is_sympy else {})
        """names → the modules, or the functions of modules, that they stand for"""
        self._stars: list[str] = []
        """the modules all of whose names are imported"""
        self._functions: dict[str, ast.FunctionDef | ast.Lambda] = {}
        self._assigned: set[str] = set()
        self._conditions: set[str] = set()
        """names of conditions"""
        self._values: set[str] = set()
        """names of values that the text computes"""
        self._names = Names(source)
        self._locals: set[str] = set()
        """names of parameters, values and functions within the function that is read"""
        self._within: set[ast.AST] = set()
        """the nodes of that function"""
        self._parameters: set[str] = set()
        """names of parameters without a value"""
        self._has_called = False
        """whether a function of the text was written out"""
        self._substituted: list[dict[str, Expression]] = [{}]

    def _position(self, line: int, column: int, *, bytes_: bool = True) -> int:
        """The place of a line and a column, which `ast` counts in bytes of UTF-8."""
        start = self._lines[min(line, len(self._lines)) - 1]
        if not bytes_ or self._is_ascii:
            return start + column
        return start + len(self.source.text[start : start + column].encode()[:column].decode(errors="ignore"))

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> Span:
        """The place of a part in the source."""
        end = self._position(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self._position(node.lineno, node.col_offset), end

    def refuse(self, node: ast.expr | ast.stmt | ast.arg, message: str, hint: str = "") -> AutodiffError:
        """The error about a part of the source."""
        return error(self.source, self.span(node), message, hint)

    # ---- Expressions -------------------------------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> Expression:
        """An expression of Python as one of the language."""
        charge(PART)
        read: Callable[..., Expression] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is None:
            hint = "a formula has numbers, names, operators, calls and `a if c else b`"
            raise self.refuse(node, "this is not part of a formula", hint)
        return read(node)

    def _constant(self, node: ast.Constant) -> Expression:
        if isinstance(node.value, bool):
            return atom(str(int(node.value)), self.span(node))
        if not isinstance(node.value, int | float):
            raise self.refuse(node, "this is not a real number")
        start, end = self.span(node)
        text = self.source.text[start:end].replace("_", "")
        return atom(text if text[:2].lower() not in ("0x", "0o", "0b") else str(node.value), (start, end))

    def _name(self, node: ast.Name) -> Expression:
        if node.id in self._substituted[-1]:
            return self._substituted[-1][node.id]
        span = self.span(node)
        if self.is_sympy and node.id == "I" and "I" not in self._assigned:
            raise self.refuse(node, "`I` is the imaginary unit, and formulas are real", "give a value another name")
        module, name = self._module_of(node), self._modules.get(node.id, node.id).rpartition(".")[2]
        if node.id not in self._assigned:
            if _has_constant(module, name) or (self.is_sympy and not module and name in ("E", "oo")):
                return self._constant_of(name, span)
            if node.id == "e":
                hint = "write math.e for the number, or give the value another name"
                raise ambiguous(self.source, span, ("2.718…", "a value that is called e"), hint)
        if node.id in self._functions and node.id not in self._assigned:
            raise self.refuse(node, f"`{node.id}` is a function, not a value", "write its arguments after it")
        return self._names.atom(node.id, node.id, span)

    def _constant_of(self, name: str, span: Span) -> Expression:
        """A constant of a module."""
        text = _CONSTANTS[name]
        self._names.keep_constants(text, span)
        return filled(text, (), span) if "*" in text else atom(text, span)

    def _attribute(self, node: ast.Attribute) -> Expression:
        """A constant of a module, or a value within an object as one name."""
        if self._is_module(node.value):
            if _has_constant(self._module_of(node), node.attr):
                return self._constant_of(node.attr, self.span(node))
            raise self.refuse(node, f"`{node.attr}` is not a number that is known")
        base = self.expression(node.value)
        name = node.attr.lstrip("_") if base.text == "self" else f"{base.text}_{node.attr}"
        if not name.isidentifier():
            raise self.refuse(node, f"`.{node.attr}` of an expression is not a value that is known")
        return self._names.atom(name, f"{self._names.spelling(base.text)}.{node.attr}", self.span(node))

    def _subscript(self, node: ast.Subscript) -> Expression:
        """A value in an array as one name: `w[0]` is w_0."""
        base, index = self.expression(node.value), node.slice
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if not all(isinstance(part, ast.Constant) and isinstance(part.value, int | str) for part in parts):
            raise self.refuse(node, "this part of an array is not a single value", "write numbers as indices")
        names = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
        name = "_".join([base.text, *names])
        if not name.isidentifier():
            raise self.refuse(node, "this part of an array is not a single value")
        return self._names.atom(name, f"{self._names.spelling(base.text)}[{', '.join(names)}]", self.span(node))

    def _unaryop(self, node: ast.UnaryOp) -> Expression:
        operand = self._truth(node.operand) if isinstance(node.op, ast.Not) else self.expression(node.operand)
        if isinstance(node.op, ast.UAdd):
            return operand
        if isinstance(node.op, ast.Invert) and not self._is_own:
            raise self.refuse(node, "`~` changes bits", "write `not`, or `-`")
        return prefix("-" if isinstance(node.op, ast.USub) else "not", operand, self.span(node))

    def _binop(self, node: ast.BinOp) -> Expression:
        """Operators from the left: a long sum is not nested."""
        operations = [node]
        while isinstance(first := operations[-1].left, ast.BinOp):
            charge(PART)
            operations.append(first)
        left = self.expression(first)
        for operation in reversed(operations):
            left = self._operation(operation, left)
        return left

    def _operation(self, node: ast.BinOp, left: Expression) -> Expression:
        """An operator between an expression that is read already and its right side."""
        if isinstance(node.op, ast.BitXor):
            readings = "exclusive or, as in Python,", "a power"
            raise ambiguous(self.source, self.span(node), readings, "a power is `**` in Python", "^")
        right, span = self.expression(node.right), self.span(node)
        if isinstance(node.op, ast.BitAnd | ast.BitOr) and (self._is_own or self._are_conditions((left, right))):
            return infix("and" if isinstance(node.op, ast.BitAnd) else "or", left, right, span)
        if isinstance(node.op, ast.FloorDiv):
            return filled(_FLOOR_DIVISION, (left, right), span)
        if type(node.op) not in OPERATORS:
            raise self.refuse(node, "this operator has no meaning for real numbers")
        return infix(OPERATORS[type(node.op)], left, right, span)

    def _boolop(self, node: ast.BoolOp) -> Expression:
        """Conditions with `and` or `or` between them. With numbers the value is one of them in Python."""
        operands = [self.expression(value) for value in node.values]
        symbol, span = OPERATORS[type(node.op)], self.span(node)
        if not self._is_own and not self._are_conditions(operands):
            raise self._ambiguous_choice(node, symbol)
        return joined(symbol, operands, span)

    def _are_conditions(self, operands: Sequence[Expression]) -> bool:
        return all(one.is_condition or one.text in self._conditions for one in operands)

    def _ambiguous_choice(self, node: ast.BoolOp, symbol: str) -> AutodiffError:
        """The error for numbers with `and` or `or` between them."""
        texts = [self.source.text[slice(*self.span(value))] for value in node.values]
        first, *others = [
            f"({text})" if isinstance(value, _IN_PARENTHESES) else text
            for text, value in zip(texts, node.values, strict=True)
        ]
        rest, truth = f" {symbol} ".join(others), f" {symbol} ".join(f"{one} != 0" for one in (first, *others))
        nonzero, zero = (first, rest) if symbol == "or" else (rest, first)
        readings = "one of the values, as in Python,", "whether they are not 0"
        hint = f"write {nonzero} if {first} != 0 else {zero} for the value, or {truth}"
        return ambiguous(self.source, self.span(node), readings, hint)

    def _truth(self, node: ast.expr) -> Expression:
        """An expression of which it only matters whether it is 0."""
        if not isinstance(node, ast.BoolOp):
            return self.expression(node)
        return joined(OPERATORS[type(node.op)], [self._truth(value) for value in node.values], self.span(node))

    def _compare(self, node: ast.Compare) -> Expression:
        """A comparison; a chain is all of its links joined by `and`."""
        operands = [self.expression(operand) for operand in (node.left, *node.comparators)]
        for operator in node.ops:
            if type(operator) not in OPERATORS:
                raise self.refuse(node, "this comparison has no meaning for real numbers")
        span = self.span(node)
        links = [
            infix(OPERATORS[type(operator)], left, right, span)
            for operator, left, right in zip(node.ops, operands, operands[1:], strict=False)
        ]
        return joined("and", links, span)

    def _ifexp(self, node: ast.IfExp) -> Expression:
        parts = self._truth(node.test), self.expression(node.body), self.expression(node.orelse)
        return call("where", parts, self.span(node))

    # ---- Calls -------------------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Expression:
        name, span = last_name(node.func), self.span(node)
        if isinstance(node.func, ast.Attribute) and not self._is_module(node.func.value):
            arguments = [node.func.value, *node.args]  # x.exp()
        else:
            arguments = list(node.args)
        arguments = [_list_of(argument) for argument in arguments]
        own = self._functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
        if isinstance(node.func, ast.Name) and node.func.id in self._modules and own is None:
            name = self._modules[node.func.id].rpartition(".")[2]  # from math import log10 as log
        if name is None or any(isinstance(argument, ast.Starred) for argument in arguments):
            raise self.refuse(node, "this call is not a formula")
        if name in SYMPY_CALLS and own is None and (self._is_of_sympy(node.func) or name == "Piecewise"):
            return SYMPY_CALLS[name](self, node, arguments)
        if name in ("clamp", "clip") and arguments and own is None:
            return self._clipped(node, name, arguments)
        if name == "dot" and len(arguments) == 2 and own is None:
            return self._dot(node, arguments)
        if name == "gelu" and own is None and (known := _APPROXIMATE.get(", ".join(map(ast.unparse, node.keywords)))):
            return self._applied(node, known, [self.expression(one) for one in arguments], span)
        if name in ("pdf", "cdf", "_pdf", "_cdf") and self._module_of(node.func).split(".")[-1] == "norm":
            name = f"norm{name[-3:]}"
        starts = [*node.args[1:], *(keyword.value for keyword in node.keywords if keyword.arg == "start")]
        if name == "sum" and len(starts) == 1 and own is None and not self._module_of(node.func) and node.args:
            total = self.expression(ast.copy_location(ast.Call(node.func, node.args[:1], []), node))
            return infix("+", total, self.expression(starts[0]), span)
        if len(node.args) > 1 and name in ("max", "min", "sum") and isinstance(node.args[0], ast.List | ast.Tuple):
            raise self.refuse(node, f"`{name}` over an axis is not a formula of numbers")
        if len(arguments) > 1:
            self._refuse_second(node, name, arguments[1])
        are_listed = False
        if len(arguments) == 1 and isinstance(arguments[0], ast.List | ast.Tuple):
            arguments, are_listed = list(arguments[0].elts), True
        values = [self.expression(argument) for argument in arguments]
        if own is not None:
            operation = generated(name, values, span) if self._is_own else None
            return operation or self._inlined(node, own, values)
        values += self._keywords(node, name)
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
        return self._applied(node, name, values, span)

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
        left, right = arguments
        span = self.span(node)
        if isinstance(left, ast.List) and isinstance(right, ast.List) and len(left.elts) == len(right.elts) > 0:
            pairs = zip(left.elts, right.elts, strict=True)
            return joined("+", [infix("*", self.expression(a), self.expression(b), span) for a, b in pairs], span)
        return call("dot", [self.expression(left), self.expression(right)], span)

    def _refuse_second(self, node: ast.Call, name: str, argument: ast.expr) -> None:
        """Raise an error where the second argument of a function on arrays is not a number of the formula."""
        root = self._module_of(node.func).partition(".")[0]
        is_own = isinstance(node.func, ast.Name) and not root
        if name not in _SECOND or is_own or root in _SCALAR_MODULES:
            return
        is_number = not names_in(argument)
        if root == "torch" and name in ("max", "min") and not is_number:
            return  # the larger of two tensors
        what, hint = _SECOND[name]
        message = f"the argument `{ast.unparse(argument)}` of `{ast.unparse(node.func)}` is {what}"
        raise self.refuse(argument, message, hint.format(name))

    def _keywords(self, node: ast.Call, name: str) -> list[Expression]:
        """The values of keyword arguments that are numbers of the formula, in the order of the parameters."""
        keywords = self._known_keywords(node, name, _KEYWORDS)
        keywords.sort(key=lambda keyword: _KEYWORDS.index(keyword.arg or ""))
        return [self.expression(keyword.value) for keyword in keywords]

    def _known_keywords(self, node: ast.Call, name: str, known: Sequence[str]) -> list[ast.keyword]:
        """The keyword arguments that are numbers of the formula. Raises AutodiffError for one that is not known."""
        keywords = [keyword for keyword in node.keywords if keyword.arg not in ("dtype", "device", "evaluate")]
        for keyword in keywords:
            if keyword.arg not in known:
                raise self.refuse(keyword.value, f"the argument `{keyword.arg}` of `{name}` is not known")
        return keywords

    def _applied(self, node: ast.Call, name: str, values: list[Expression], span: Span) -> Expression:
        """A function of a library on values."""
        formula = _OF_MODULES.get(f"{self._module_of(node.func)}.{name}")
        formula = formula or (_SYMPY.get(name) if self._is_of_sympy(node.func) else None)
        known = _RENAMED.get(name, name)
        formula = formula or _FORMULAS.get(known)
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
            raise self.refuse(node, f"`{name}` does not take {len(values)} arguments")
        raise self._unknown(node, name)

    def _unknown(self, node: ast.Call, name: str) -> AutodiffError:
        """The error for a function that has no formula here."""
        from ..parser.diagnostics.context import Context
        from ..parser.diagnostics.hints import find_idiom
        from ..parser.diagnostics.synonyms import MISSING_FUNCTIONS, SYNONYMS

        word = SYNONYMS.get(name.lower(), name)
        hint = same_letters(word, [*FUNCTIONS, *_RENAMED, *_FORMULAS])
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
        body: ast.expr | None = function.body if isinstance(function, ast.Lambda) else None
        if isinstance(function, ast.FunctionDef):
            last = function.body[-1]
            is_short = len(function.body) == 1 + (ast.get_docstring(function) is not None)
            body = last.value if is_short and isinstance(last, ast.Return) else None
        if body is None or set(arguments) != set(names) or len(values) + len(keywords) != len(names):
            hint = "a function that is called has as many arguments, and returns one expression"
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

    def _is_module(self, node: ast.expr) -> bool:
        """Whether an expression is a module, such as `np` or `scipy.special`."""
        if isinstance(node, ast.Attribute):
            return self._is_module(node.value)
        return isinstance(node, ast.Name) and node.id in self._modules and node.id not in self._assigned

    def _module_of(self, function: ast.expr) -> str:
        """The module of a function, such as `scipy.special`; "" for one of the text or not known, and for a method."""
        if isinstance(function, ast.Attribute):
            if not self._is_module(function.value):
                return ""
            first, dot, rest = ast.unparse(function.value).partition(".")
            return f"{self._modules[first]}{dot}{rest}"
        name = function.id if isinstance(function, ast.Name) else ""
        if name in self._functions:
            return ""
        if name in self._modules:
            return self._modules[name].rpartition(".")[0]
        return next((star for star in reversed(self._stars) if name in _STARS.get(star, ())), "")

    def _is_of_sympy(self, function: ast.expr) -> bool:
        """Whether a function is SymPy's."""
        module = self._module_of(function)
        return module.partition(".")[0] == "sympy" if module else self.is_sympy


def _list_of(node: ast.expr) -> ast.expr:
    """The list that an array is made of; any other expression as it is."""
    if isinstance(node, ast.Call) and last_name(node.func) in _ARRAYS and len(node.args) == 1:
        (given,) = node.args
        return given if isinstance(given, ast.List) else node
    return node


def parameters(arguments: ast.arguments) -> list[ast.arg]:
    """The parameters of a function, keyword-only ones last."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def _has_constant(module: str, name: str) -> bool:
    """Whether a module has a constant of this name that is known."""
    is_sympys = module.partition(".")[0] == "sympy" and name != "e"
    return name in _EVERYWHERE or (name in _CONSTANTS and (is_sympys or module.rpartition(".")[2] in _WITH_E))


def names_in(node: ast.AST) -> set[str]:
    """The names in a part of the source."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def last_name(node: ast.expr) -> str | None:
    """The last word of `np.linalg.norm`; None for what is not a name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def line_starts(text: str) -> list[int]:
    """The places where Python's lines begin; `str.splitlines` ends lines at more characters."""
    return [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
