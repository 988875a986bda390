"""Chains of LaTeX, items side by side: products, functions with their arguments, sums over an index, derivatives."""

import re
from collections.abc import Collection, Sequence
from itertools import zip_longest

from ..errors import Span
from ..operations import FUNCTIONS
from ..work_budget import charge
from .expressions import PART, Expression, ambiguous, atom, call, error, infix, joined, takes, wrong_count
from .latex_lexer import LatexToken
from .latex_operands import OperandReader, name_of
from .latex_trees import Tree, innermost

_MOST_TERMS = 10_000
_MOST_DIGITS = 20  # of a bound
_BASES = {"2": "log2", "10": "log10"}
_DEPTHS = {"LPAR": 1, "LBRACE": 1, "LBRACKET": 1, "RPAR": -1, "RBRACE": -1, "RBRACKET": -1}
_SCIENTIFIC = re.compile(r"1e(-?\d+)")
_COMMON_FRACTION = re.compile(r"\\[dt]?frac\s*(?:\{\s*\d+\s*\}|\d)\s*(?:\{\s*\d+\s*\}|\d)")


class ChainReader(OperandReader):
    """Turns products, and the chains that they consist of, into expressions."""

    def _product(self, tree: Tree) -> Expression:
        """Chains with operators between them. What a sum or a derivative is taken of extends to the end."""
        chains, operators = tree.children[::2], tree.children[1::2]
        for place, chain in enumerate(chains):
            at = next((at for at, item in enumerate(chain.children) if takes_rest(item)), None)
            if at is None:
                continue
            before, head, after = chain.children[:at], chain.children[at], chain.children[at + 1 :]
            if not after:
                raise error(self.source, self._span(head), "there is nothing that this is taken of")
            whole = self._of_rest(head, tree.like([chain.like(after), *tree.children[2 * place + 1 :]]))
            left = [*tree.children[: 2 * place], chain.like(before)] if before else tree.children[: 2 * place][:-1]
            if not left:
                return whole
            first = self._product(tree.like(left))
            return infix("*" if before else operators[place - 1].text, first, whole)
        result = self._chain(chains[0], operators[0] if operators else None)
        for place, (operator, chain) in enumerate(zip(operators, chains[1:], strict=True), 1):
            following = operators[place] if place < len(operators) else None
            if operator.text == "*":
                self._refuse_power_of_ten(chains[place - 1], operators[place - 2 : place - 1], chain)
                for factor in self._factors(chain, following):
                    result = self._times("*", result, factor)
                continue
            factor = self._chain(chain, following)
            if operator.text == "/" and len(chain.children) > 1 and not self._is_one_call(chain):
                span, readings = (result.span[0], factor.span[1]), self._quotients(result, chain)
                raise ambiguous(self.source, span, readings, "use \\frac, or parentheses")
            result = self._times(operator.text, result, factor)
        return result

    def _refuse_power_of_ten(self, before: Tree, operators: Sequence[LatexToken], chain: Tree) -> None:
        """Raise an error for a quotient by a number times a power of ten, which may be one number."""
        if not operators or operators[0].text == "*" or len(before.children) > 1 or not _is_number(before.children[0]):
            return
        power = self._span(chain.children[0])
        if re.match(r"10\s*\^", self._cut(power)):
            span = operators[0].start, power[1]
            divisor, number = self._cut(self._span(before)), self._cut((self._span(before)[0], power[1]))
            sign, times = self._cut(operators[0].span), self._cut((self._span(before)[1], power[1]))
            readings = f"… {sign} ({number})", f"(… {sign} {divisor}){times}"
            raise ambiguous(self.source, span, readings, "use \\frac, or parentheses")

    def _quotients(self, numerator: Expression, chain: Tree) -> tuple[str, str]:
        (start, middle), end = self._span(chain.children[0]), self._span(chain)[1]
        above, first, below = (self._cut(span) for span in (numerator.span, (start, middle), (start, end)))
        return f"({above}/{first}){self._cut((middle, end))}", f"{above}/({below})"

    @staticmethod
    def _is_one_call(chain: Tree) -> bool:
        """Whether a chain is one function with its argument in parentheses."""
        items = chain.children
        return len(items) == 2 and items[0].data == "head" and _is_enclosed(items[1])

    def _times(self, symbol: str, left: Expression, right: Expression) -> Expression:
        """A product or a quotient; a number times a power of ten is one number."""
        span = left.span[0], right.span[1]
        power = _SCIENTIFIC.fullmatch(right.text)
        if symbol == "*" and power and re.fullmatch(r"[\d.]+", left.text):
            return atom(f"{left.text}e{power[1]}", span)
        return infix(symbol, left, right, span)

    # ---- Chains: functions, their arguments, and factors -------------------------------------------------------------

    def _chain(self, tree: Tree, following: LatexToken | None = None) -> Expression:
        """Return the product of the items of a chain."""
        factors = self._factors(tree, following)
        return joined("*", factors, (factors[0].span[0], factors[-1].span[1]))

    def _factors(self, tree: Tree, following: LatexToken | None = None) -> list[Expression]:
        """The factors of what is side by side."""
        items, factors, at = tree.children, list[Expression](), 0
        while at < len(items):
            item = items[at]
            if item.data == "head":
                factor, at = self._applied(items, at, following)
            else:
                factor = self.expression(item)
                self._refuse_call(items, at)
                at += 1
                if at < len(items) and _is_number(item):
                    self._refuse_number_after(item, items[at])
            factors.append(factor)
        return factors

    def _refuse_number_after(self, item: Tree, following: Tree) -> None:
        """Raise AutodiffError where a number follows another, or a mixed number may be meant."""
        if _is_number(following):
            hint = "write one number without blanks in it, or \\cdot between two"
            raise error(self.source, self._span(following), "two numbers stand side by side", hint)
        whole, fraction = self._cut(self._span(item)), self._cut(self._span(following))
        if whole.isdigit() and _COMMON_FRACTION.fullmatch(fraction):
            readings = f"({whole} + {fraction})", f"{whole} \\cdot {fraction}"
            span = self._span(item)[0], self._span(following)[1]
            raise ambiguous(self.source, span, readings, f"write {readings[0]}, or {readings[1]}")

    def _refuse_call(self, items: Sequence[Tree], at: int) -> None:
        """Raise an error where a name with a parenthesis or a bracket after it may be a function."""
        item = items[at]
        if at + 1 == len(items) or not _is_enclosed(items[at + 1]) or item.children[0].data != "name":
            return
        word, enclosed = item.children[0].children[0], innermost(items[at + 1].children[0])
        span = self._span(item)[0], self._span(items[at + 1])[1]
        name = self._cut(self._span(item))
        is_bracket = enclosed.children[0].text != "("
        if enclosed.data == "bars" or (is_bracket and self._is_factor_before(word, enclosed)):
            return
        if name_of(word) in self._functions:
            hint = f"write its formula in the place of the call, or {name} \\cdot (…) for a product"
            raise error(self.source, span, f"calls of `{name}` are not written out", hint)
        if name_of(word) in self._variables or name_of(word) in self._indices:
            return
        around = "brackets" if is_bracket else "parentheses"
        readings = f"the function {name} of what is in {around}", f"{name} times that"
        hint = f"write {name} \\cdot (…) for the product, or the formula of the function in its place"
        raise ambiguous(self.source, span, readings, hint)

    def _is_factor_before(self, word: LatexToken, bracket: Tree) -> bool:
        r"""Whether a bracket holds a concentration, or groups parentheses, as in `4\epsilon[(\sigma/r)^6 - …]`."""
        is_small_greek = word.text[0].islower() and self._cut(word.span).startswith(f"\\{word.text}")
        is_nested = any(leaf.text == "(" for leaf in bracket.leaves())
        return (is_small_greek and is_nested) or self._cut(self._span(bracket)) in self._concentrations

    def _applied(self, items: Sequence[Tree], at: int, following: LatexToken | None) -> tuple[Expression, int]:
        """The function at a place of a chain on its argument, and the place after that."""
        head = items[at]
        word: LatexToken = head.children[0]
        name = self._cut(self._span(head))
        if at + 1 == len(items):
            raise error(self.source, self._span(head), f"`{name}` has no argument")
        argument = items[at + 1]
        if _is_enclosed(argument):
            base = innermost(argument.children[0])
            values = [self.expression(base)] if base.data == "bars" else self._parts(base)
            span = word.start, self._span(base)[1]
            value = self._called(head, values, span)
            return self._with_scripts(value, argument), at + 2
        if argument.data == "head":
            inner, end = self._applied(items, at + 1, following)
            return self._called(head, [inner], (word.start, inner.span[1])), end
        return self._applied_to_factors(items, at, following)

    def _applied_to_factors(
        self, items: Sequence[Tree], at: int, following: LatexToken | None
    ) -> tuple[Expression, int]:
        r"""The same for an argument without parentheses: numbers and the factor after them, as in `\sin 2\pi x`."""
        head, argument = items[at], items[at + 1]
        word: LatexToken = head.children[0]
        name = self._cut(self._span(head))
        base, *scripts = argument.children
        if base.data == "group" and scripts:
            taken, whole = self._cut(self._span(base)), self._cut(self._span(argument))
            readings = f"{name}({whole})", f"{name}({taken}){whole.removeprefix(taken)}"
            span = word.start, self._span(argument)[1]
            raise ambiguous(self.source, span, readings, "put the argument in parentheses")
        end = at + 1
        while end < len(items) and _is_number(items[end], ("number", "constant")):
            end += 1
        is_enclosed = end < len(items) and end > at + 1 and _is_enclosed(items[end])
        if end < len(items) and items[end].data != "head" and not is_enclosed:
            end += 1
        span = word.start, self._span(items[end - 1])[1]
        inner = joined("*", [self.expression(item) for item in items[at + 1 : end]], span)
        if end < len(items) and items[end].data != "head":
            everything = word.start, self._span(items[-1])[1]
            taken = self._cut((self._span(argument)[0], span[1]))
            rest = self._cut((self._span(items[end])[0], everything[1]))
            readings = f"{name}({taken}) {rest}", f"{name}({taken} {rest})"
            raise ambiguous(self.source, everything, readings, "put the argument in parentheses")
        if following is not None and following.text == "/" and end == len(items):
            taken = self._cut(self._span(argument))
            readings = f"{name}({taken}/…)", f"{name}({taken})/…"
            raise ambiguous(self.source, (word.start, following.end), readings, "use \\frac, or parentheses")
        return self._called(head, [inner], span), end

    def _called(self, head: Tree, values: list[Expression], span: Span) -> Expression:
        """A function with the superscript and subscript of its name, on values."""
        word: LatexToken = head.children[0]
        name, power = word.text, None
        for script in head.children[1:]:
            kind, content = script.children[0].kind, script.children[1]
            expression = self.expression(content)
            if kind == "SUB" and name == "log":
                known = _BASES.get(expression.text)
                name, values = (known, values) if known else ("log", [*values, expression])
            elif kind == "SUP" and name == "digamma" and self._is_exported and innermost(content).data == "parentheses":
                name, values = "polygamma", [expression, *values]
            elif kind == "SUP":
                power = expression
            else:
                raise error(self.source, self._span(script), f"`{self._cut(word.span)}` has no index")
        if power is not None and power.text == "-1":
            shown, inverse = self._cut(word.span), f"arc{word.text}"
            readings = "the inverse function", "the reciprocal"
            command = f"\\{inverse}" if word.text in ("sin", "cos", "tan") else f"\\operatorname{{{inverse}}}"
            known = f"{command}, or " if inverse in FUNCTIONS else ""
            hint = f"write {known}\\frac{{1}}{{{shown}(…)}}"
            raise ambiguous(self.source, span, readings, hint)
        if name in ("log", "ln") and len(values) == 1 and (argument := _of_gamma(values[0])) is not None:
            result = call("lgamma", [argument], span)
        elif takes(name, len(values)):
            result = call(name, values, span)
        else:
            raise wrong_count(self.source, span, name, len(values))
        return result if power is None else infix("^", result, power, span)

    def _of_rest(self, head: Tree, rest: Tree) -> Expression:
        """A sum or product over an index, written out, or a derivative, each of the rest of the product."""
        word: LatexToken = head.children[0]
        if word.kind == "DERIVATIVE":
            return self._derivative(word, rest)
        name, low, high = self._bounds(head)
        if high - low >= _MOST_TERMS:
            raise error(self.source, self._span(head), f"there are more than {_MOST_TERMS:,} terms")
        outer = self._indices.get(name)
        if outer is None:
            self._refuse_index_after(name, word, self._span(rest)[1])
        terms = []
        for number in range(low, high + 1):
            self._indices[name] = number
            terms.append(self._product(rest))
        self._indices.pop(name, None)
        if outer is not None:
            self._indices[name] = outer
        span = word.start, self._span(rest)[1]
        if not terms:
            return atom("0" if word.text == "+" else "1", span)
        return joined(word.text, terms, span)

    def _refuse_index_after(self, name: str, word: LatexToken, end: int) -> None:
        """Raise AutodiffError where a sum ends, and what follows in the same parentheses has its index too."""
        depth, following = 0, [other for other in self._words if other.start >= end]
        charge(PART * len(self._words))
        for after, second in zip_longest(following, following[1:]):
            depth += _DEPTHS.get(after.kind, 0)
            is_of_another = after.text == name and second is not None and second.text == "="
            if depth < 0 or after.kind in ("NEWLINE", "AMP", "COMMA") or is_of_another:
                return
            if after.kind == "NAME" and name in (after.text, *after.parts):
                big = self._cut(word.span)
                readings = f"one for each {name} of the {big} before it", "a value of its own"
                hint = f"put all that the {big} is taken of in parentheses, or else the {big} itself"
                raise ambiguous(self.source, after.span, readings, hint)

    def _bounds(self, head: Tree) -> tuple[str, int, int]:
        """The index and the bounds below and above a sum."""
        scripts = {script.children[0].kind: script.children[1] for script in head.children[1:]}
        span = self._span(head)
        if set(scripts) != {"SUB", "SUP"}:
            raise error(self.source, span, "a sum needs both bounds", "write \\sum_{i=1}^{3}")
        below = self._cut(self._span(scripts["SUB"])).strip("{} ")
        name, equals, low = (part.strip() for part in below.partition("="))
        bounds = [low, self._cut(self._span(scripts["SUP"])).strip("{} ")]
        if not equals or not name.isidentifier():
            raise error(self.source, span, "a sum needs an index", "write \\sum_{i=1}^{3}")
        for bound in bounds:
            if bound in self._indices:
                continue
            if not re.fullmatch(r"-?\d+", bound):
                hint = "a sum is written out, so write whole numbers as its bounds"
                raise error(self.source, span, f"the bound `{bound}` is not a whole number", hint)
            if len(bound) > _MOST_DIGITS:
                raise error(self.source, span, f"the bound `{bound}` is too large")
        numbers = [self._indices[bound] if bound in self._indices else int(bound) for bound in bounds]
        return name, numbers[0], numbers[1]

    def _derivative(self, word: LatexToken, rest: Tree) -> Expression:
        """The derivative of the rest of the product."""
        order, *index = word.parts
        chain = rest.children[0]
        if len(rest.children) > 1 or (len(chain.children) > 1 and _is_enclosed(chain.children[0])):
            span = word.start, self._span(rest)[1]
            readings = "the derivative of the whole product", "the derivative of its first factor, times the others"
            raise ambiguous(self.source, span, readings, "put what is differentiated in parentheses")
        body, variable = self._product(rest), name_of(word._replace(parts=tuple(index)), **self._indices)
        arguments = [body, atom(variable, word.span), *([atom(order, word.span)] if order != "1" else [])]
        return call("D", arguments, (word.start, body.span[1]))


def _of_gamma(value: Expression) -> Expression | None:
    """The x of abs(gamma(x)); None for other values."""
    for function in ("abs", "gamma"):
        if value.pieces[0] != f"{function}(" or not isinstance(value.pieces[1], Expression):
            return None
        value = value.pieces[1]
    return value


def takes_rest(item: Tree) -> bool:
    """Whether an item of a chain is the sign of a sum, a product or a derivative, which is of all that follows."""
    return item.data == "head" and item.children[0].kind != "FUNCTION"


def _is_enclosed(item: Tree) -> bool:
    """Whether an item of a chain is in parentheses, perhaps in braces as by SymPy, or is an absolute value."""
    return item.data == "power" and innermost(item.children[0]).data in ("parentheses", "bars")


def _is_number(item: Tree, kinds: Collection[str] = ("number",)) -> bool:
    """Whether an item is a number alone, or one of other kinds."""
    return item.data == "power" and len(item.children) == 1 and item.children[0].data in kinds
