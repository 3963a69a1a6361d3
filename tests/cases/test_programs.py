"""Programs of the wild: cells, attention, filters, fits and iterations, as people write them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from engine import explain
from explorer.program import Program
from tests.cases.asking import close, equal, expected, record_of, run, value


def _products(program: Program, x: int, question: int = -1, limit: int = 1000) -> list[Any]:
    """Return what each path adds to an x of a question; all paths must fit into the limit."""
    record = record_of(program, question)
    found = explain.paths(record, record.xs[x], limit=limit)
    assert found.count == len(found.paths)
    return [path.product for path in found.paths]


def _contributions(program: Program, name: str) -> int:
    """Return how many addends the gradient of a named variable has in the last question."""
    record = record_of(program)
    handle = program.names[name].handle
    reads = [op.outputs[0] for op, _ in handle.consumers() if op.type == "ReadVariableOp"]
    return sum(len(record.gradients[read].terms) for read in reads if read in record.gradients)


LSTM = """
x, h, c = var(0.5), var(0.1), var(0.2)
rows = [[0.4, 0.3, 0.1], [0.2, 0.5, 1.0], [0.6, -0.1, 0.0], [0.7, 0.2, -0.2]]
params = [[var(value) for value in row] for row in rows]
def gate(row):
    wx, wh, b = row
    return wx * x + wh * h + b
with tf.name_scope("input"):
    i = tf.sigmoid(gate(params[0]))
with tf.name_scope("forget"):
    f = tf.sigmoid(gate(params[1]))
with tf.name_scope("output"):
    o = tf.sigmoid(gate(params[2]))
with tf.name_scope("candidate"):
    g = tf.tanh(gate(params[3]))
c2 = f * c + i * g
h2 = o * tf.tanh(c2)
L = h2 * h2
dparams = tf.stack(tf.gradients(L, params[0] + params[1] + params[2] + params[3]))
dx, dh, dc = tf.gradients(L, [x, h, c])
"""


def test_g6_010_an_lstm_cell() -> None:
    right = expected("G6-010")
    program = run(LSTM)
    for name in ("L", "dparams", "dx", "dh", "dc"):
        close(value(program, name), right[name])
    assert (_contributions(program, "x"), _contributions(program, "h")) == (4, 4)


ATTENTION = """
Q = var([[1.0, 0.0], [0.0, 1.0]])
K = var([[1.0, 0.5], [-0.5, 1.0]])
V = var([[1.0, 2.0], [3.0, 4.0]])
scores = tf.matmul(Q, K, transpose_b=True) / np.sqrt(2.0)
MASK
O = tf.nn.softmax(scores) @ V
L = O[0, 0] + 2 * O[1, 1]
dQ, dK, dV = tf.gradients(L, [Q, K, V])
"""
MASK = "scores = tf.where([[True, False], [True, True]], scores, const(-1e9))"


@pytest.mark.parametrize(("mask", "prefix"), [("", ""), (MASK, "mask_")])
def test_g6_011_attention_with_and_without_a_causal_mask(mask: str, prefix: str) -> None:
    right = expected("G6-011")
    program = run(ATTENTION.replace("MASK", mask))
    for name in ("L", "dQ", "dK", "dV"):
        close(value(program, name), right[prefix + name])
    if mask:
        equal(value(program, "dQ")[0], [0.0, 0.0])


REGRESSION = """
x = const([1.0, 2.0, 3.0, 4.0])
y = const([2.1, 3.9, 6.2, 8.1])
W, b = var(0.5), var(0.1)
def loss():
    return tf.reduce_sum((W * x + b - y) ** 2) / (2 * 4)
L = loss()
dW, db = tf.gradients(L, [W, b])
W.assign_sub(0.01 * dW)
b.assign_sub(0.01 * db)
L_after = loss()
"""


def test_g6_016_linear_regression_and_one_step_of_descent() -> None:
    right = expected("G6-016")
    program = run(REGRESSION)
    for name in ("L", "dW", "db", "L_after"):
        close(value(program, name), right[name])


KALMAN = """
q, r, a = var(0.1), var(0.2), var(0.9)
m, P, ll = const(0.0), const(1.0), const(0.0)
for y in [1.0, 0.5, 0.8]:
    m = a * m
    P = a ** 2 * P + q
    S = P + r
    e = y - m
    ll -= 0.5 * (tf.math.log(2 * np.pi * S) + e ** 2 / S)
    K = P / S
    m += K * e
    P = (1 - K) * P
grads = tf.stack(tf.gradients(ll, [q, r, a]))
"""


def test_g6_017_the_likelihood_of_a_kalman_filter() -> None:
    right = expected("G6-017")
    program = run(KALMAN)
    for name in ("ll", "grads"):
        close(value(program, name), right[name])
    # One use of q and r and two of a per step; the first m is 0, but its a counts as a use.
    assert [_contributions(program, name) for name in "qra"] == [3, 3, 6]


NEURON = """
x0, x1 = var(1.5), var(-0.5)
w0, w1 = var(0.8), var(0.4)
b = var(0.1)
n = x0 * w0 + x1 * w1 + b
o = OUT
dn = tf.gradients(o, n)[0]
found = tf.gradients(o, [x0, x1, w0, w1, b])
dx, dw, db = tf.stack(found[:2]), tf.stack(found[2:4]), found[4]
"""
SPELLED = "(tf.exp(2 * n) - 1) / (tf.exp(2 * n) + 1)"


@pytest.mark.parametrize("out", ["tf.tanh(n)", SPELLED])
def test_g6_018_a_neuron_in_two_spellings(out: str) -> None:
    right = expected("G6-018")
    program = run(NEURON.replace("OUT", out))
    close(value(program, "n"), 1.1)
    for name in ("o", "dx", "dw", "db"):
        close(value(program, name), right[name], rtol=1e-12)
    close(value(program, "dn"), right["db"], rtol=1e-12)


PENALTY = """
x = const([[0.5], [-1.0]])
W = var([[0.3, -0.6], [0.8, 0.1]])
v = var([1.0, -0.5])
D = tf.reduce_sum(v * tf.tanh(W @ x)[:, 0])
g = tf.gradients(D, x)[0]
P = (tf.norm(g) - 1) ** 2
dW, dv = tf.gradients(P, [W, v])
"""


def test_g6_019_a_gradient_penalty() -> None:
    right = expected("G6-019")
    program = run(PENALTY)
    for name in ("P", "dW", "dv"):
        close(value(program, name), right[name])
    # W @ (v (1 - tanh^2)) by hand
    weights, direction = np.array([[0.3, -0.6], [0.8, 0.1]]), np.array([1.0, -0.5])
    slope = 1 - np.tanh(weights @ [0.5, -1.0]) ** 2
    close(value(program, "g")[:, 0], weights.T @ (direction * slope))
    # The first question's operations are forward operations of the second.
    crossed = {step.op for step in record_of(program).steps}
    assert crossed & set(record_of(program, 0).operations)


def test_g6_020_six_derivatives_of_tanh() -> None:
    right = expected("G6-020")
    text = "x = var(0.5)\ny = tf.tanh(x)\n"
    for order in range(1, 7):
        text += f"d{order} = tf.gradients({'y' if order == 1 else f'd{order - 1}'}, x)[0]\n"
    program = run(text)
    found = [value(program, f"d{order}") for order in range(1, 7)]
    close(np.array(found), right["ders"], rtol=1e-9)
    sizes = [len(question.backward.operations) for question in program.questions]
    assert all(later < 4 * earlier for earlier, later in pairwise(sizes))


NEWTON = """
a, x0 = var(2.0), var(1.0)
x = x0.value()
for step in range(6):
    x = (x + a / x) / 2
x6 = x
da, dx0 = tf.gradients(x6, [a, x0])
"""


def test_g6_022_a_square_root_by_newton_iteration() -> None:
    right = expected("G6-022")
    program = run(NEWTON)
    close(value(program, "x6"), right["x6"], rtol=1e-15)
    close(value(program, "da"), right["da"], rtol=1e-12)
    close(value(program, "dx0"), 0.0)
    record = record_of(program)
    handle = record.xs[0]
    (read,) = [op.outputs[0] for op, _ in handle.consumers() if op.type == "ReadVariableOp"]
    values = explain.evaluate_record(record)
    terms = [float(values[term.value.as_tensor()]) for term in record.gradients[read].terms]
    assert len(terms) == 6
    assert terms[0] == pytest.approx(right["da"])  # the last step alone gives all of it
    assert [abs(term) for term in terms] == sorted((abs(term) for term in terms), reverse=True)


WORD2VEC = """
E = var([[0.1, 0.2], [0.3, -0.1], [-0.2, 0.4]])
C = var([[0.5, 0.1], [-0.3, 0.2], [0.4, 0.4]])
words, contexts, labels = [0, 2, 0], [1, 1, 2], const([1.0, 1.0, 0.0])
s = tf.reduce_sum(tf.gather(E, words) * tf.gather(C, contexts), axis=1)
L = tf.reduce_sum(tf.math.softplus(s) - labels * s)
slices, context_slices = tf.gradients(L, [E, C])
dE, dC = tf.convert_to_tensor(slices), tf.convert_to_tensor(context_slices)
"""


def test_g6_024_words_that_repeat_and_rows_that_are_not_used() -> None:
    right = expected("G6-024")
    program = run(WORD2VEC)
    for name in ("L", "dE", "dC"):
        close(value(program, name), right[name])
    equal(value(program, "dE")[1], [0.0, 0.0])
    equal(value(program, "dC")[0], [0.0, 0.0])
    slices = record_of(program).results[0]
    equal(slices.indices, [0, 2, 0])  # two uses of row 0, one of row 2


FACTORISATION = """
x = const([1.0, 0.0, 2.0])
w0 = var(0.1)
w = var([0.2, -0.1, 0.3])
V = var([[0.1, 0.4], [0.5, 0.5], [-0.2, 0.3]])
xV = tf.linalg.matvec(V, x, transpose_a=True)
of_squares = tf.linalg.matvec(V ** 2, x ** 2, transpose_a=True)
y = w0 + tf.reduce_sum(x * w) + 0.5 * tf.reduce_sum(xV ** 2 - of_squares)
dw, dV = tf.gradients(y, [w, V])
pairs = tf.reduce_sum(V[0] * V[2]) * x[0] * x[2]
"""


def test_g6_025_interactions_as_a_square_of_sums() -> None:
    right = expected("G6-025")
    program = run(FACTORISATION)
    for name in ("y", "dw", "dV"):
        close(value(program, name), right[name])
    close(value(program, "pairs"), 0.2)  # 0.5 (|xV|^2 - ...) is this sum over pairs
    sums, squares = _products(program, 1)
    close(sums + squares, right["dV"])
    # The diagonal parts, x_i^2 V_i, are in both and cancel.
    features, factors = np.array([1.0, 0.0, 2.0]), np.array([[0.1, 0.4], [0.5, 0.5], [-0.2, 0.3]])
    diagonal = features[:, None] ** 2 * factors
    close(squares if squares[0, 0] < 0 else sums, -diagonal)
