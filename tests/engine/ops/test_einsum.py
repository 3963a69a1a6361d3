"""Einsum: equations, values beside NumPy's, refusals, and gradients that are einsums."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError, ArgumentTypeError, ShapeError
from engine.ops.einsum import parse
from tests.sample_tables import spread


@pytest.mark.parametrize(
    ("equation", "full"),
    [
        ("ij,jk", "ij,jk->ik"),
        ("ba", "ba->ab"),
        ("ii", "ii->"),
        ("...b,ba", "...b,ba->...a"),
        (" i j -> j i ", "ij->ji"),
    ],
)
def test_an_equation_without_output_keeps_the_letters_that_occur_once(
    equation: str, full: str
) -> None:
    assert str(parse(equation)) == full


@pytest.mark.parametrize("equation", ["i.j->i", "i1", "......i", "ij->k", "i->i...j"])
def test_nonsense_is_refused(equation: str) -> None:
    with pytest.raises(ArgumentError, match="einsum"):
        parse(equation)


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 2)]),
        ("...ij,...kj->...ik", [(2, 2, 3), (4, 3)]),
        ("ijk->kj", [(2, 3, 4)]),
        ("bi,bj->bij", [(2, 3), (2, 2)]),
    ],
)
def test_values_are_those_of_numpy(equation: str, shapes: list[tuple[int, ...]]) -> None:
    arrays = [spread(*shape, seed=seed) for seed, shape in enumerate(shapes)]
    result = tf.einsum(equation, *map(tf.constant, arrays))
    expected = np.einsum(equation, *arrays)
    assert result.shape == expected.shape
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-12)


def test_a_repeated_output_index_is_a_diagonal() -> None:
    assert tf.einsum("i->ii", tf.constant([1.0, 2.0])).numpy().tolist() == [[1, 0], [0, 2]]


def test_the_ellipsis_is_summed_when_the_output_has_none() -> None:
    x = tf.constant(np.arange(6.0).reshape(2, 3))
    assert tf.einsum("...i->i", x).numpy().tolist() == [3, 5, 7]


def test_a_gradient_is_an_einsum() -> None:
    a, b = tf.constant(spread(2, 3)), tf.constant(spread(3, 2))
    (gradient,) = tf.gradients(tf.einsum("ij,jk->ik", a, b), a)
    assert gradient.op.type == "Einsum"
    assert gradient.op.attrs["equation"] == "ik,jk->ij"


def test_sizes_that_differ_are_named() -> None:
    with pytest.raises(ShapeError, match=r"Einsum: axis 'j' has size 3 and size 2"):
        tf.einsum("ij,jk->ik", tf.zeros([2, 3]), tf.zeros([2, 2]))
    with pytest.raises(ShapeError, match=r"'ij' does not name the axes of a tensor of rank 3"):
        tf.einsum("ij->ji", tf.zeros([2, 3, 4]))
    with pytest.raises(ShapeError, match=r"is for 2 tensors, not 1"):
        tf.einsum("i,i->i", tf.zeros([2]))
    with pytest.raises(ArgumentTypeError, match="an einsum equation is a string"):
        tf.einsum(tf.zeros([2]), "i->i")


def test_sizes_that_differ_at_run_time_are_named() -> None:
    x = tf.placeholder(tf.float32)
    product = tf.einsum("ij,jk->ik", x, tf.zeros([2, 2]))
    with tf.Session() as session, pytest.raises(ShapeError, match=r"Einsum.*axis 'j'"):
        session.run(product, {x: np.zeros((2, 3))})


def test_operations_stand_in_a_scope() -> None:
    assert tf.einsum("i->", tf.constant([1.0]), name="total").name == "total/Einsum:0"
