"""How Python and NumPy values become tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.convert import static_value, to_array, to_tensor
from engine.dtypes import as_dtype
from engine.errors import ArgumentError, ArgumentTypeError, DTypeError, GraphError
from engine.shapes import TensorShape


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (1.5, "float32"),
        (1, "int32"),
        (2**40, "int64"),
        (True, "bool"),
        (1j, "complex128"),
        ("a", "string"),
        ([1, 2.5], "float32"),
        ([], "float32"),
        ([[1], [2]], "int32"),
        (np.float64(1.5), "float64"),
        (np.int64(1), "int64"),
        (np.array([1.5]), "float64"),
        ([np.float64(1.5)], "float64"),
        (TensorShape([2, 3]), "int32"),
    ],
)
def test_natural_types(value: Any, name: str) -> None:
    assert tf.constant(value).dtype.name == name


@pytest.mark.parametrize(
    ("value", "hint", "name"),
    [
        (1, "float64", "float64"),
        (1.5, "float64", "float64"),
        (1.5, "int32", "float32"),
        (1, "complex64", "complex64"),
        (True, "float32", "bool"),
        (1.5, "complex128", "complex128"),
        (1j, "float32", "complex128"),
    ],
)
def test_a_hint_is_followed_if_no_kind_of_information_is_lost(
    value: Any, hint: str, name: str
) -> None:
    assert to_array(value, hint=as_dtype(hint)).dtype.name == name


@pytest.mark.parametrize(
    ("value", "dtype", "message"),
    [
        (1.5, "int32", "cannot make a int32 tensor of 1.5, which is float32; use tf.cast"),
        (1j, "float32", "cannot make a float32 tensor"),
        (300, "uint8", "300 does not fit into uint8"),
        (-1, "uint8", "-1 does not fit into uint8"),
        (2**70, "int64", "does not fit into int64"),
        ("a", "float32", "which is string"),
        (True, "int32", "which is bool"),
    ],
)
def test_a_type_that_does_not_fit_is_refused(value: Any, dtype: str, message: str) -> None:
    with pytest.raises(DTypeError, match=message):
        tf.constant(value, dtype=dtype)


def test_what_is_no_value_is_refused() -> None:
    with pytest.raises(ArgumentError, match="None values not supported"):
        tf.constant(None)
    with pytest.raises(ArgumentError, match=r"rows of equal length \(got \[\[1\], \[1, 2\]\]\)"):
        tf.constant([[1], [1, 2]])
    with pytest.raises(ArgumentTypeError, match=r"cannot make a tensor of .* of type object"):
        tf.constant(object())
    with pytest.raises(ArgumentTypeError, match="operation 'NoOp' is not a tensor"):
        tf.convert_to_tensor(tf.no_op())


def test_a_constant_does_not_share_the_caller_s_array() -> None:
    array = np.ones(2)
    x = tf.constant(array)
    array[0] = 7
    assert x.numpy().tolist() == [1, 1]
    with pytest.raises(ValueError, match="read-only"):
        x.op.attrs["value"][0] = 3


def test_shape_of_a_constant() -> None:
    assert tf.constant(2.0, shape=[2, 2]).numpy().tolist() == [[2, 2], [2, 2]]
    assert tf.constant([1, 2, 3, 4], shape=[2, 2]).numpy().tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ArgumentError, match=r"3 values do not fill the shape \(2, 2\)"):
        tf.constant([1, 2, 3], shape=[2, 2])


def test_numbers_take_the_type_of_the_tensor_beside_them() -> None:
    x = tf.constant(2.0, dtype="float64")
    assert (x * 3).dtype is tf.float64
    assert (3.5 - x).dtype is tf.float64
    with pytest.raises(DTypeError, match=r"Mul: input 1 has type float32 .* match type int32"):
        tf.constant(2) * 1.5
    with pytest.raises(DTypeError, match="does not match type float64"):
        x * tf.constant(1.0)


def test_an_array_keeps_its_type() -> None:
    with pytest.raises(DTypeError, match="does not match"):
        tf.constant(np.ones(2)) * tf.constant(np.ones(2, np.float32))


def test_lists_of_tensors_are_packed(graph: tf.Graph) -> None:
    x = tf.constant(2.0)
    packed = to_tensor([x, 3.0, x], graph)
    assert packed.op.type == "Pack"
    assert packed.numpy().tolist() == [2, 3, 2]
    assert tf.convert_to_tensor([[x, 1.0], [2.0, x]]).numpy().tolist() == [[2, 1], [2, 2]]


def test_a_tensor_of_another_graph_is_refused(graph: tf.Graph) -> None:
    with tf.Graph().as_default():
        foreign = tf.constant(1.0, name="far")
    with pytest.raises(GraphError, match="far:0 must be from the same graph"):
        to_tensor(foreign, graph)
    with pytest.raises(GraphError, match="must be from the same graph"):
        tf.constant(1.0) + foreign


def test_convert_to_tensor() -> None:
    x = tf.constant(1.0)
    assert tf.convert_to_tensor(x) is x
    assert tf.convert_to_tensor(1, dtype="float64").dtype is tf.float64
    assert tf.convert_to_tensor(1, dtype_hint="float16").dtype is tf.float16
    with pytest.raises(DTypeError, match="expected float64 but Const:0 is float32"):
        tf.convert_to_tensor(x, dtype="float64")


def test_static_value() -> None:
    x = tf.placeholder("float32", [2, 3])
    assert static_value(tf.constant([1, 2])).tolist() == [1, 2]
    assert static_value(tf.shape(x)).tolist() == [2, 3]
    assert static_value(x) is None
    assert static_value(tf.shape(tf.placeholder("float32", [None]))) is None
