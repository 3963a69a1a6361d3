"""Attention: weights by matching, masks, heads."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax

import engine as tf
from engine.errors import ArgumentError
from tests.sample_tables import spread

Q, K, V = spread(2, 3, 4), spread(2, 5, 4), spread(2, 5, 2)


def test_values_are_averaged_by_matching() -> None:
    weights = softmax(Q @ K.transpose(0, 2, 1) / 2, -1)
    found = tf.nn.attention(tf.constant(Q), K, V)
    np.testing.assert_allclose(found.numpy(), weights @ V, rtol=1e-12)
    assert found.name.startswith("attention/")


def test_a_masked_key_plays_no_part() -> None:
    mask = np.array([True, True, False, True, False])
    found = tf.nn.attention(tf.constant(Q), K, V, mask=mask)
    alone = tf.nn.attention(tf.constant(Q), K[:, mask], V[:, mask])
    np.testing.assert_allclose(found.numpy(), alone.numpy(), rtol=1e-12)
    nothing = tf.nn.attention(tf.constant(Q), K, V, mask=np.zeros(5, bool))
    np.testing.assert_allclose(nothing.numpy()[:, 0], V.mean(1), rtol=1e-12)


def test_one_head_that_projects_by_the_identity_is_plain_attention() -> None:
    x = spread(2, 3, 4)
    eye = np.eye(4)[:, None, :]
    found = tf.nn.multi_head_attention(
        tf.constant(x), x, x, [eye, eye, eye, eye.transpose(1, 0, 2)]
    )
    np.testing.assert_allclose(
        found.numpy(), tf.nn.attention(tf.constant(x), x, x).numpy(), rtol=1e-12
    )


def test_refusals() -> None:
    unknown = tf.placeholder(tf.float32)
    with pytest.raises(ArgumentError, match="needs a known depth"):
        tf.nn.attention(unknown, unknown, unknown)
    with pytest.raises(ArgumentError, match="kernels are four tensors"):
        tf.nn.multi_head_attention(tf.constant(Q), K, V, [Q])
