"""Broadcasting, gathering and products: shapes of gradients, and what is summed into them."""

from __future__ import annotations

from typing import Any

import engine as tf
from engine import explain
from engine.backward import Step
from engine.checker import Agreement, check
from engine.explain import ZeroKind
from tests.cases.asking import close, const, equal, expected, grad, last, products, var, verdict


def _summed(x: int) -> list[tuple[int, ...]]:
    """Return over which axes what arrives at an x of the last call was summed."""
    record = last()
    handle = record.xs[x]
    reads = {op.outputs[0] for op, _ in handle.consumers() if op.type == "ReadVariableOp"}
    steps: list[Step] = [step for step in record.steps if step.receiver in reads]
    ids = {step.op for step in steps}
    return [
        tuple(op.attrs["axis"])
        for op in record.operations
        if op.role == "unbroadcast" and op.type == "Sum" and op.forward_op in ids
    ]


def test_g1_045_broadcasting_is_undone_by_a_sum() -> None:
    right = expected("G1-045")
    x, y = var([7.5]), var([[2.0], [4.0]])
    s = tf.reduce_sum(tf.math.floormod(x, y))
    close(s, right["s"])
    dx, dy = tf.gradients(s, [x, y])
    close(dx, right["dx"])
    close(dy, right["dy"])


def test_g1_046_an_outer_product_broadcasts_both_ways() -> None:
    right = expected("G1-046")
    a, b = var([[2.0], [3.0]]), var([[1.0, 10.0, 100.0]])
    da, db = tf.gradients(tf.reduce_sum(a * b), [a, b])
    close(da, right["da"])
    close(db, right["db"])
    assert _summed(0) == [(1,), (0,)]


def test_g1_047_a_scalar_keeps_a_scalar_gradient() -> None:
    right = expected("G1-047")
    v = var(0.0)
    found = grad(tf.reduce_sum(const([3.0, 4.0]) * v), v)
    close(found, right["grad"])
    assert list(found.shape) == right["shape"]
    assert _summed(0) == [(0,)]


def _uses(gradient: Any, row: int) -> list[float]:
    """Return the contributions to one row of a gradient that is kept as slices."""
    indices, values = gradient.indices.numpy(), gradient.values.numpy()
    return [float(value) for value in values[indices == row]]


def test_g1_050_a_row_gathered_three_times_gets_three_contributions() -> None:
    right = expected("G1-050")
    x, indices, w = var([10.0, 20.0, 30.0]), tf.constant([2, 0, 2, 2]), const([1, 2, 3, 4])
    y = tf.reduce_sum(tf.gather(x, indices) * w)
    close(y, right["y"])
    found = grad(y, x)
    close(tf.convert_to_tensor(found), right["grad"])
    assert [_uses(found, row) for row in range(3)] == [[2.0], [], [1.0, 3.0, 4.0]]
    close(verdict().value, right["grad"])


def test_g1_051_a_point_gathered_twice_gets_two_contributions() -> None:
    right = expected("G1-051")
    x, points = var([[0.0, 1.0], [2.0, 3.0]]), tf.constant([[1, 1], [0, 1], [1, 1]])
    picked = tf.gather_nd(x, points)
    y = tf.reduce_sum(picked * const([1, 10, 100]))
    close(y, right["y"])
    close(grad(y, x), right["grad"])
    values = explain.evaluate_record(last())
    arrived = explain.gradient_value(last(), picked, values)
    assert [float(arrived[k]) for k in (0, 2)] == [1.0, 100.0]


def test_g1_052_products_with_zeros() -> None:
    right = expected("G1-052")
    x, z = var([5.0, 0.0, -2.0]), var([0.0, 7.0, 0.0])
    equal(grad(tf.reduce_prod(x), x), right["x"])
    equal(grad(tf.reduce_prod(z), z), right["z"])
    assert [(zero.kind, zero.step.op.type) for zero in verdict().zeros if zero.step] == [
        (ZeroKind.FACTOR, "Prod")
    ]
    equal(tf.hessians(tf.reduce_prod(z), z)[0], right["H"])


def test_g1_053_running_products_with_zeros() -> None:
    # TensorFlow loses the gradient at the zero: [0, 0, 0] and [1, 0, 0].
    right = expected("G1-053")
    for name, values in (("x", [0.0, 4.0, 5.0]), ("z", [3.0, 0.0, 2.0])):
        x = var(values)
        y = tf.reduce_sum(tf.math.cumprod(x))
        close(grad(y, x), right[name])
        checked = check(y, x)
        assert checked.verdict is Agreement.AGREES
        close(checked.numeric[0][0], right[name], rtol=1e-6, atol=1e-9)


def test_g1_054_a_reused_result_collects_all_its_uses() -> None:
    right = expected("G1-054")
    a = var(3.0)
    b = a * a
    c = b * b + b
    close(c, right["c"])
    close(grad(c, b), right["dc/db"])
    assert sorted(float(product) for product in products()) == [1.0, 9.0, 9.0]
    terms = last().gradients[b].terms
    assert sorted(float(term.value.as_tensor().numpy()) for term in terms) == [1.0, 9.0, 9.0]
    assert [op.type for op, _ in b.consumers() if not op.role] == ["Mul", "Mul", "AddV2"]
    close(grad(c, a), right["dc/da"])
    q = var(1.0)
    p = q + q
    close(grad(p + p, q), right["dr/dq"])


def test_g1_056_the_second_operand_of_a_difference_has_minus_one() -> None:
    right = expected("G1-056")
    a, b = var(5.0), var(2.0)
    y = (a - b) * b
    close(y, right["y"])
    for found, value in zip(tf.gradients(y, [a, b]), right["grad"], strict=True):
        close(found, value)
    locals_of_sub = [step.local for step in last().steps if step.op.type == "Sub"]
    assert locals_of_sub == [1, -1]
    assert sorted(float(product) for product in products(1)) == [-2.0, 3.0]
