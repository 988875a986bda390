"""Python: expressions, assignments and functions over `math`, NumPy, SciPy, PyTorch, JAX and SymPy.

The source is read by `ast` and never run. A program is a sequence of assignments and a formula, a `lambda`, or a
function whose body is such a sequence; of several functions the last is the program, and those before it can be called
if they return a single expression. Imports, docstrings and declarations of symbols are left out.
"""

import ast
import warnings
from collections.abc import Callable, Sequence

from ..errors import AutodiffError, Source, did_you_mean
from ..operations import FUNCTIONS
from .expressions import (
    Expression,
    NamedExpression,
    Span,
    ambiguous,
    atom,
    call,
    chosen,
    error,
    filled,
    generated,
    infix,
    joined,
    prefix,
    takes,
)

_MODULES = """
math cmath np numpy jnp jax torch F nn functional sp sympy scipy special stats norm tf keras K autograd anp
"""
MODULES = frozenset(_MODULES.split())
_CONSTANTS = {"pi": "pi", "e": "e", "E": "e", "inf": "inf", "infty": "inf", "oo": "inf", "nan": "nan", "tau": "2*pi"}
_DECLARING_WORDS = """
symbols Symbol var Function
"""
_DECLARING = frozenset(_DECLARING_WORDS.split())
_WRAPPERS_WORDS = """
float Float Integer S sympify array asarray tensor as_tensor float32 float64 Variable
"""
_WRAPPERS = frozenset(_WRAPPERS_WORDS.split())
RENAMED = {
    **dict.fromkeys(("Abs", "absolute", "fabs"), "abs"), **dict.fromkeys(("maximum", "Max", "amax"), "max"),
    **dict.fromkeys(("minimum", "Min", "amin"), "min"), "ceiling": "ceil", "power": "pow", "true_divide": "div",
    "divide": "div", "subtract": "sub", "multiply": "mul", "expit": "sigmoid", "gammaln": "lgamma",
    "loggamma": "lgamma", "psi": "digamma", "reciprocal": "recip", "rint": "round", "fix": "trunc",
    "deg2rad": "radians", "rad2deg": "degrees", "root": "nthroot", "remainder": "mod", "floor_divide": "floor_div",
    "negative": "neg", "ndtr": "normcdf", "atan2": "atan2", "swish": "silu",
}  # fmt: skip
_FORMULAS = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0}*{1}", "div": "{0}/{1}", "pow": "{0}^{1}", "neg": "-{0}",
    "mod": "{0} % {1}", "floor_div": "floor({0}/{1})", "fmod": "{0} - {1}*trunc({0}/{1})", "rsqrt": "1/sqrt({0})",
    "heaviside": "where({0} < 0, 0, where({0} == 0, {1}, 1))", "logit": "log({0}/(1 - {0}))",
    "logsigmoid": "-softplus(-{0})", "xlogy": "where({0} == 0, 0, {0}*log({1}))", "softsign": "{0}/(1 + abs({0}))",
    "fma": "{0}*{1} + {2}", "exp10": "10^{0}", "relu6": "clip({0}, 0, 6)", "isnan": "{0} != {0}",
    "clamp": "clip({0}, {1}, {2})", "tanhshrink": "{0} - tanh({0})", "Rational": "{0}/{1}", "positive": "{0}",
}  # fmt: skip
_SYMPY = {"sinc": "sinc({0}/pi)", "Heaviside": "where({0} < 0, 0, where({0} == 0, 0.5, 1))"}
"""functions that SymPy defines otherwise than NumPy, or alone"""
_OPERATORS: dict[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^", ast.Mod: "%",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.And: "and", ast.Or: "or",
}  # fmt: skip
_OWN = "Written by autodiff"


def statements(source: Source) -> list[NamedExpression]:
    """The statements of a program that Python source holds."""
    return PythonReader(source).program()


class PythonReader:
    """Reads one text; `is_sympy` says which of two definitions a name has."""

    def __init__(self, source: Source, *, is_sympy: bool = False) -> None:
        self.source, self.is_sympy = source, is_sympy or "sympy" in source.text
        self._is_own = _OWN in source.text
        """whether this program wrote it: then a function with a name of the table is that of the table"""
        self._lines = _line_starts(source.text)
        self._modules = set(MODULES)
        self._functions: dict[str, ast.FunctionDef | ast.Lambda] = {}
        self._assigned: set[str] = set()
        self._substituted: list[dict[str, Expression]] = [{}]

    def program(self) -> list[NamedExpression]:
        """The statements of the text."""
        body = self._parsed().body
        functions = [node for node in body if isinstance(node, ast.FunctionDef)]
        for function in functions:
            self._functions[function.name] = function
        read = self._block(body)
        return read + self._function(functions[-1]) if functions and (body[-1] is functions[-1] or not read) else read

    def _parsed(self) -> ast.Module:
        text = self.source.text
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about what the text does, such as calling a number
                return ast.parse(text)
        except SyntaxError as problem:
            at = self._position(problem.lineno or 1, (problem.offset or 1) - 1, bytes_=False)
            end = min(at + 1, len(text))
            raise error(self.source, (at, end), f"this is not Python: {problem.msg}") from None
        except (ValueError, MemoryError):
            raise error(self.source, (0, len(text)), "this is not Python source") from None

    def _position(self, line: int, column: int, *, bytes_: bool = True) -> int:
        """The place of a line and a column, which `ast` counts in bytes of UTF-8."""
        start = self._lines[min(line, len(self._lines)) - 1]
        text = self.source.text[start : start + column]
        if not bytes_ or text.isascii():
            return start + column
        return start + len(self.source.text[start:].encode()[:column].decode(errors="ignore"))

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a part of the source is."""
        end = self._position(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return self._position(node.lineno, node.col_offset), end

    def refuse(self, node: ast.expr | ast.stmt, message: str, hint: str = "") -> AutodiffError:
        """The error about a part of the source."""
        return error(self.source, self.span(node), message, hint)

    # ---- Statements --------------------------------------------------------------------------------------------------

    def _function(self, function: ast.FunctionDef) -> list[NamedExpression]:
        """The body of a function as a program; parameters with a number are inputs with a default."""
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        defaults = [*function.args.defaults, *[d for d in function.args.kw_defaults if d is not None]]
        read = [
            NamedExpression(argument.arg, self.expression(default))
            for argument, default in zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True)
        ]
        self._assigned |= {argument.arg for argument in arguments}
        return read + self._block(function.body)

    def _block(self, body: Sequence[ast.stmt]) -> list[NamedExpression]:
        """The statements of a body up to what it returns."""
        read: list[NamedExpression] = []
        for node in body:
            if isinstance(node, ast.Return):
                if node.value is None:
                    raise self.refuse(node, "nothing is returned", "return the formula")
                return [*read, self._result(node.value)]
            try:
                read += self._statement(node)
            except AutodiffError as problem:
                if not self._is_own or "digamma_slope" not in problem.message:
                    raise  # what this program wrote computes derivatives too, with operations that the language lacks
        return read

    def _result(self, node: ast.expr) -> NamedExpression:
        """What a function returns; of what this program wrote, the value without the gradient."""
        if self._is_own and isinstance(node, ast.Tuple):
            node = node.elts[0]
        if self._is_own and isinstance(node, ast.Subscript):
            node = node.value
        return NamedExpression("", self.expression(node))

    def _statement(self, node: ast.stmt) -> list[NamedExpression]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._modules |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
            return []
        if isinstance(node, ast.FunctionDef | ast.Pass) or (self._is_own and isinstance(node, ast.If)):
            return []
        if isinstance(node, ast.Expr):
            is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            return [] if is_text else [NamedExpression("", self.expression(node.value))]
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and type(node.op) in _OPERATORS:
            name = atom(node.target.id, self.span(node.target))
            value = infix(_OPERATORS[type(node.op)], name, self.expression(node.value), self.span(node))
            return [NamedExpression(node.target.id, value)]
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return self._assignment(node, node.target, node.value)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            return self._assignment(node, node.targets[0], node.value)
        raise self.refuse(
            node, "this statement is no formula", "write expressions and assignments, with `a if c else b`"
        )

    def _assignment(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> list[NamedExpression]:
        if self._is_own and isinstance(target, ast.Name) and target.id in ("gradient", "hessian", "partials"):
            return []
        if self._is_own and isinstance(target, ast.Tuple):  # value, *partials = …(value, …)
            return []
        if isinstance(value, ast.Call) and _last_name(value.func) in _DECLARING:
            return []
        if isinstance(target, ast.Name) and isinstance(value, ast.Lambda):
            self._functions[target.id] = value
            return [NamedExpression(target.id, self.expression(value.body))] if self._is_last(node) else []
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            return [one for pair in zip(target.elts, value.elts, strict=True) for one in self._assignment(node, *pair)]
        if not isinstance(target, ast.Name | ast.Subscript | ast.Attribute):
            raise self.refuse(target, "only names are assigned", "write `name = expression`")
        expression = self.expression(value)
        name = self.expression(target).text if not isinstance(target, ast.Name) else target.id
        self._assigned.add(name)
        is_input = self._is_own and expression.text.startswith("input_")  # of a function of an array
        if is_input or expression.text == name:  # x = float(x)
            return []
        return [NamedExpression(name, expression)]

    def _is_last(self, node: ast.stmt) -> bool:
        return node.end_lineno == len(self.source.text.rstrip().splitlines())

    # ---- Expressions -------------------------------------------------------------------------------------------------

    def expression(self, node: ast.expr) -> Expression:
        """An expression of Python as one of the language."""
        read: Callable[..., Expression] | None = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is None:
            hint = "a formula has numbers, names, operators, calls and `a if c else b`"
            raise self.refuse(node, "this is no part of a formula", hint)
        return read(node)

    def _constant(self, node: ast.Constant) -> Expression:
        if isinstance(node.value, bool):
            return atom(str(int(node.value)), self.span(node))
        if not isinstance(node.value, int | float):
            raise self.refuse(node, "this is no real number")
        start, end = self.span(node)
        text = self.source.text[start:end].replace("_", "")
        return atom(text if text[:2].lower() not in ("0x", "0o", "0b") else str(node.value), (start, end))

    def _name(self, node: ast.Name) -> Expression:
        if node.id in self._substituted[-1]:
            return self._substituted[-1][node.id]
        span = self.span(node)
        if node.id in ("True", "False"):
            return atom(str(int(node.id == "True")), span)
        if self.is_sympy and node.id == "I" and "I" not in self._assigned:
            raise self.refuse(node, "`I` is the imaginary unit, and formulas are real", "give a value another name")
        is_constant = node.id in _CONSTANTS and (self.is_sympy or node.id not in ("tau", "E", "oo", "infty"))
        if is_constant and node.id not in self._assigned:
            if node.id == "e":
                hint = "write math.e for the number, or give the value another name"
                raise ambiguous(self.source, span, "e", ("2.718…", "a value that is called e"), hint)
            return _constant_named(node.id, span)
        if node.id in ("e", "pi", "inf", "nan") or (node.id in self._functions and node.id not in self._assigned):
            hint = f"`{node.id}` is a number here: give the value another name"
            raise self.refuse(node, f"`{node.id}` cannot be the name of a value", hint)
        return atom(node.id, span)

    def _attribute(self, node: ast.Attribute) -> Expression:
        """A constant of a module, or a value within an object as one name."""
        if self._is_module(node.value):
            if node.attr in _CONSTANTS:
                return _constant_named(node.attr, self.span(node))
            if node.attr in ("Half", "One", "Zero"):
                return atom({"Half": "0.5", "One": "1", "Zero": "0"}[node.attr], self.span(node))
            raise self.refuse(node, f"`{node.attr}` is no number that is known")
        base = self.expression(node.value)
        name = f"{base.text.removeprefix('self')}_{node.attr}".lstrip("_")
        return base if node.attr in ("data", "T") else atom(name, self.span(node))

    def _subscript(self, node: ast.Subscript) -> Expression:
        """A value in an array as one name: `w[0]` is w_0."""
        base, index = self.expression(node.value), node.slice
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        if not all(isinstance(part, ast.Constant) and isinstance(part.value, int | str) for part in parts):
            raise self.refuse(node, "this part of an array is no single value", "write numbers as indices")
        names = [str(part.value) for part in parts if isinstance(part, ast.Constant)]
        name = "_".join([base.text, *names])
        if not name.isidentifier():
            raise self.refuse(node, "this part of an array is no single value")
        return atom(name, self.span(node))

    def _unaryop(self, node: ast.UnaryOp) -> Expression:
        operand = self.expression(node.operand)
        if isinstance(node.op, ast.UAdd):
            return operand
        if isinstance(node.op, ast.Invert) and not self._is_own:
            raise self.refuse(node, "`~` changes bits", "write `not`, or `-`")
        return prefix("-" if isinstance(node.op, ast.USub) else "not", operand, self.span(node))

    def _binop(self, node: ast.BinOp) -> Expression:
        if isinstance(node.op, ast.BitXor):
            hint = "a power is `**` in Python"
            raise ambiguous(self.source, self.span(node), "^", ("exclusive or, as in Python,", "a power"), hint)
        if isinstance(node.op, ast.BitAnd | ast.BitOr) and (
            self._is_own or all(isinstance(side, ast.Compare | ast.BinOp) for side in (node.left, node.right))
        ):
            symbol = "and" if isinstance(node.op, ast.BitAnd) else "or"
            return infix(symbol, self.expression(node.left), self.expression(node.right), self.span(node))
        left, right, span = self.expression(node.left), self.expression(node.right), self.span(node)
        if isinstance(node.op, ast.FloorDiv):
            return filled("floor({0}/{1})", (left, right), span)
        if type(node.op) not in _OPERATORS:
            raise self.refuse(node, "this operator has no meaning for real numbers")
        return infix(_OPERATORS[type(node.op)], left, right, span)

    def _boolop(self, node: ast.BoolOp) -> Expression:
        return joined(_OPERATORS[type(node.op)], [self.expression(value) for value in node.values], self.span(node))

    def _compare(self, node: ast.Compare) -> Expression:
        """A comparison; a chain is all of its links."""
        operands = [self.expression(operand) for operand in (node.left, *node.comparators)]
        for operator in node.ops:
            if type(operator) not in _OPERATORS:
                raise self.refuse(node, "this comparison has no meaning for real numbers")
        span = self.span(node)
        links = [
            infix(_OPERATORS[type(operator)], left, right, span)
            for operator, left, right in zip(node.ops, operands, operands[1:], strict=False)
        ]
        return joined("and", links, span)

    def _ifexp(self, node: ast.IfExp) -> Expression:
        parts = [self.expression(part) for part in (node.test, node.body, node.orelse)]
        return call("where", parts, self.span(node))

    def _lambda(self, node: ast.Lambda) -> Expression:
        return self.expression(node.body)

    # ---- Calls -------------------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Expression:
        name, span = _last_name(node.func), self.span(node)
        if isinstance(node.func, ast.Attribute) and not self._is_module(node.func.value):
            arguments = [node.func.value, *node.args]  # x.exp()
        else:
            arguments = list(node.args)
        if name is None or any(isinstance(argument, ast.Starred) for argument in arguments):
            raise self.refuse(node, "this call is no formula")
        if name == "Piecewise":
            return self._piecewise(node)
        if name in ("pdf", "cdf", "_pdf", "_cdf") and isinstance(node.func, ast.Attribute):
            name = f"norm{name[-3:]}"
        if len(node.args) > 1 and name in ("max", "min", "sum") and isinstance(node.args[0], ast.List | ast.Tuple):
            raise self.refuse(node, f"`{name}` over an axis is no formula of numbers")
        if len(arguments) == 1 and isinstance(arguments[0], ast.List | ast.Tuple):
            arguments = list(arguments[0].elts)
        values = [self.expression(argument) for argument in arguments]
        values += self._keywords(node, name)
        if isinstance(node.func, ast.Name) and name in self._functions:
            own = generated(name, values, span) if self._is_own else None
            return own or self._inlined(node, self._functions[name], values)
        if name in _WRAPPERS and len(values) == 1:
            return values[0]
        return self._applied(node, name, values, span)

    def _keywords(self, node: ast.Call, name: str) -> list[Expression]:
        """The values of keyword arguments that are numbers of the formula."""
        known = {"negative_slope", "alpha", "min", "max", "a_min", "a_max", "base", "n"}
        keywords = [keyword for keyword in node.keywords if keyword.arg not in ("dtype", "device", "evaluate")]
        for keyword in keywords:
            if keyword.arg not in known:
                raise self.refuse(keyword.value, f"the argument `{keyword.arg}` of `{name}` is not known")
        return [self.expression(keyword.value) for keyword in keywords]

    def _applied(self, node: ast.Call, name: str, values: list[Expression], span: Span) -> Expression:
        """A function of a library on values."""
        formula = (_SYMPY.get(name) if self.is_sympy else None) or _FORMULAS.get(RENAMED.get(name, name))
        if name == "remainder" and _base_name(node.func) == "math":
            formula = "{0} - {1}*round({0}/{1})"
        if name == "sum" and values:
            return joined("+", values, span)
        if name in ("mean", "average") and values:
            return filled(f"{{0}}/{len(values)}", [joined("+", values, span)], span)
        if name == "prod" and values:
            return joined("*", values, span)
        if formula is not None and formula.count("{") and max(map(int, _digits(formula))) + 1 == len(values):
            return filled(formula, values, span)
        known = RENAMED.get(name, name)
        if known in ("round",) and len(values) == 2:
            raise self.refuse(node, "rounding to decimals is not smooth", "write round(x*10^n)/10^n")
        if known in FUNCTIONS and takes(known, len(values)):
            return call(known, values, span)
        if known in FUNCTIONS or formula is not None:
            raise self.refuse(node, f"`{name}` does not take {len(values)} arguments")
        raise self.refuse(node, f"unknown function `{name}`", did_you_mean(name, [*FUNCTIONS, *RENAMED, *_FORMULAS]))

    def _inlined(
        self, node: ast.Call, function: ast.FunctionDef | ast.Lambda, values: Sequence[Expression]
    ) -> Expression:
        """A function of the text on values: its body with these in place of its parameters."""
        names = [argument.arg for argument in function.args.args]
        body: ast.expr | None = function.body if isinstance(function, ast.Lambda) else None
        if isinstance(function, ast.FunctionDef):
            last = function.body[-1]
            is_short = len(function.body) == 1 + (ast.get_docstring(function) is not None)
            body = last.value if is_short and isinstance(last, ast.Return) else None
        if body is None or len(names) != len(values):
            hint = "a function that is called has as many arguments, and returns one expression"
            raise self.refuse(node, f"this call of `{_last_name(node.func)}` cannot be written out", hint)
        if len(self._substituted) > 100:
            raise self.refuse(node, "a function calls itself", "write the formula out")
        self._substituted.append(dict(zip(names, values, strict=True)))
        result = self.expression(body)
        self._substituted.pop()
        return result._replace(span=self.span(node))

    def _piecewise(self, node: ast.Call) -> Expression:
        """SymPy's Piecewise: pairs of an expression and a condition."""
        pairs: list[tuple[Expression, Expression]] = []
        otherwise = atom("nan", self.span(node))
        for pair in node.args:
            if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
                raise self.refuse(pair, "this is no pair of an expression and a condition")
            value, condition = pair.elts
            if isinstance(condition, ast.Constant) and condition.value is True:
                otherwise = self.expression(value)
                break
            pairs.append((self.expression(condition), self.expression(value)))
        return chosen(pairs, otherwise, self.span(node))

    def _is_module(self, node: ast.expr) -> bool:
        """Whether an expression is a module, such as `np` or `scipy.special`."""
        if isinstance(node, ast.Attribute):
            return self._is_module(node.value)
        return isinstance(node, ast.Name) and node.id in self._modules and node.id not in self._assigned


def _digits(formula: str) -> list[str]:
    return formula.replace("}", "{").split("{")[1::2]


def _constant_named(name: str, span: Span) -> Expression:
    text = _CONSTANTS[name]
    return filled(text, (), span) if "*" in text else atom(text, span)


def _last_name(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None


def _base_name(node: ast.expr) -> str | None:
    return node.value.id if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) else None


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts
