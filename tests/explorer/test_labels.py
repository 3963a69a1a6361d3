"""Numbers, names and widths as they appear in pictures."""

from __future__ import annotations

import numpy as np
import pytest

from explorer import labels


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (np.float32(0.1), "0.1"),
        (108.0, "108"),
        (1234567, "1234567"),
        (1234567.0, "1.23457e6"),
        (-1.5e-7, "-1.5e-7"),
        (-0.0, "0"),
        (np.float16(2), "2"),
        (np.int64(-3), "-3"),
        (True, "True"),
        (np.bool_(False), "False"),
        (float("nan"), "NaN"),
        (float("inf"), "inf"),
        (-float("inf"), "-inf"),
        (None, "None"),
        (1 + 2j, "1+2j"),
        (np.complex64(1 - 0.5j), "1-0.5j"),
        (b"ab", '"ab"'),
    ],
)
def test_number(item: object, text: str) -> None:
    assert labels.number(item) == text


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (np.float32(25), "25"),
        (np.array(7), "7"),
        (np.array([1.0, 2.0, 3.0]), "[1 2 3]"),
        (np.array([[1, 2], [3, 4]]), "[1 2; 3 4]"),
        (np.zeros((0, 3)), "[] (0×3)"),
        (np.arange(9), "[0 1 2 … 8] (9)"),
        (np.arange(24.0).reshape(2, 3, 4), "[0 1 2 … 23] (2×3×4)"),
        (np.array([np.nan, np.inf]), "[NaN inf]"),
        (np.array(b"x", dtype=object), '"x"'),
        (None, "None"),
    ],
)
def test_value(array: object, text: str) -> None:
    assert labels.value(array) == text


def test_a_long_array_stays_short() -> None:
    long = np.full(1000, -1.23456e-12)
    assert labels.columns(labels.value(long)) <= 40


def test_exact_keeps_every_digit() -> None:
    assert labels.exact(np.float64(0.1) + 0.2) == "0.30000000000000004"


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("loss", 10, "loss"),
        ("transformer/layer_7/query", 11, "trans…query"),
        ("隐藏层的权重矩阵", 9, "隐藏…矩阵"),
        ("abc", 1, "…"),
    ],
)
def test_shorten(text: str, limit: int, short: str) -> None:
    assert labels.shorten(text, limit) == short
    assert labels.columns(short) <= limit


def test_wide_characters_take_two_columns_and_bars_none() -> None:
    assert labels.columns("权w\u0304") == 3


def test_widths_follow_the_helvetica_metrics() -> None:
    assert labels.text_width("ii", 10) == pytest.approx(4.44)
    assert labels.text_width("W", 10) == pytest.approx(9.44)
    assert labels.text_width("权", 10) >= 10
    assert labels.text_width("h\u0304", 10) == labels.text_width("h", 10)
    assert labels.text_width("h", 10, bold=True) > labels.text_width("h", 10)


@pytest.mark.parametrize("character", ["\x00", "\x1b", "\ud800", "\u202e", "\ufffe", "\U0001ffff"])
def test_characters_that_would_break_a_picture_are_replaced(character: str) -> None:
    assert labels.printable(f"a{character}b") == "a\ufffdb"


def test_a_gradient_is_named_by_a_bar_where_a_bar_fits() -> None:
    assert labels.adjoint("x") == "x\u0304"
    assert labels.adjoint("loss") == "gradient of loss"
