"""Python: expressions, assignments and functions over `math`, NumPy, SciPy, PyTorch, JAX and SymPy.

The source is read by `ast` and never run. A program is a sequence of assignments and a formula, a `lambda`, or a
function whose body is such a sequence, with `if` too; of several functions the last is the program, and those before it
can be called if they have only `if` and `return` in them. Imports, docstrings, declarations of symbols, checks that
raise an error, the steps that differentiate, such as `loss.backward()`, and what `__main__` runs are left out.
"""

import ast
import re
import warnings
from collections.abc import Sequence

from ..errors import Source
from ..operations import CONSTANTS
from .expressions import NamedExpression, after_function, error, needed, refuse_assigned
from .python_calls import CallReader
from .python_expressions import last_name, names_in, parameters, values_in
from .python_imports import Imports

_MOST_BITS = 14_280  # of a whole number, as Python writes none of more than 4,300 digits
_DECLARING = ("symbols", "Symbol", "var", "Function")
_DIFFERENTIATING = ("_backward", "backward", "requires_grad_", "retain_grad", "zero_grad")
"""methods that set gradients, or prepare for them"""


def statements(source: Source, imports: Imports) -> list[NamedExpression]:
    """The statements of a program that Python source holds, after others with these imports; its own are added."""
    return PythonReader(source, imports).program()


class PythonReader(CallReader):
    """Reads the statements of one text."""

    def program(self) -> list[NamedExpression]:
        """The statements of the text."""
        tree = self._parsed()
        self._alone, body = values_in(tree), tree.body
        functions = [node for node in body if isinstance(node, ast.FunctionDef) or _is_lambda(node)]
        for function in functions:
            if isinstance(function, ast.FunctionDef):
                self._functions[function.name] = function
        end = body.index(functions[-1]) + 1 if functions else 0
        read = self._block(body[:end])
        self._has_called = False
        after = self._block(body[end:])
        if functions and after and not self._has_called:
            raise after_function(self.source, after[0].expression.span)
        self._imports.forget(self._assigned)
        read += after or (self._function(functions[-1]) if functions else [])
        self._known.refuse_output(read)
        return needed(read) if self._is_exported else read

    def _parsed(self) -> ast.Module:
        text = self.source.text
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about what the text does, such as calling a number
                tree = ast.parse(text)
        except SyntaxError as problem:
            at = self._position(problem.lineno or 1, (problem.offset or 1) - 1, bytes_=False)
            end = min(at + 1, len(text))
            raise error(self.source, (at, end), f"this is not Python: {problem.msg}") from None
        except RecursionError:
            message = "a sum or another chain of operators is too long for Python's parser"
            hint = "write it in parts, at most 1,000 terms in a line: part = x + y, and then part + z"
            raise error(self.source, (0, len(text)), message, hint) from None
        except (ValueError, MemoryError):
            raise error(self.source, (0, len(text)), "this is not Python source") from None
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value.bit_length() > _MOST_BITS:
                raise self.refuse(node, "this number is too large")
        return tree

    # ---- Statements --------------------------------------------------------------------------------------------------

    def _function(self, function: ast.stmt) -> list[NamedExpression]:
        """The body of a function, or of a `lambda` with a name, as a program."""
        if isinstance(function, ast.Assign | ast.AnnAssign):
            assert function.value is not None
            target = function.targets[0] if isinstance(function, ast.Assign) else function.target
            return self._formula(ast.unparse(target), function.value)
        assert isinstance(function, ast.FunctionDef)
        self._within = set(ast.walk(function))
        for node in self._within:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self._locals.add(node.id)
            elif isinstance(node, ast.FunctionDef) and node is not function:
                self._locals.add(node.name)
        return self._defaults(function.args) + self._block(function.body)

    def _defaults(self, arguments: ast.arguments) -> list[NamedExpression]:
        """The parameters with a number, which are inputs with a default; all parameters are names of values then.

        Raises AutodiffError for a parameter with the name of a value before the function.
        """
        for argument in parameters(arguments):
            if argument.arg in self._values:
                message = f"`{argument.arg}` is a value before this function too"
                raise self.refuse(argument, message, "give one of them another name")
        positional, defaults = [*arguments.posonlyargs, *arguments.args], arguments.defaults
        with_default = [
            *zip(positional[len(positional) - len(defaults) :], defaults, strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
        read = [
            NamedExpression(argument.arg, self.expression(default))
            for argument, default in with_default
            if default is not None
        ]
        for statement in read:
            self._names.redefine(statement.name)
        self._locals |= {argument.arg for argument in parameters(arguments)}
        self._assigned |= {argument.arg for argument in parameters(arguments)}
        self._parameters = {argument.arg for argument in parameters(arguments)} - {statement.name for statement in read}
        self._known.record(read)
        return read

    def _block(self, body: Sequence[ast.stmt]) -> list[NamedExpression]:
        """The statements of a body up to what it returns."""
        read: list[NamedExpression] = []
        rest = list(reversed(body))
        while rest:
            node = rest.pop()
            if isinstance(node, ast.Return):
                if node.value is None:
                    raise self.refuse(node, "nothing is returned", "return the formula")
                read += self._result(node.value)
                self._known.record(read[-1:])
                break
            if isinstance(node, ast.If) and not self._is_exported and not _is_main(node):
                if (unchecked := _unchecked(node)) is not None:
                    rest += reversed(unchecked)
                    continue
                then, other = node.body, node.orelse
                if _returns(then):
                    other, rest = [*other, *reversed(rest)], []
                elif _returns(other):
                    then, rest = [*then, *reversed(rest)], []
                statements = self._choice(node, then, other)
            else:
                statements = self._statement(node)
                self._known.record(statements)
            refuse_assigned(self.source, statements, self._parameters)
            read += statements
            self._values |= {statement.name for statement in statements}
        return read

    def _choice(self, node: ast.If, then: Sequence[ast.stmt], other: Sequence[ast.stmt]) -> list[NamedExpression]:
        """The statements of an `if`, of which each branch is read as if there were no other."""
        condition = self._truth(node.test)
        self._known.refuse_unassigned(condition)
        known, functions, conditions = self._known, self._functions, self._conditions
        branches = []
        for body in (then, other):
            self._known, self._functions, self._conditions = known.copy(), functions.copy(), conditions.copy()
            branches.append((self._block(body), self._known))
            if not _returns(body) and self._functions != functions:
                message = "a function is defined in one case of this `if`"
                raise self.refuse(node, message, "define it before, or write it out")
        self._known, self._functions, self._conditions = known, functions, conditions
        statements = self._known.chosen(condition, *branches)
        self._conditions -= {statement.name for statement in statements}
        return statements

    def _result(self, node: ast.expr) -> list[NamedExpression]:
        """The result of a function; in code that this program wrote, the value without the gradient."""
        if self._is_exported and isinstance(node, ast.Tuple):
            node = node.elts[0]
        if self._is_exported and isinstance(node, ast.Subscript):
            node = node.value
        return self._formula("", node)

    def _statement(self, node: ast.stmt) -> list[NamedExpression]:
        if isinstance(node, ast.Import | ast.ImportFrom):
            self._assigned |= self._imports.add(node)
            return []
        if isinstance(node, ast.FunctionDef):
            self._functions[node.name] = node
            return []
        if isinstance(node, ast.Pass | ast.Assert | ast.If):  # the `if` of `__main__`, or of code that is exported
            return []
        if isinstance(node, ast.Expr):
            return [] if _is_text(node.value) or _differentiates(node.value) else self._formula("", node.value)
        if isinstance(node, ast.AugAssign):
            value = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
            return self._assignment(node, node.target, value)
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            return self._assignment(node, node.target, node.value)
        if isinstance(node, ast.Assign) and (len(node.targets) == 1 or self._is_exported):
            return self._assignment(node, node.targets[0], node.value)
        is_loop = isinstance(node, ast.For | ast.While)
        hint = "write its steps one after the other" if is_loop else "write expressions, assignments and `if`"
        raise self.refuse(node, "this statement is not a formula", hint)

    def _assignment(self, node: ast.stmt, target: ast.expr, value: ast.expr) -> list[NamedExpression]:
        if self._is_exported and ast.unparse(target).partition("[")[0] in ("gradient", "hessian", "partials"):
            return []
        is_broadcast = isinstance(value, ast.Subscript) and isinstance(value.value, ast.Call)
        if self._is_exported and (isinstance(target, ast.Tuple) or is_broadcast):  # value, *partials = …(value, …)
            return []
        if isinstance(value, ast.Call) and last_name(value.func) in _DECLARING:
            self._assigned |= names_in(target)
            return []
        if isinstance(target, ast.Attribute) and (_is_text(value) or self._is_gradient(target)):
            return []
        if isinstance(target, ast.Name) and isinstance(value, ast.Lambda):
            self._functions[target.id] = value
            return []
        is_array = isinstance(value, ast.Name | ast.Attribute | ast.Subscript) and not names_in(value) & self._values
        if isinstance(target, ast.Tuple) and is_array:
            value = _entries(value, len(target.elts))
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            return self._assignments(node, target.elts, value.elts)
        if not isinstance(target, ast.Name | ast.Subscript | ast.Attribute):
            raise self.refuse(target, "only names are assigned", "write `name = expression`")
        expression = self.expression(value)
        if isinstance(target, ast.Name) and expression.text == target.id in CONSTANTS:  # pi = math.pi
            self._imports.modules[target.id] = f"math.{target.id}"
            return []
        if isinstance(target, ast.Name):
            self._names.redefine(target.id)
            name = self._names.atom(target.id, target.id, self.span(target)).text
        else:
            name = self.expression(target).text
        self._assigned.add(name)
        (self._conditions.add if expression.is_condition else self._conditions.discard)(name)
        is_input = self._is_exported and re.fullmatch(r"input_\d+", expression.text)  # of a function of an array
        if is_input or expression.text == name:  # x = float(x)
            return []
        return [NamedExpression(name, expression)]

    def _is_gradient(self, target: ast.Attribute) -> bool:
        """Whether what is assigned is the gradient of a value, or whether there is one."""
        return target.attr in ("grad", "requires_grad") and ast.unparse(target.value) in self._alone

    def _assignments(
        self, node: ast.stmt, targets: Sequence[ast.expr], values: Sequence[ast.expr]
    ) -> list[NamedExpression]:
        """Assignments one after the other of what Python assigns at once."""
        read: list[NamedExpression] = []
        for target, value in zip(targets, values, strict=True):
            statements = self._assignment(node, target, value)
            names = {name for statement in statements for name in re.findall(r"\w+", statement.expression.text)}
            if old := next((statement.name for statement in read if statement.name in names), None):
                message = f"the value of `{old}` before this line is meant here"
                raise self.refuse(value, message, "give the new one another name")
            read += statements
        return read

    def _formula(self, name: str, value: ast.expr) -> list[NamedExpression]:
        """A formula, or a `lambda` as a program."""
        if isinstance(value, ast.Lambda):
            return [*self._defaults(value.args), NamedExpression(name, self.expression(value.body))]
        return [NamedExpression(name, self.expression(value))]


def _is_text(node: ast.expr) -> bool:
    """Whether an expression is a string, such as a docstring or the label of a node."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _differentiates(node: ast.expr) -> bool:
    """Whether an expression is a call of a method for gradients, such as `loss.backward()`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _DIFFERENTIATING


def _is_main(node: ast.stmt) -> bool:
    """Whether a statement is the block under `if __name__ == "__main__":`."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"


def _is_lambda(node: ast.stmt) -> bool:
    """Whether a statement gives a name to a `lambda`."""
    return isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Lambda)


def _returns(body: Sequence[ast.stmt]) -> bool:
    """Whether statements end in a `return` in all cases, apart from those that raise an error."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, ast.Return | ast.Raise)


def _unchecked(node: ast.If) -> Sequence[ast.stmt] | None:
    """The branch of an `if` that raises no error, where the other one does; else None."""
    branches = (node.body, node.orelse), (node.orelse, node.body)
    return next((other for own, other in branches if own and isinstance(own[-1], ast.Raise)), None)


def _entries(value: ast.expr, count: int) -> ast.Tuple:
    """The first entries of an array, at its place."""
    indices = [ast.copy_location(ast.Constant(index), value) for index in range(count)]
    return ast.Tuple([ast.copy_location(ast.Subscript(value, index), value) for index in indices])
