"""LaTeX: formulas as they stand in papers, by the grammar `grammar/latex.lark`.

Names have one letter (also Greek, or an upright word), with what stands below them: `x_{1}` is x_1. What stands side by
side is a product. A sum or product over an index is written out. What can be read in two ways is an error that has
both.
"""

import re
from collections.abc import Sequence

from ..errors import AutodiffError, Source
from .expressions import (
    Expression,
    NamedExpression,
    Span,
    ambiguous,
    atom,
    call,
    chosen,
    error,
    infix,
    joined,
    prefix,
    takes,
)
from .latex_accents import with_letters
from .latex_tokens import LatexToken, tokens
from .latex_trees import Tree, UnexpectedTokenError, tree

_OWN = "% Written by autodiff"
_MOST_TERMS = 10_000
_BASES = {"2": "log2", "10": "log10"}
_SCIENTIFIC = re.compile(r"1e(-?\d+)")
_OPENING = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def statements(source: Source) -> list[NamedExpression]:
    """The statements of a program that LaTeX holds, a line for each."""
    is_own = _OWN in source.text
    document = _OPENING.search(source.text)
    text = source.text
    if document is not None:  # the same places, without the preamble
        text = " " * document.start(1) + document[1]
    if is_own:
        text = with_letters(text)
    return _LatexReader(source, tokens(Source(text, source.name, source.line), is_own=is_own), is_own=is_own).program()


class _LatexReader:
    """Makes statements of the trees of one text."""

    def __init__(self, source: Source, words: Sequence[LatexToken], *, is_own: bool) -> None:
        self.source, self._words, self._is_own = source, words, is_own
        self._plain = {_name(word) for word in words if word.kind == "NAME" and not word.is_followed_by_parenthesis}
        """names that stand for numbers, because they are not always followed by a parenthesis"""
        self._indices: dict[str, int] = {}
        """the index of each sum around, and its number now"""

    def program(self) -> list[NamedExpression]:
        """The rows as statements; in what this program wrote, without the derivatives."""
        try:
            rows = [row for row in tree(self._words).trees if row.children]
        except UnexpectedTokenError as problem:
            raise self._unexpected(problem.token) from None
        read = [statement for row in rows if (statement := self._row(row)) is not None]
        return [*read, *self._own_result(rows, read)] if self._is_own else read

    def _own_result(self, rows: Sequence[Tree], read: Sequence[NamedExpression]) -> list[NamedExpression]:
        """The name whose derivatives stand in what this program wrote, if it is not that of the last statement."""
        for row in rows:
            words = [leaf for leaf in row.leaves() if leaf.kind == "NAME"]
            if len(words) > 1 and words[0].text == "partial" and read and _name(words[1]) != read[-1].name:
                return [NamedExpression("", atom(_name(words[1]), words[1].span))]
        return []

    def _unexpected(self, word: LatexToken | None) -> AutodiffError:
        if word is None:
            end = len(self.source.text.rstrip())
            return error(self.source, (max(end - 1, 0), end), "the formula ends too early")
        return error(self.source, word.span, f"`{self._cut(word.span)}` does not fit here")

    def _cut(self, span: Span) -> str:
        return self.source.text[slice(*span)]

    def _row(self, row: Tree) -> NamedExpression | None:
        """`name = formula`, `f(x) = formula` or a formula; None for a derivative that this program wrote."""
        parts = row.trees
        if len(parts) == 2:
            name = self._target(parts[0])
            if name is None and not self._is_own:
                raise error(self.source, self._span(parts[0]), "only a name is assigned", "write the formula alone")
            return None if name is None else NamedExpression(name, self.expression(parts[1]))
        (formula,) = parts
        if formula.data == "relation" and any(sign.text == "=" for sign in formula.children[1::2]):
            hint = "write one side alone, or the difference of both"
            raise error(self.source, self._span(formula), "an equation is no formula", hint)
        return NamedExpression("", self.expression(formula))

    def _target(self, left: Tree) -> str | None:
        """The name on the left of an equals sign, alone or with its arguments."""
        left = left.children[0] if left.data == "relation" and len(left.children) == 1 else left
        if left.data != "sum" or len(left.children) != 1 or len(left.children[0].children) != 1:
            return None
        items = left.children[0].children[0].children
        first = items[0]
        if first.data != "power" or len(first.children) != 1 or first.children[0].data != "name":
            return None
        is_header = len(items) == 2 and items[1].data == "power" and items[1].children[0].data == "parentheses"
        return _name(first.children[0].children[0]) if len(items) == 1 or is_header else None

    # ---- Operators ---------------------------------------------------------------------------------------------------

    def expression(self, tree: Tree) -> Expression:
        """A tree as an expression of the language."""
        result: Expression = getattr(self, f"_{tree.data}")(tree)
        return result

    def _span(self, tree: Tree) -> Span:
        leaves = list(tree.leaves())
        if not leaves:
            return 0, 0
        return min(leaf.start for leaf in leaves), max(leaf.end for leaf in leaves)

    def _parts(self, tree: Tree) -> list[Expression]:
        return [self.expression(child) for child in tree.trees]

    def _either(self, tree: Tree) -> Expression:
        return joined("or", self._parts(tree), self._span(tree))

    def _both(self, tree: Tree) -> Expression:
        return joined("and", self._parts(tree), self._span(tree))

    def _negation(self, tree: Tree) -> Expression:
        return prefix("not", self._parts(tree)[0], self._span(tree))

    def _relation(self, tree: Tree) -> Expression:
        """A comparison; a chain is all of its links."""
        operands = [self.expression(child) for child in tree.children[::2]]
        if len(operands) == 1:
            return operands[0]
        signs = [{"=": "=="}.get(sign.text, sign.text) for sign in tree.children[1::2]]
        span = self._span(tree)
        links = [infix(sign, a, b, span) for sign, a, b in zip(signs, operands, operands[1:], strict=False)]
        return joined("and", links, span)

    def _sum(self, tree: Tree) -> Expression:
        result: Expression | None = None
        signs: list[LatexToken] = []
        for child in tree.children:
            if not isinstance(child, Tree):
                signs.append(child)
                continue
            term = self.expression(child)
            for sign in reversed(signs if result is None else signs[1:]):
                term = prefix("-", term, (sign.start, term.span[1])) if sign.text == "-" else term
            result = term if result is None else infix(signs[0].text, result, term, (result.span[0], term.span[1]))
            signs = []
        assert result is not None
        return result

    def _product(self, tree: Tree) -> Expression:
        """Chains with operators between them. What a sum or a derivative is taken of goes on to the end."""
        chains, operators = tree.children[::2], tree.children[1::2]
        for place, chain in enumerate(chains):
            heads = [
                i
                for i, item in enumerate(chain.children)
                if item.data == "head" and item.children[0].kind != "FUNCTION"
            ]
            if heads:
                before, head, after = (
                    chain.children[: heads[0]],
                    chain.children[heads[0]],
                    chain.children[heads[0] + 1 :],
                )
                rest = tree.like([chain.like(after), *tree.children[2 * place + 1 :]])
                if not after:
                    raise error(self.source, self._span(head), "there is nothing that this is taken of")
                whole = self._taken(head, rest)
                left = [*tree.children[: 2 * place], chain.like(before)] if before else tree.children[: 2 * place - 1]
                if not left:
                    return whole
                tree = tree.like(left)
                operator = "*" if before else operators[place - 1].text
                first = self._product(tree)
                return infix(operator, first, whole, (first.span[0], whole.span[1]))
        result = self._chain(chains[0], operators[0] if operators else None)
        for place, (operator, chain) in enumerate(zip(operators, chains[1:], strict=True), 1):
            following = operators[place] if place < len(operators) else None
            if operator.text == "*":
                for factor in self._factors(chain, following):
                    result = self._times("*", result, factor)
                continue
            factor = self._chain(chain, following)
            if operator.text == "/" and len(chain.children) > 1 and not self._is_one_call(chain):
                text = self._cut((result.span[0], factor.span[1]))
                readings = self._quotients(result, chain)
                raise ambiguous(
                    self.source, (result.span[0], factor.span[1]), text, readings, "use \\frac, or parentheses"
                )
            result = self._times(operator.text, result, factor)
        return result

    def _quotients(self, numerator: Expression, chain: Tree) -> tuple[str, str]:
        first, *others = [self._cut(self._span(item)) for item in chain.children]
        above = self._cut(numerator.span)
        return f"({above}/{first}){''.join(others)}", f"{above}/({first}{''.join(others)})"

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
        """What stands side by side as a product."""
        factors = self._factors(tree, following)
        return joined("*", factors, (factors[0].span[0], factors[-1].span[1]))

    def _factors(self, tree: Tree, following: LatexToken | None = None) -> list[Expression]:
        """The factors of what stands side by side."""
        items, factors, at = tree.children, list[Expression](), 0
        while at < len(items):
            item = items[at]
            if item.data == "head":
                factor, at = self._applied(items, at, following)
            else:
                self._refuse_call(items, at)
                factor, at = self.expression(item), at + 1
                if at < len(items) and _is_number(item) and _is_number(items[at]):
                    raise error(self.source, self._span(items[at]), "two numbers stand side by side")
            factors.append(factor)
        return factors

    def _refuse_call(self, items: Sequence[Tree], at: int) -> None:
        """Raise an error where a name with a parenthesis behind it may be a function."""
        item = items[at]
        if at + 1 == len(items) or not _is_enclosed(items[at + 1]) or item.children[0].data != "name":
            return
        word = item.children[0].children[0]
        is_bracket = next(items[at + 1].leaves()).text != "("
        if is_bracket or _name(word) in self._plain or _name(word) in self._indices:
            return
        span = self._span(item)[0], self._span(items[at + 1])[1]
        name = self._cut(self._span(item))
        readings = f"the function {name} of what is in parentheses", f"{name} times that"
        hint = f"write {name} \\cdot (…) for the product, or the formula of the function in its place"
        raise ambiguous(self.source, span, self._cut(span), readings, hint)

    def _applied(self, items: Sequence[Tree], at: int, following: LatexToken | None) -> tuple[Expression, int]:
        """The function at a place of a chain on its argument, and the place behind that."""
        head = items[at]
        word: LatexToken = head.children[0]
        if at + 1 == len(items):
            raise error(self.source, word.span, f"`{self._cut(word.span)}` has no argument")
        argument = items[at + 1]
        if _is_enclosed(argument):
            base = argument.children[0]
            values = [self.expression(base)] if base.data == "bars" else self._parts(base)
            span = word.start, self._span(base)[1]
            value = self._called(head, values, span)
            return self._with_scripts(value, argument), at + 2
        if argument.data == "head":
            inner, behind = self._applied(items, at + 1, following)
            return self._called(head, [inner], (word.start, inner.span[1])), behind
        behind = at + 1
        while behind < len(items) and _is_coefficient(items[behind]):
            behind += 1
        if (
            behind < len(items)
            and items[behind].data != "head"
            and not (_is_enclosed(items[behind]) and behind > at + 1)
        ):
            behind += 1
        span = word.start, self._span(items[behind - 1])[1]
        inner = joined("*", [self.expression(item) for item in items[at + 1 : behind]], span)
        if behind < len(items) and items[behind].data != "head":
            end = self._span(items[-1])[1]
            whole, taken = self._cut((word.start, end)), self._cut((self._span(argument)[0], span[1]))
            rest, name = self._cut((self._span(items[behind])[0], end)), self._cut(word.span)
            readings = f"{name}({taken}) {rest}", f"{name}({taken} {rest})"
            raise ambiguous(self.source, (word.start, end), whole, readings, "put the argument in parentheses")
        if following is not None and following.text == "/" and behind == len(items):
            text, name, taken = (self._cut(s) for s in ((word.start, following.end), word.span, self._span(argument)))
            readings = f"{name}({taken}/…)", f"{name}({taken})/…"
            raise ambiguous(self.source, (word.start, following.end), text, readings, "use \\frac, or parentheses")
        return self._called(head, [inner], span), behind

    def _called(self, head: Tree, values: list[Expression], span: Span) -> Expression:
        """A function with what stands above and below its name, on values."""
        word: LatexToken = head.children[0]
        name, power = word.text, None
        for script in head.children[1:]:
            kind, content = script.children[0].kind, script.children[1]
            expression = self.expression(content)
            if kind == "SUB" and name == "log":
                known = _BASES.get(expression.text)
                name, values = (known, values) if known else ("log", [*values, expression])
            elif kind == "SUP" and name == "digamma" and self._is_own:
                name, values = "polygamma", [expression, *values]
            elif kind == "SUP":
                power = expression
            else:
                raise error(self.source, self._span(script), f"`{self._cut(word.span)}` has no index")
        if power is not None and power.text == "-1":
            shown = self._cut(word.span)
            readings = "the inverse function", "the reciprocal"
            hint = f"write \\arc{shown[1:]}, or \\frac{{1}}{{{shown}(…)}}"
            raise ambiguous(self.source, span, self._cut(span), readings, hint)
        if name == "log" and len(values) == 1 and (gamma := re.fullmatch(r"abs\(gamma\((.*)\)\)", values[0].text)):
            result = call("lgamma", [Expression((gamma[1],), 0, span)], span)
        elif takes(name, len(values)):
            result = call(name, values, span)
        else:
            raise error(self.source, span, f"`{name}` does not take {len(values)} arguments")
        return result if power is None else infix("^", result, power, span)

    def _taken(self, head: Tree, rest: Tree) -> Expression:
        """A sum or product over an index, written out, or a derivative."""
        word: LatexToken = head.children[0]
        if word.kind == "DERIVATIVE":
            return self._derivative(word, rest)
        name, low, high = self._bounds(head)
        if high - low >= _MOST_TERMS:
            raise error(self.source, self._span(head), f"there are more than {_MOST_TERMS:,} terms")
        outer = self._indices.get(name)
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
            if not re.fullmatch(r"-?\d+", bound) and bound not in self._indices:
                hint = "a sum is written out, so write whole numbers as its bounds"
                raise error(self.source, span, f"the bound `{bound}` is no whole number", hint)
        numbers = [self._indices[bound] if bound in self._indices else int(bound) for bound in bounds]
        return name, numbers[0], numbers[1]

    def _derivative(self, word: LatexToken, rest: Tree) -> Expression:
        """The derivative of what follows."""
        variable, order = word.parts
        chain = rest.children[0]
        if len(rest.children) > 1 or (len(chain.children) > 1 and _is_enclosed(chain.children[0])):
            span = word.start, self._span(rest)[1]
            readings = "the derivative of the whole product", "the derivative of its first factor, times the others"
            raise ambiguous(self.source, span, self._cut(span), readings, "put what is differentiated in parentheses")
        body = self._product(rest)
        arguments = [body, atom(variable, word.span), *([atom(order, word.span)] if order != "1" else [])]
        return call("D", arguments, (word.start, body.span[1]))

    # ---- Operands ----------------------------------------------------------------------------------------------------

    def _power(self, tree: Tree) -> Expression:
        if len(tree.children) == 1 and not self._is_own and tree.children[0].data == "constant":
            span = self._span(tree)
            if self._cut(span) == "e":
                readings = "the number 2.718…", "a value that is called e"
                raise ambiguous(self.source, span, "e", readings, "write \\mathrm{e} for the number")
        return self._with_scripts(self.expression(tree.children[0]), tree)

    def _with_scripts(self, base: Expression, tree: Tree) -> Expression:
        """An operand with its exponents and factorials."""
        children = tree.children[1:]
        at = 0
        while at < len(children):
            if isinstance(children[at], Tree):
                if at + 1 < len(children) and children[at + 1].kind == "SUP":
                    raise error(self.source, self._span(tree), "two exponents stand one behind the other", "use braces")
                exponent = self.expression(children[at])
                base = self._raised(base, exponent, (base.span[0], exponent.span[1]))
                at += 1
            elif children[at].kind == "BANG":
                base, at = call("factorial", [base], (base.span[0], children[at].end)), at + 1
            else:
                at += 1  # the sign ^
        return base

    def _raised(self, base: Expression, exponent: Expression, span: Span) -> Expression:
        is_literal = re.fullmatch(r"\d+", exponent.text) and not self._is_own
        if base.text == "e" and is_literal and self._cut(base.span) == "e":
            readings = f"exp({exponent.text})", "a power of a value that is called e"
            raise ambiguous(self.source, span, self._cut(span), readings, "write \\mathrm{e} for the number")
        if base.text == "e":
            return call("exp", [exponent], span)
        if base.text == "10" and re.fullmatch(r"-?\d+", exponent.text):
            return atom(f"1e{exponent.text}", span)
        return infix("^", base, exponent, span)

    def _number(self, tree: Tree) -> Expression:
        word: LatexToken = tree.children[0]
        return atom(word.text, word.span)

    def _constant(self, tree: Tree) -> Expression:
        return self._number(tree)

    def _name(self, tree: Tree) -> Expression:
        word: LatexToken = tree.children[0]
        if word.text in self._indices and not word.parts:
            return atom(str(self._indices[word.text]), word.span)
        if word.text == "Delta" and not word.parts:
            after = next((other for other in self._words if other.start >= word.end), None)
            if after is not None and after.kind == "NAME":
                span = word.start, after.end
                readings = "one name", "Delta times the next"
                hint = f"write \\mathrm{{Delta{after.text}}}, or \\Delta\\cdot {after.text}"
                raise ambiguous(self.source, span, self._cut(span), readings, hint)
        return atom(_name(word, self._indices), word.span)

    def _group(self, tree: Tree) -> Expression:
        return self._parts(tree)[0]

    def _parentheses(self, tree: Tree) -> Expression:
        values = self._parts(tree)
        if len(values) > 1:
            raise error(self.source, self._span(tree), "several values in parentheses are no number")
        return values[0]._replace(span=self._span(tree))

    def _bars(self, tree: Tree) -> Expression:
        return call("abs", self._parts(tree), self._span(tree))

    def _floor(self, tree: Tree) -> Expression:
        return call("floor", self._parts(tree), self._span(tree))

    def _ceil(self, tree: Tree) -> Expression:
        return call("ceil", self._parts(tree), self._span(tree))

    def _fraction(self, tree: Tree) -> Expression:
        above, below = self._parts(tree)
        return infix("/", above, below, self._span(tree))

    def _root(self, tree: Tree) -> Expression:
        *index, value = self._parts(tree)
        span = self._span(tree)
        if not index or index[0].text == "2":
            return call("sqrt", [value], span)
        return call("cbrt", [value], span) if index[0].text == "3" else call("nthroot", [value, *index], span)

    def _cases(self, tree: Tree) -> Expression:
        """The rows of `cases`: a value and its condition; the last may be for all others."""
        span = self._span(tree)
        pairs: list[tuple[Expression, Expression]] = []
        otherwise = atom("nan", span)
        for row in tree.trees:
            values = self._parts(row)
            is_last = row is tree.children[-1] or len(values) == 1
            if len(values) == 2:
                pairs.append((values[1], values[0]))
            elif is_last:
                otherwise = values[0]
        return chosen(pairs, otherwise, span)


def _is_enclosed(item: Tree) -> bool:
    """Whether an item of a chain begins with a parenthesis, or is an absolute value."""
    return item.data == "power" and item.children[0].data in ("parentheses", "bars")


def _is_number(item: Tree) -> bool:
    return item.data == "power" and len(item.children) == 1 and item.children[0].data == "number"


def _is_coefficient(item: Tree) -> bool:
    """Whether an item is a number or pi, which an argument may begin with."""
    return _is_number(item) or (
        item.data == "power" and len(item.children) == 1 and item.children[0].data == "constant"
    )


def _name(word: LatexToken, indices: dict[str, int] | None = None) -> str:
    """A name with its index; the index of a sum stands for its number there."""
    groups: list[list[str]] = [[]]
    for part in word.parts:
        if part == ",":
            groups.append([])
        else:
            groups[-1].append(part)
    return "_".join([word.text, *(part for group in groups for part in _index(group, indices or {}))])


def _index(parts: Sequence[str], numbers: dict[str, int]) -> list[str]:
    """What stands below a name, up to a comma: a word, a number, or several that depend on the index of a sum."""
    known = [str(numbers[part]) if part in numbers else part for part in parts]
    if re.fullmatch(r"\d+([+-]\d+)+", "".join(known)):
        return [str(sum(map(int, re.findall(r"[+-]?\d+", "".join(known)))))]
    if not set(numbers) & set(parts) and all(len(part) == 1 and part.isalnum() for part in parts):
        return ["".join(parts)] if parts else []  # x_{max}
    spoken = [{"+": "plus", "-": "minus"}.get(part, part) for part in known]
    return [clean for part in spoken if (clean := re.sub(r"\W", "", part))]
