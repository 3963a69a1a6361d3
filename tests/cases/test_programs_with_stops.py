"""Programs of the wild in which something must not be differentiated."""

from __future__ import annotations

import numpy as np
import pytest

from engine import explain
from engine.backward import Backward, Reason
from explorer.program import Program
from tests.cases.asking import close, equal, expected, record_of, run, value

STOP = {"stop": "tf.stop_gradient", "identity": "tf.identity"}


def _run(text: str, stop: str = "stop") -> Program:
    return run(text.replace("STOP", STOP[stop]))


def _stops(backward: Backward) -> list[str]:
    """Return the names of the ops at which the gradient is stopped."""
    stopped = [cut.op for cut in backward.cuts if cut.reason is Reason.STOP_OP]
    return list(dict.fromkeys(op.type for op in stopped))


EXPECTATION_MAXIMISATION = """
x = const([[-1.0], [0.5], [2.0]])
mu = var([-0.5, 1.5])
lp = tf.math.log(const(0.5)) - 0.5 * tf.math.log(const(2 * np.pi)) - 0.5 * (x - mu) ** 2
R = tf.nn.softmax(lp)
Q = tf.reduce_sum(STOP(R) * lp)
loglik = tf.reduce_sum(tf.reduce_logsumexp(lp, axis=1))
of_loglik = tf.gradients(loglik, mu)[0]
of_Q = tf.gradients(Q, mu)[0]
"""


@pytest.mark.parametrize(("stop", "name"), [("stop", "stop"), ("identity", "nostop")])
def test_g6_001_responsibilities_are_constant_in_the_m_step(stop: str, name: str) -> None:
    right = expected("G6-001")
    program = _run(EXPECTATION_MAXIMISATION, stop)
    close(value(program, "Q"), right["Q"])
    close(value(program, "loglik"), right["loglik"])
    close(value(program, "of_Q"), right[name])
    close(value(program, "of_loglik"), right["loglik_grad"])
    record = record_of(program)
    if stop == "stop":
        (held,) = explain.held_back(record)
        close(held.amounts[0], np.subtract(right["nostop"], right["stop"]))
    else:
        assert _stops(record) == []


FAST_GRADIENT_SIGN = """
w = var([1.0, -2.0])
b = var(0.5)
x = const([0.3, 0.8])
def loss(inputs):
    z = tf.reduce_sum(w * inputs) + b
    return tf.math.softplus(z) - z
clean = loss(x)
g = tf.gradients(clean, x)[0]
xa = tf.stop_gradient(x + 0.1 * tf.sign(g))
J = (clean + loss(xa)) / 2
dw, db = tf.gradients(J, [w, b])
"""


def test_g6_003_an_adversarial_input_is_data() -> None:
    right = expected("G6-003")
    program = _run(FAST_GRADIENT_SIGN)
    for name in ("g", "J", "dw", "db"):
        close(value(program, name), right[name])
    close(value(program, "xa"), [0.2, 0.9])
    first, second = record_of(program, 0), record_of(program, 1)
    # The gradient of the first question is an ordinary part of the second one's graph.
    made = set(first.operations)
    (stop,) = {cut.op for cut in second.cuts if cut.reason is Reason.STOP_OP}
    behind, seen = [stop], set()
    while behind:
        op = behind.pop()
        seen.add(op)
        behind.extend(tensor.op for tensor in op.inputs)
    assert seen & made


VECTOR_QUANTISATION = """
ze = var([0.9, 0.2])
E = var([[1.0, 0.0], [0.0, 1.0]])
k = tf.argmin(tf.reduce_sum((E - ze) ** 2, axis=1))
e = tf.gather(E, k)
zq = ze + tf.stop_gradient(e - ze)
reconstruction = tf.reduce_sum((zq - const([1.0, 1.0])) ** 2)
codebook = tf.reduce_sum((tf.stop_gradient(ze) - e) ** 2)
commitment = 0.25 * tf.reduce_sum((ze - tf.stop_gradient(e)) ** 2)
L = reconstruction + codebook + commitment
of_losses = [tf.gradients(part, [ze, E]) for part in (reconstruction, codebook, commitment)]
dze, dE = tf.gradients(L, [ze, E])
dE = tf.convert_to_tensor(dE)
"""


def test_g6_005_three_losses_with_stops_in_opposite_directions() -> None:
    right = expected("G6-005")
    program = _run(VECTOR_QUANTISATION)
    equal(value(program, "k"), 0)
    equal(value(program, "zq"), [1.0, 0.0])
    for name in ("L", "dze", "dE"):
        close(value(program, name), right[name])
    of_losses = [explain.why(question.backward) for question in program.questions[:3]]
    to_ze = [verdicts[0].value for verdicts in of_losses]
    to_e = [verdicts[1].value for verdicts in of_losses]
    assert to_ze[1] is None
    assert to_e[0] is None and to_e[2] is None
    close(to_ze[0] + to_ze[2], right["dze"])
    close(to_e[1], right["dE"])
    # Reconstruction reaches the codebook's E by two ways, and both are cut.
    cuts = {(cut.op.type, cut.reason) for cut in of_losses[0][1].cuts}
    assert cuts == {("StopGradient", Reason.STOP_OP)}
    (argmin,) = [op for op in program.graph.operations if op.type == "ArgMin"]
    by_index = [cut for cut in program.questions[-1].backward.cuts if cut.tensor.op is argmin]
    assert {cut.reason for cut in by_index} == {Reason.INTEGER}


DEEP_Q = """
w = var([0.5, 0.2])
wt = var([0.4, 0.6])
q = w[0] * 2.0
y = TARGET
delta = tf.abs(q - y)
L = tf.where(delta < 1.0, 0.5 * delta ** 2, delta - 0.5)
dw, dwt = tf.gradients(L, [w, wt])
"""
TARGETS = {
    "a": "tf.stop_gradient(1.0 + 0.9 * tf.reduce_max(wt * 1.5))",
    "b": "tf.stop_gradient(1.0 + 0.9 * tf.reduce_max(w * 1.5))",
    "c": "1.0 + 0.9 * tf.reduce_max(w * 1.5)",
}


@pytest.mark.parametrize("variant", TARGETS)
def test_g6_006_the_target_of_q_learning_is_a_constant(variant: str) -> None:
    right = expected("G6-006")
    program = _run(DEEP_Q.replace("TARGET", TARGETS[variant]))
    loss, dw = right[variant]
    close(value(program, "L"), loss)
    close(value(program, "dw"), dw)
    of_w, of_wt = explain.why(record_of(program))
    assert of_wt.value is None
    assert of_wt.connected == (variant == "a")
    if variant == "b":
        held = {each.cut.op.type: each for each in explain.held_back(record_of(program))}
        close(held["StopGradient"].amounts[0], np.subtract(right["c"][1], right["b"][1]))
        # The condition of where() is a cut as well, one of which there is nothing to hold back.
        assert held["SelectV2"].cut.reason is Reason.INTEGER
        assert held["SelectV2"].amounts == (None, None)
    close(of_w.value, dw)


SIAMESE = """
x1 = const([[1.0], [0.5]])
x2 = const([[0.8], [-0.2]])
W = var([[1.0, 0.5], [0.0, 1.0]])
P = var([[1.0, 0.0], [0.3, 1.0]])
z1 = W @ x1
z2 = W @ x2
p1 = P @ z1
p2 = P @ z2
def cosine(a, b):
    return tf.reduce_sum(a * b) / (tf.norm(a) * tf.norm(b))
L = -0.5 * cosine(p1, STOP(z2)) - 0.5 * cosine(p2, STOP(z1))
dW, dP = tf.gradients(L, [W, P])
"""


@pytest.mark.parametrize(("stop", "name"), [("stop", "stop_dW"), ("identity", "nostop_dW")])
def test_g6_007_each_branch_is_once_a_frozen_target(stop: str, name: str) -> None:
    right = expected("G6-007")
    program = _run(SIAMESE, stop)
    close(value(program, "L"), right["L"])
    close(value(program, "dW"), right[name])
    close(value(program, "dP"), right["stop_dP"])
    record = record_of(program)
    for z in (program.names["z1"], program.names["z2"]):
        uses = [op.type for op, _ in z.consumers() if not op.role]
        assert sorted(uses) == sorted(["MatMul", "StopGradient" if stop == "stop" else "Identity"])
    if stop == "stop":
        held = [entry.amounts[0] for entry in explain.held_back(record)]
        close(sum(held), np.subtract(right["nostop_dW"], right["stop_dW"]))


REINFORCE = """
theta = var([0.2, -0.1, 0.4])
phi = var(0.5)
b = 2.0 * phi
L = -tf.nn.log_softmax(theta)[2] * STOP(1.5 - b) + 0.5 * (1.5 - b) ** 2
dtheta, dphi = tf.gradients(L, [theta, phi])
"""


@pytest.mark.parametrize(("stop", "name"), [("stop", "dphi_stop"), ("identity", "dphi_nostop")])
def test_g6_008_the_advantage_does_not_teach_the_critic(stop: str, name: str) -> None:
    right = expected("G6-008")
    program = _run(REINFORCE, stop)
    close(value(program, "L"), right["L"])
    close(value(program, "dtheta"), right["dtheta"])
    close(value(program, "dphi"), right[name])
    if stop == "stop":
        (held,) = explain.held_back(record_of(program))
        assert held.amounts[0] is None
        close(held.amounts[1], right["dphi_nostop"] - right["dphi_stop"])


GUMBEL = """
l = var([1.0, 0.5, -0.2])
g = const([0.3, -0.1, 0.7])
c = const([1.0, 2.0, 3.0])
y = tf.nn.softmax((l + g) / 0.5)
hard = tf.one_hot(tf.argmax(y), 3, dtype=tf.float64)
o = hard + y - tf.stop_gradient(y)
L = tf.reduce_sum(o * c)
soft = tf.reduce_sum(y * c)
of_soft = tf.gradients(soft, l)[0]
of_L = tf.gradients(L, l)[0]
"""


def test_g6_009_the_value_is_hard_and_the_gradient_soft() -> None:
    right = expected("G6-009")
    program = _run(GUMBEL)
    close(value(program, "o"), [1.0, 0.0, 0.0])
    close(value(program, "L"), right["L"])
    close(value(program, "soft"), right["soft"])
    close(value(program, "of_L"), right["grad"])
    close(value(program, "of_soft"), right["grad"])
    reasons = {held.cut.reason for held in explain.held_back(record_of(program))}
    assert reasons == {Reason.STOP_OP, Reason.INTEGER}
