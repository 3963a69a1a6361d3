"""From text to syntax tree, or one sentence about the first line that is not Python."""

from __future__ import annotations

import ast
import warnings

from explorer.program.budget import Budget
from explorer.program.errors import BudgetError, ProgramError
from explorer.program.python2 import plain_text, with_print_calls


def parse(text: str, budget: Budget) -> tuple[ast.Module, str]:
    """Return the syntax tree of a program, and the text that its positions refer to.

    Raises:
        ProgramError: the text is not a program, is too long or too deeply nested.
    """
    if not isinstance(text, str):
        raise ProgramError(f"a program is text (got {type(text).__name__})")
    if len(text) > budget.source_chars:
        raise BudgetError(
            f"the program has {len(text):,} characters, and the limit is {budget.source_chars:,}"
        )
    plain = plain_text(text)
    try:
        tree = _tree(plain)
    except SyntaxError as error:
        plain, tree = _python2(plain, error)
    _check_depth(tree, budget)
    return tree, plain


def _python2(text: str, first: SyntaxError) -> tuple[str, ast.Module]:
    rewritten = with_print_calls(text)
    if rewritten == text:
        raise _not_python(text, first) from None
    try:
        return rewritten, _tree(rewritten)
    except SyntaxError as error:
        raise _not_python(text, error) from None


def _tree(text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about odd escapes in strings
            tree = ast.parse(text, "program")
    except (MemoryError, RecursionError):
        raise ProgramError("the program is nested too deeply to be read; split it up") from None
    except ValueError as error:
        raise ProgramError(f"the text cannot be read: {error}") from None
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            node.value = _as_in_python2(node.value)
    return tree


def _as_in_python2(node: ast.expr) -> ast.expr:
    """Give `print("...") % x` and `print(a), b` the meaning they had in Python 2.

    Both are Python 3 as well, and do there what nobody wants: print a part and drop the rest.
    """
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        call = _print_of_one(node.left)
        if call is not None:
            node.left = call.args[0]
            call.args = [node]
            return call
    if isinstance(node, ast.Tuple):
        call = _print_of_one(node.elts[0]) if node.elts else None
        if call is not None:
            call.args.extend(node.elts[1:])
            return call
    return node


def _print_of_one(node: ast.expr) -> ast.Call | None:
    """Return the node if it is a call of print with one argument."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
        and len(node.args) == 1
        and not node.keywords
    ):
        return node
    return None


def _not_python(text: str, error: SyntaxError) -> ProgramError:
    rows = text.split("\n")
    line = min(error.lineno or 1, len(rows))
    row = rows[line - 1].strip()
    if row[:1] in ("%", "!"):
        sentence = f"{row[:40]!r} is a notebook command, not Python; leave the line out"
    else:
        reason = (error.msg or "invalid syntax").removesuffix(".")
        sentence = f"this is not Python: {reason[:1].lower()}{reason[1:]}"
    return ProgramError(sentence, line)


def _check_depth(tree: ast.Module, budget: Budget) -> None:
    """Refuse a tree so deep that walking it would be the end of us.

    The left side of `a + b + c` and a chain of `elif` are walked in loops and do not count.
    """
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > budget.depth:
            line = getattr(node, "lineno", None)
            raise BudgetError(
                f"the program is nested more than {budget.depth} deep; give parts of it names", line
            )
        for child in ast.iter_child_nodes(node):
            left = isinstance(node, ast.BinOp) and child is node.left
            elif_ = isinstance(node, ast.If) and node.orelse == [child]
            stack.append((child, depth if left or elif_ else depth + 1))
