"""Element types."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import engine as tf
from engine.dtypes import as_dtype
from engine.errors import DTypeError


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("float32", "float32"),
        ("half", "float16"),
        ("double", "float64"),
        (float, "float32"),
        (int, "int32"),
        (bool, "bool"),
        (complex, "complex128"),
        (str, "string"),
        (bytes, "string"),
        (np.float64, "float64"),
        (np.dtype("int8"), "int8"),
        (np.array([1j], np.complex64).dtype, "complex64"),
        (tf.uint8, "uint8"),
    ],
)
def test_as_dtype(given: object, name: str) -> None:
    assert as_dtype(given).name == name
    assert as_dtype(given) is as_dtype(name)


@pytest.mark.parametrize("given", ["float8", object(), np.dtype("datetime64[s]"), None, 3])
def test_unknown_types_are_named(given: object) -> None:
    with pytest.raises(DTypeError, match=r"no element type .*; the types are float16, float32"):
        as_dtype(given)


def test_only_floating_types_are_trainable() -> None:
    names = [
        *("float16", "float32", "float64", "complex64", "complex128"),
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("bool", "string"),
    ]
    assert [name for name in names if as_dtype(name).is_trainable] == names[:5]


def test_questions() -> None:
    assert tf.float16.is_floating
    assert not tf.complex64.is_floating
    assert tf.complex64.is_complex
    assert tf.uint8.is_integer
    assert not tf.bool.is_integer
    assert tf.bool.is_bool
    assert tf.complex128.real_dtype is tf.float64
    assert tf.float32.real_dtype is tf.float32
    assert tf.int8.max == 127
    assert tf.uint8.min == 0
    assert tf.float16.max == 65504


def test_equality_with_what_numpy_and_python_call_it() -> None:
    assert tf.float32 == np.float32
    assert tf.float32 == "float32"
    assert tf.float64 != tf.float32
    assert (tf.float32 == None) is False  # noqa: E711 - what a reader may write
    assert tf.float32 != "no such type"
    assert hash(tf.float32) == hash(as_dtype("float32"))


def test_numpy_takes_it() -> None:
    assert np.zeros(2, tf.float16.as_numpy_dtype).dtype == np.float16
    assert np.zeros(2, tf.int64).dtype == np.int64


def test_pickles_to_itself() -> None:
    assert pickle.loads(pickle.dumps(tf.float32)) is tf.float32


def test_prints_as_in_tensorflow() -> None:
    assert repr(tf.float32) == "tf.float32"
    assert str(tf.float32) == "<dtype: 'float32'>"
