"""Convolutions: values beside SciPy's, windows, data formats, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.signal import correlate

import engine as tf
from engine.errors import ArgumentError, ArgumentTypeError, ShapeError
from tests.sample_tables import spread

IMAGE = spread(2, 5, 6, 2)
FILTERS = spread(3, 2, 2, 3)


def _expected(image: Any, filters: Any, mode: str = "valid") -> Any:
    """Correlate channel by channel with SciPy."""
    return np.stack(
        [
            [
                sum(
                    correlate(image[n, ..., c], filters[..., c, k], mode)
                    for c in range(image.shape[-1])
                )
                for k in range(filters.shape[-1])
            ]
            for n in range(len(image))
        ]
    ).transpose(0, *range(2, image.ndim), 1)


def test_values_are_those_of_scipy() -> None:
    result = tf.nn.conv2d(tf.constant(IMAGE), tf.constant(FILTERS), 1, "VALID")
    np.testing.assert_allclose(result.numpy(), _expected(IMAGE, FILTERS), rtol=1e-12)
    volume, cubes = spread(1, 3, 4, 3, 2), spread(2, 2, 2, 2, 2)
    result = tf.nn.conv3d(tf.constant(volume), tf.constant(cubes), [1] * 5, "VALID")
    np.testing.assert_allclose(result.numpy(), _expected(volume, cubes), rtol=1e-12)


def test_strides_pick_every_other_window() -> None:
    every = tf.nn.conv2d(tf.constant(IMAGE), tf.constant(FILTERS), 1, "VALID").numpy()
    some = tf.nn.conv2d(tf.constant(IMAGE), tf.constant(FILTERS), [2, 3], "VALID").numpy()
    np.testing.assert_allclose(some, every[:, ::2, ::3], rtol=1e-12)


def test_same_padding_adds_the_odd_cell_at_the_end() -> None:
    padded = np.pad(IMAGE, ((0, 0), (1, 1), (0, 1), (0, 0)))
    result = tf.nn.conv2d(tf.constant(IMAGE), tf.constant(FILTERS), 1, "SAME")
    assert result.shape == (2, 5, 6, 3)
    np.testing.assert_allclose(result.numpy(), _expected(padded, FILTERS), rtol=1e-12)
    explicit = tf.nn.conv2d(tf.constant(IMAGE), tf.constant(FILTERS), 1, [(1, 1), (0, 1)])
    np.testing.assert_allclose(explicit.numpy(), result.numpy(), rtol=1e-12)


def test_dilation_is_a_filter_with_holes() -> None:
    wide = np.zeros((5, 2, 2, 3))
    wide[::2] = FILTERS
    result = tf.nn.conv2d(tf.constant(IMAGE), tf.constant(FILTERS), 1, "VALID", dilations=(2, 1))
    np.testing.assert_allclose(result.numpy(), _expected(IMAGE, wide), rtol=1e-12)


def test_channels_may_come_first() -> None:
    first = tf.constant(IMAGE.transpose(0, 3, 1, 2))
    result = tf.nn.conv2d(first, tf.constant(FILTERS), (1, 1, 2, 1), "SAME", "NCHW")
    last = tf.nn.conv2d(tf.constant(IMAGE), tf.constant(FILTERS), (2, 1), "SAME")
    np.testing.assert_allclose(result.numpy().transpose(0, 2, 3, 1), last.numpy(), rtol=1e-12)


def test_depthwise_gives_each_channel_its_own_filters() -> None:
    filters = spread(2, 2, 2, 3)
    result = tf.nn.depthwise_conv2d(
        tf.constant(IMAGE), tf.constant(filters), [1, 1, 1, 1], "VALID"
    ).numpy()
    for channel in range(2):
        alone = _expected(IMAGE[..., channel : channel + 1], filters[:, :, channel : channel + 1])
        np.testing.assert_allclose(result[..., 3 * channel : 3 * channel + 3], alone, rtol=1e-12)


def test_one_dimension_is_an_image_of_height_one() -> None:
    sequence, filters = spread(2, 6, 2), spread(3, 2, 4)
    result = tf.nn.conv1d(tf.constant(sequence), tf.constant(filters), 1, "VALID")
    np.testing.assert_allclose(result.numpy(), _expected(sequence, filters), rtol=1e-12)
    assert "Conv2D" in {op.type for op in tf.get_default_graph().operations}
    general = tf.nn.convolution(tf.constant(sequence), tf.constant(filters))
    np.testing.assert_allclose(general.numpy(), result.numpy(), rtol=1e-12)


def test_the_transposed_convolution_is_the_gradient() -> None:
    x, w = tf.constant(IMAGE), tf.constant(FILTERS)
    y = tf.nn.conv2d(x, w, 2, "SAME")
    upstream = tf.constant(spread(*y.shape))
    (gradient,) = tf.gradients(y, x, upstream)
    transposed = tf.nn.conv2d_transpose(upstream, w, IMAGE.shape, 2, "SAME")
    np.testing.assert_allclose(transposed.numpy(), gradient.numpy(), rtol=1e-12)
    running = tf.nn.conv2d_transpose(upstream, w, tf.shape(x), 2, "SAME")
    np.testing.assert_allclose(running.numpy(), gradient.numpy(), rtol=1e-12)


def test_separable_convolution_mixes_channels_at_each_point() -> None:
    depthwise, pointwise = spread(2, 2, 2, 2), spread(1, 1, 4, 3)
    whole = np.einsum("ijcm,cmk->ijck", depthwise, pointwise.reshape(2, 2, 3))
    result = tf.nn.separable_conv2d(
        tf.constant(IMAGE), tf.constant(depthwise), tf.constant(pointwise)
    )
    np.testing.assert_allclose(result.numpy(), _expected(IMAGE, whole), rtol=1e-10)


def test_half_precision_sums_in_single() -> None:
    ones = np.ones((1, 70, 70, 1), np.float16)
    total = tf.nn.conv2d(tf.constant(ones), tf.constant(ones.reshape(70, 70, 1, 1)))
    assert total.dtype == tf.float16
    assert total.numpy().item() == 4900


def test_what_does_not_fit_is_named() -> None:
    image, filters = tf.zeros([1, 4, 4, 2]), tf.zeros([2, 2, 3, 1])
    with pytest.raises(ShapeError, match=r"Conv2D: the input has 2 channels .* 3 of them .*zeros"):
        tf.nn.conv2d(image, filters)
    with pytest.raises(ShapeError, match=r"extent 5 does not fit into size 4"):
        tf.nn.conv2d(image, tf.zeros([5, 2, 2, 1]), 1, "VALID")
    with pytest.raises(ShapeError, match="must be 1 along batch and channels"):
        tf.nn.conv2d(image, tf.zeros([2, 2, 2, 1]), [2, 1, 1, 1])
    with pytest.raises(ShapeError, match="the input must have 4 axes"):
        tf.nn.conv2d(tf.zeros([4, 4]), tf.zeros([2, 2, 2, 1]))
    with pytest.raises(ArgumentError, match="padding is 'SAME' or 'VALID'"):
        tf.nn.conv2d(image, tf.zeros([2, 2, 2, 1]), 1, "FULL")
    with pytest.raises(ArgumentError, match="data_format is 'NHWC' or 'NCHW'"):
        tf.nn.conv2d(image, tf.zeros([2, 2, 2, 1]), 1, "SAME", "HWC")
    with pytest.raises(ArgumentError, match="strides has 1, 2 or 4 entries"):
        tf.nn.conv2d(image, tf.zeros([2, 2, 2, 1]), [1, 1, 1])
    with pytest.raises(ArgumentTypeError, match="a convolution needs filters"):
        tf.nn.conv2d(image)
    with pytest.raises(ArgumentTypeError, match="needs output_shape"):
        tf.nn.conv2d_transpose(image, filters)
