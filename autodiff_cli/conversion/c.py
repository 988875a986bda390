"""C: expressions, declarations, assignments and functions over `math.h`.

Integers are kept apart from floating-point numbers, because a quotient of two integers drops its fraction.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ..errors import AutodiffError, Source, Span
from ..operations import CONSTANTS, FUNCTIONS
from ..parser.tokens import Token
from ..version import WRITTEN_BY
from .branches import Assigned
from .expressions import (
    FMOD,
    REMAINDER,
    Expression,
    NamedExpression,
    Names,
    after_function,
    ambiguous,
    applied,
    atom,
    call,
    error,
    filled,
    infix,
    needed,
    operation_of_helper,
    prefix,
    refuse_assigned,
    same_letters,
    wrong_count,
)
from .tokens import TokenReader

_PATTERN = re.compile(
    r"(?P<blank>\s+|\\\r?\n|std::(?=\w)|(?://|\#)(?:\\\r?\n|[^\n])*|/\*.*?\*/)"
    r"|(?P<unclosed>/\*.*)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFlLuU]*)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<sign>\+\+|--|[-+*/%]=|<=|>=|==|!=|&&|\|\||->|[-+*/%<>=!?:;,(){}\[\].&|^~])",
    re.DOTALL,
)
_INTEGER_TYPES_WORDS = """
int long short unsigned signed char size_t ssize_t ptrdiff_t intmax_t uintmax_t intptr_t uintptr_t
int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
"""
_INTEGER_TYPES = frozenset(_INTEGER_TYPES_WORDS.split())
_REAL_TYPES = frozenset(["double", "float", "real", "double_t", "float_t"])
_TRUTH_TYPES = frozenset(["bool", "_Bool"])
_OTHER_WORDS = """
const static inline extern register restrict __restrict __restrict__ volatile auto void constexpr
"""
_NUMBER_TYPES = _INTEGER_TYPES | _REAL_TYPES | _TRUTH_TYPES
_TYPES = _NUMBER_TYPES | set(_OTHER_WORDS.split())
_NO_CODE = r"(?:\s|/\*(?:[^*]|\*(?!/))*\*/|(?://|\#[ \t]*+(?!if|el|end))[^\n]*$)*"
"""blanks, comments and directives, none of which begins or ends code under a condition"""
_DEFINED_ONCE = (
    r"(?:ifndef\b|if[ \t]*![ \t]*defined\b)[ \t(]*(?P<once>\w+)[ \t)]*"
    rf"{_NO_CODE}\#[ \t]*define[ \t]+(?P=once)\b"
)
_DIRECTIVE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\#[ \t]*(?:define[ \t]+(?P<macro>\w+)(?P<parameters>\()?[^\n]*"
    rf"|(?!{_DEFINED_ONCE})(?P<condition>(?:if|ifdef|ifndef|elif|else)\b[^\n]*$)(?!{_NO_CODE}\#[ \t]*(?:el|end))"
    r"|[^\n]*)",
    re.DOTALL | re.MULTILINE,
)
"""a macro, or a condition that code depends on, other than that a macro is not yet defined; or what is neither"""
_CONSTANTS = {
    "M_PI": "pi", "M_E": "e", "INFINITY": "inf", "HUGE_VAL": "inf", "NAN": "nan", "M_PI_2": "(pi/2)",
    "M_PI_4": "(pi/4)", "M_1_PI": "(1/pi)", "M_2_PI": "(2/pi)", "M_SQRT2": "sqrt(2)", "M_SQRT1_2": "sqrt(1/2)",
    "M_LN2": "log(2)", "M_LN10": "log(10)", "M_LOG2E": "(1/log(2))", "M_LOG10E": "(1/log(10))",
    "M_2_SQRTPI": "(2/sqrt(pi))", "true": "1", "false": "0",
}  # fmt: skip
_FORMULAS = {
    "pow": "{0}^{1}", "fmod": FMOD, "remainder": REMAINDER,
    "fma": "{0}*{1} + {2}", "fdim": "max({0} - {1}, 0)", "exp10": "10^{0}", "isnan": "{0} != {0}",
    "round": "trunc({0}) + sign({0})*(abs({0} - trunc({0})) >= 0.5)", "rint": "round({0})", "nearbyint": "round({0})",
    "ldexp": "{0}*2^{1}", "tgamma": "gamma({0})", "fabs": "abs({0})", "sq": "{0}^2",
}  # fmt: skip
_GAMMA = "is not in standard C", "write tgamma(x), or lgamma(x) for its logarithm, as in glibc"
_KEEPING_INTEGERS = frozenset(["abs", "max", "min", "sq"])
"""functions whose value is an integer where all of their arguments are"""
_REFUSED = {
    "modf": ("has two results", "write x - trunc(x) for the fraction, trunc(x) for the rest"),
    **dict.fromkeys(("gamma", "gammaf", "gammal"), _GAMMA),
}
"""functions that are not what the language has under this name: what is wrong with them, and what to write instead"""
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
"""operators, loosest first"""
_SYMBOLS = {"||": "or", "&&": "and"}
_EXPORTED_RESULTS = ("gradient", "hessian")


class _Typed(NamedTuple):
    """An expression, and whether it is an integer."""

    expression: Expression
    is_integer: bool = False

    def converted(self, type_: str, start: int) -> "_Typed":
        """The value as a `bool`, an `int` without its fraction, or a `double`; what makes it one begins at `start`.

        As `auto` it keeps its type.
        """
        if type_ == "auto":
            return self
        span = start, self.expression.span[1]
        if type_ == "bool" and not self.expression.is_condition:
            return _Typed(infix("!=", self.expression, atom("0", span), span), True)
        if type_ == "int" and not self.is_integer:
            return _Typed(call("trunc", (self.expression,), span), True)
        return _Typed(self.expression, type_ != "double")


def statements(source: Source) -> list[NamedExpression]:
    """The statements of a program that C source holds."""
    return _CReader(source).program()


class _CReader(TokenReader):
    def __init__(self, source: Source) -> None:
        super().__init__(source, _PATTERN)
        last = self._tokens[-2:][0]
        if last.kind == "unclosed":
            raise error(source, (last.start, last.start + 2), "this comment is never closed", "write */ where it ends")
        self._is_exported = WRITTEN_BY in source.text
        self._types: dict[str, str] = {}
        """the type of each name that is declared: `bool`, `int` or `double`, and `auto` of a parameter of any type"""
        self._unknown: dict[str, AutodiffError] = {}
        """the error for the use of a parameter as a number, by its name, where its type is unknown"""
        self._returned = "double"
        self._functions: set[str] = set()
        self._parameters: set[str] = set()
        self._known = Assigned(source)
        self._enclosing: set[str] = set()
        """those assigned before the branch of an `if` that is read"""
        self._names = Names(source)
        self._constants = dict(_CONSTANTS)
        """names → the constants that they are, those of the text included"""

    def program(self) -> list[NamedExpression]:
        """Declarations, assignments and a formula; of several functions the body of the last."""
        self._refuse_directives()
        function: list[NamedExpression] = []
        outside: list[NamedExpression] = []
        after: list[NamedExpression] = []
        while self.token.kind != "end":
            if self._is_function():
                with self._locals():
                    body = self._function({statement.name for statement in outside + after})
                if body is not None:
                    outside, after, function = outside + after, [], body
            else:
                after += self._recorded()
        if function and after:
            raise after_function(self.source, after[0].expression.span)
        read = outside + after + function
        self._known.refuse_output(after)
        return needed(read) if self._is_exported else read

    def _refuse_directives(self) -> None:
        """Raise AutodiffError for a macro that the text uses, and for code that depends on one: neither is expanded."""
        words = {token.text for token in self._tokens} - _CONSTANTS.keys()
        for directive in _DIRECTIVE.finditer(self.source.text):
            macro = directive["macro"]
            if directive["condition"]:
                hint = "leave it out, with the code that is not meant"
                raise error(self.source, directive.span(), "which code is compiled depends on this", hint)
            if macro in words:
                constant = "" if directive["parameters"] else f"`const double {macro} = …;`, or "
                hint = f"write {constant}the formula in its place"
                raise error(self.source, directive.span(), f"`{macro}` is a macro, and those are not written out", hint)

    # ---- Statements --------------------------------------------------------------------------------------------------

    def _is_function(self) -> bool:
        """Whether a type, a name and parameters follow."""
        at = 0
        while self.ahead(at).text in _TYPES or self.ahead(at).text == "*":
            at += 1
        return at > 0 and self.ahead(at).kind == "name" and self.ahead(at + 1).text == "("

    @contextmanager
    def _locals(self) -> Iterator[None]:
        """Let names that are declared, or become known otherwise, be forgotten afterwards."""
        outside = self._types, self._constants, self._names, self._known, self._parameters
        self._types, self._constants, self._names = self._types.copy(), self._constants.copy(), self._names.copy()
        self._known = self._known.copy()
        yield
        self._types, self._constants, self._names, self._known, self._parameters = outside

    def _function(self, outside: Collection[str]) -> list[NamedExpression] | None:
        """The statements of a function's body, whose parameters are inputs, and no names of values `outside`.

        None for a prototype.
        """
        type_: list[str] = []
        while (token := self.take()).text != "(":
            type_.append(token.text)
        self._functions.add(type_[-1])
        self._returned, type_ = "double" if self._is_exported else _type(type_), []
        self._parameters = set()
        self._unknown = {}
        while (token := self.take()).text != ")":
            type_ = [] if token.text == "," else [*type_, token.text]
            if token.kind == "name" and token.text not in _TYPES:
                unknown = [word for word in type_[:-1] if word not in _TYPES and word.isidentifier()]
                if unknown and (_NUMBER_TYPES | {"["}).isdisjoint(type_):
                    message = f"`{unknown[-1]}` is not a type that is known"
                    hint = "write double, or int for whole numbers"
                    self._unknown[token.text] = error(self.source, token.span, message, hint)
                self._types[token.text] = _type(type_)
                self._constants.pop(token.text, None)
                self._parameters.add(token.text)
                if token.text in outside:
                    message = f"`{token.text}` is a value before this function too"
                    raise error(self.source, token.span, message, "give one of them another name")
        if self.accept(";"):
            return None
        self.expect("{")
        read = self._block()
        self._known.refuse_output(read)
        return read

    def _block(self) -> list[NamedExpression]:
        """The statements up to the brace that closes a block; what follows a `return` is left out."""
        read: list[NamedExpression] = []
        while not self.accept("}"):
            first = self.token.text
            statements = self._recorded(is_in_block=True)
            read += statements
            if first == "return":
                self._skip_block()
            if first == "return" or (first == "if" and _returns(statements)):
                break
        return read

    def _recorded(self, *, is_in_block: bool = False) -> list[NamedExpression]:
        """The next statement of the text, in the language; none where it only declares."""
        if self.token.text == "if" and not self._is_exported:
            return self._choice(is_in_block=is_in_block)
        statements = self._statement()
        refuse_assigned(self.source, statements, self._parameters)
        self._known.record(statements)
        return statements

    def _choice(self, *, is_in_block: bool) -> list[NamedExpression]:
        """The statements of an `if`; where one branch returns, what follows in the block belongs to the other."""
        self.take()
        self.expect("(")
        condition = self._expression().expression
        self.expect(")")
        self._known.refuse_unassigned(condition)
        with self._branch():
            then = self._block() if self.accept("{") else self._recorded()
            after_then, types = self._known, self._types
        with self._branch():
            other: list[NamedExpression] = []
            has_rest = is_in_block and _returns(then)
            if self.accept("else") and (self.token.text == "{" or not has_rest):
                other = self._block() if self.accept("{") else self._recorded()
            if has_rest and _returns(other):
                self._skip_block()
            elif has_rest:
                other += self._block()
            after_other = self._known
        if is_in_block and _returns(other) and not has_rest:
            with self._branch():
                self._known, self._types = after_then, types
                then = [*then, *self._block()]
        return self._known.chosen(condition, (then, after_then), (other, after_other))

    @contextmanager
    def _branch(self) -> Iterator[None]:
        """Let what is assigned and declared be known within a branch alone."""
        outside = self._types, self._known, self._enclosing
        self._types, self._known, self._enclosing = self._types.copy(), self._known.copy(), self._known.always.copy()
        yield
        self._types, self._known, self._enclosing = outside

    def _statement(self) -> list[NamedExpression]:
        if self.accept(";"):
            return []
        if self.token.text in ("if", "for") and self._is_exported:
            while self.take().text != "{":
                pass
            self._skip_block()
            return []
        if self.token.text in _EXPORTED_RESULTS and self._is_exported:
            self._skip_statement()
            return []
        if self.token.text in ("for", "while", "do", "switch", "goto"):
            is_loop = self.token.text in ("for", "while", "do")
            hint = "write its steps one after the other" if is_loop else "write a choice as `if`"
            raise error(self.source, self.token.span, f"`{self.token.text}` is not a formula", hint)
        if self.accept("return"):
            value = self._expression()
            value = value.converted(self._returned, value.expression.span[0])
            if self.token.kind != "end":
                self.expect(";")
            return [NamedExpression("", value.expression)]
        type_: list[str] = []
        is_declaration = self.token.text in _TYPES and self.ahead().text not in ("(", ")")
        while is_declaration and (self.token.text in _TYPES or self.token.text == "*"):
            type_.append(self.take().text)
        read: list[NamedExpression] = []
        while True:
            read += self._assignment(_type(type_) if is_declaration else "")
            if not (is_declaration and self.accept(",")):
                break
        if self.token.kind != "end" and self.token.text != "}":
            self.expect(";")
        return read

    def _assignment(self, declared: str) -> list[NamedExpression]:
        """An assignment, which may declare a name of a type, or a formula."""
        start = self._next
        if self.token.kind == "name" and self.ahead().text != "(":
            declaring = self.token.text  # the array, for one of its elements
            if declared and declaring in self._enclosing:
                message = f"`{declaring}` is another value within this branch"
                raise error(self.source, self.token.span, message, "give one of them another name")
            if declared:
                self._types[declaring] = declared
            if declared and self.ahead().text in (";", ","):  # `double e;` has no value yet
                self.take()
                return []
            target = self._value()
            name = target.expression.text
            operator = self.accept("=", "+=", "-=", "*=", "/=")
            if operator is not None:
                value = self._expression()
                if operator.text != "=":
                    value = self._binary(operator.text[0], target, value, operator)
                value = value.converted(self._types.get(declaring, "double"), value.expression.span[0])
                if declared == "auto":
                    self._types[declaring] = "int" if value.is_integer else "double"
                expression = value.expression
                if expression.text == name in CONSTANTS:  # const double pi = M_PI
                    self._constants[name] = name
                else:
                    self._constants.pop(name, None)
                    self._names.redefine(name)
                is_input = self._is_exported and re.fullmatch(r"input_\d+", expression.text)
                return [] if is_input or expression.text == name else [NamedExpression(name, expression)]
            if declared and self.token.text in (";", ","):
                return []
        self._next = start
        return [NamedExpression("", self._expression().expression)]

    def _skip_statement(self) -> None:
        """Leave out what follows up to a semicolon."""
        while not self.accept(";"):
            self.take()

    def _skip_block(self) -> None:
        """Leave out the rest of a block, up to the brace that closes it."""
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(self.take().text, 0)

    # ---- Expressions -------------------------------------------------------------------------------------------------

    def _expression(self) -> _Typed:
        condition = self._level(0)
        if not self.accept("?"):
            return condition
        first = self._expression()
        self.expect(":")
        second = self._expression()
        parts = condition.expression, first.expression, second.expression
        span = parts[0].span[0], parts[2].span[1]
        return _Typed(call("where", parts, span), first.is_integer and second.is_integer)

    def _level(self, level: int) -> _Typed:
        if level == len(_LEVELS):
            return self._signed()
        left = self._level(level + 1)
        while (operator := self.token).text in _LEVELS[level]:
            self.take()
            left = self._binary(operator.text, left, self._level(level + 1), operator)
        if self.token.text == "^":
            readings = "exclusive or, as in C,", "a power"
            raise ambiguous(self.source, self.token.span, readings, "a power is pow(a, b) in C")
        return left

    def _binary(self, symbol: str, left: _Typed, right: _Typed, token: Token) -> _Typed:
        a, b = left.expression, right.expression
        span, is_integer = (a.span[0], b.span[1]), left.is_integer and right.is_integer
        if symbol == "/" and is_integer:
            hint = "write (double)a/b for the quotient, or trunc((double)a/b) for what C computes"
            raise ambiguous(self.source, span, ("a whole number, as in C,", "the quotient"), hint)
        if symbol == "%":
            if not is_integer:
                raise error(self.source, token.span, "`%` is for integers in C", "write fmod(a, b)")
            return _Typed(filled(_FORMULAS["fmod"], (a, b), span), True)
        is_truth = symbol not in ("+", "-", "*", "/")
        return _Typed(infix(_SYMBOLS.get(symbol, symbol), a, b, span), is_truth or is_integer)

    def _signed(self) -> _Typed:
        sign = self.accept("-", "+", "!")
        if sign is not None:
            operand = self._signed()
            if sign.text == "+":
                return operand
            span = sign.start, operand.expression.span[1]
            if sign.text == "!":
                return _Typed(prefix("not", operand.expression, span), True)
            return _Typed(prefix("-", operand.expression, span), operand.is_integer)
        if self.token.text == "(" and self.ahead().text in _TYPES:
            return self._cast(self.take().start, ")")
        if self.token.text == "static_cast" and self.ahead().text == "<":
            start = self.take().start
            self.take()
            return self._cast(start, ">")
        if self.token.text in _NUMBER_TYPES and self.ahead().text == "(":  # in C++ a type is called like a function
            type_ = self.take()
            return self._value().converted(_type([type_.text]), type_.start)
        return self._value()

    def _cast(self, start: int, closing: str) -> _Typed:
        """A value as a number of the type that ends with `closing`."""
        type_: list[str] = []
        while not self.accept(closing):
            type_.append(self.take().text)
        return self._signed().converted(_type(type_), start)

    def _value(self) -> _Typed:
        token = self.take()
        if token.kind == "number":
            text = token.text.rstrip("fFlLuU")
            if re.fullmatch("0+[1-7][0-7]*", text):
                readings = "an octal number, as in C,", "a decimal one"
                raise ambiguous(self.source, token.span, readings, "write the number without a 0 before it")
            return _Typed(atom(text, token.span), not set(text) & set(".eE"))
        if token.text == "(":
            inner = self._expression()
            span = token.start, self.expect(")").end
            return inner._replace(expression=inner.expression._replace(span=span))
        if token.kind == "name" and self.token.text == "(":
            return self._call(token)
        if token.kind == "name":
            return self._variable(token)
        raise self.unexpected(token)

    def _variable(self, token: Token) -> _Typed:
        """A name; an element of an array and a member of a structure are names too: `w[0]` is w_0."""
        name, end = token.text, token.end
        if name in CONSTANTS and self.token.text == "=":  # a value from there on
            return _Typed(atom(name, token.span))
        if name in self._constants:
            self._names.keep_constants(self._constants[name], token.span)
            return _Typed(atom(self._constants[name], token.span), self._constants[name].isdigit())
        spelling = name
        while sign := self.accept("[", ".", "->"):
            part = self.take()
            if part.kind not in ("number", "name") or (sign.text == "[" and part.kind != "number"):
                raise error(
                    self.source, part.span, "this part of an array is not a single value", "write a number as index"
                )
            name, spelling, end = f"{name}_{part.text}", f"{spelling}{sign.text}{part.text}", part.end
            if sign.text == "[":
                end = self.expect("]").end
        if spelling in self._unknown:
            raise self._unknown[spelling]
        is_integer = self._types.get(token.text, "double") != "double"
        return _Typed(self._names.atom(name, spelling, (token.start, end)), is_integer)

    def _call(self, token: Token) -> _Typed:
        typed: list[_Typed] = []
        self.expect("(")
        while not self.accept(")"):
            typed.append(self._expression())
            if self.token.text != ")":
                self.expect(",")
        span = token.start, self._tokens[self._next - 1].end
        are_integers = token.text in _KEEPING_INTEGERS and all(argument.is_integer for argument in typed)
        is_integer = token.text == "isnan" or are_integers
        if token.text == "abs" and not is_integer and not self.source.text.endswith("std::", 0, token.start):
            raise error(self.source, span, "`abs` is for integers in C", "write fabs(x)")
        return _Typed(self._applied(token, [argument.expression for argument in typed], span), is_integer)

    def _applied(self, token: Token, arguments: list[Expression], span: Span) -> Expression:
        name = token.text
        own = operation_of_helper(name, arguments, span) if self._is_exported and name not in _FORMULAS else None
        if own is not None:
            return own
        if name in self._functions and not self._is_exported:
            message = f"`{name}` is a function of this text, and calls of those are not written out"
            raise error(self.source, span, message, "write its formula in its place")
        if name in _REFUSED:
            message, hint = _REFUSED[name]
            raise error(self.source, token.span, f"`{name}` {message}", hint)
        known = name[:-1] if name[-1:] in "fl" and (name[:-1] in FUNCTIONS or name[:-1] in _FORMULAS) else name
        formula = _FORMULAS.get(known)
        if (expression := applied(known, formula, arguments, span)) is not None:
            return expression
        if known in FUNCTIONS or formula is not None:
            raise wrong_count(self.source, span, name, len(arguments))
        raise error(self.source, token.span, f"unknown function `{name}`", same_letters(name, [*FUNCTIONS, *_FORMULAS]))


def _returns(statements: Sequence[NamedExpression]) -> bool:
    """Whether the last statement has no name: what a function returns."""
    return bool(statements) and not statements[-1].name


def _type(words: Collection[str]) -> str:
    """`bool`, `int`, `double` or `auto` for the words of a type; `unsigned` is an `int`, `long double` a `double`."""
    if not _TRUTH_TYPES.isdisjoint(words):
        return "bool"
    if "auto" in words and _NUMBER_TYPES.isdisjoint(words):
        return "auto"
    return "double" if _INTEGER_TYPES.isdisjoint(words) or not _REAL_TYPES.isdisjoint(words) else "int"
