"""The harness notices what is wrong: each test spoils one thing and expects a failure."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.indexed_slices import IndexedSlicesValue
from tests.oracle import __main__ as command
from tests.oracle import verdict
from tests.oracle.compare import compare, compare_arrays
from tests.oracle.reading import read_array, read_cases
from tests.oracle.replay import Answer
from tests.oracle.structure import part_of

FILE = Path(__file__).with_name("tensorflow.json")
ENTRIES = {entry["name"]: entry for entry in json.loads(FILE.read_text(encoding="utf-8"))["cases"]}


def run(tmp_path: Path, *entries: Any) -> int:
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"cases": entries}), encoding="utf-8")
    return command.main([str(path)])


def spoiled(name: str, change: Callable[[Any], Any]) -> Any:
    entry = copy.deepcopy(ENTRIES[name])
    change(entry["expect"])
    return entry


def test_passes_what_is_right_and_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, ENTRIES["engine/y_is_x"], ENTRIES["naming/two_calls"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 passed, 0 failed"


def set_value(expect: Any) -> None:
    expect["grads"][0]["value"]["data"][0] *= 1 + 1e-3


def set_y_value(expect: Any) -> None:
    expect["y_values"][0]["data"][0] *= 1 + 1e-3


def set_dtype(expect: Any) -> None:
    expect["grads"][0]["value"]["dtype"] = "float64"


def set_shape(expect: Any) -> None:
    expect["grads"][0]["value"]["shape"] = [1]


def drop_gradient(expect: Any) -> None:
    expect["grads"][0] = {"kind": "none"}


def drop_entry(expect: Any) -> None:
    del expect["grads"][0]


def other_scope(expect: Any) -> None:
    for op in expect["new_ops"]:
        op["name"] = op["name"].replace("Sin_grad", "Cos_grad")
        op["inputs"] = [name.replace("Sin_grad", "Cos_grad") for name in op["inputs"]]


def other_order(expect: Any) -> None:
    (total,) = (op for op in expect["new_ops"] if op["name"] == "gradients/AddN_1")
    total["inputs"].reverse()


def fewer_terms(expect: Any) -> None:
    (total,) = (op for op in expect["new_ops"] if op["name"] == "gradients/AddN_1")
    total["inputs"].pop()


def other_result(expect: Any) -> None:
    expect["grad_names"].reverse()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (set_value, "grads[0]"),
        (set_y_value, "y_values[0]"),
        (set_dtype, "grads[0].dtype"),
        (set_shape, "grads[0].shape"),
        (drop_gradient, "grads[0].kind"),
        (drop_entry, "grads"),
        (other_scope, "graph parts"),
        (other_order, "graph sums"),
        (fewer_terms, "graph sums"),
        (other_result, "graph results"),
    ],
)
def test_fails_on_a_spoiled_answer(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Any], Any],
    complaint: str,
) -> None:
    entry = spoiled("aggregation/order_is_arrival_order", change)
    assert run(tmp_path, entry) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "FAILED aggregation/order_is_arrival_order"
    assert complaint in [line.strip() for line in printed]
    assert any(line.strip().startswith("expected ") for line in printed)
    assert any(line.strip().startswith("got ") for line in printed)
    assert printed[-1] == "0 passed, 1 failed"


def test_fails_when_terms_of_a_tree_change(tmp_path: Path) -> None:
    name = "aggregation/EXPERIMENTAL_TREE_4"

    def drop_term(expect: Any) -> None:
        (total,) = (op for op in expect["new_ops"] if op["name"].endswith("_sum/AddN"))
        total["inputs"].pop()

    assert run(tmp_path, ENTRIES[name]) == 0
    assert run(tmp_path, spoiled(name, drop_term)) == 1


def test_fails_on_another_kind_of_gradient(tmp_path: Path) -> None:
    name = "GatherV2/axis0_2d_indices"
    entry = copy.deepcopy(ENTRIES[name])
    gradient = entry["expect"]["grads"][0]
    entry["expect"]["grads"][0] = {"kind": "dense", "value": gradient["dense"]}
    assert run(tmp_path, ENTRIES[name]) == 0
    assert run(tmp_path, entry) == 1


def test_fails_on_another_error(tmp_path: Path) -> None:
    def other_family(expect: Any) -> None:
        expect["error"]["type"] = "TypeError"

    def other_thing(expect: Any) -> None:
        expect["error"]["message"] = "Length mismatch. Passed 2 aggregation_method for 1 ys"

    def a_value(expect: Any) -> None:
        del expect["error"]
        expect["y_values"] = []

    name = "grad_ys/length_mismatch"
    assert run(tmp_path, ENTRIES[name]) == 0
    for change in (other_family, other_thing, a_value):
        assert run(tmp_path, spoiled(name, change)) == 1


def test_fails_when_nothing_is_raised(tmp_path: Path) -> None:
    entry = copy.deepcopy(ENTRIES["engine/y_is_x"])
    entry["expect"] = {"error": {"type": "ValueError", "message": "x"}}
    assert run(tmp_path, entry) == 1
    assert run(tmp_path, {**entry, "may_fail": True}) == 0


def unknown_op(op: str) -> Any:
    entry = copy.deepcopy(ENTRIES["naming/two_calls"])
    entry["ops"][0]["op"] = op
    return entry


def test_a_missing_op_type_fails_unless_it_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "listed_op_types", lambda: ("Listed",))
    assert run(tmp_path, unknown_op("Listed")) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "0 passed, 0 failed"
    assert run(tmp_path, unknown_op("NotListed")) == 1
    assert "no op type NotListed" in capsys.readouterr().out


def test_a_listed_op_type_that_exists_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "listed_op_types", lambda: ("Mul", "tf.square"))
    assert run(tmp_path, ENTRIES["engine/y_is_x"]) == 1
    assert "the engine has Mul, tf.square" in capsys.readouterr().out


def test_the_list_ignores_comments(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# why\nConv9D\n\ntf.linalg.svdd # soon\n", encoding="utf-8")
    assert verdict.listed_op_types(path) == ("Conv9D", "tf.linalg.svdd")


def test_refuses_unknown_keys_and_repeated_names(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    entry = ENTRIES["engine/y_is_x"]
    path.write_text(json.dumps({"cases": [{**entry, "surprise": 1}]}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"engine/y_is_x: unknown keys \['surprise'\]"):
        read_cases(path)
    with pytest.raises(SystemExit):
        command.main([str(path)])
    with pytest.raises(SystemExit):
        command.main([str(tmp_path / "nowhere.json")])
    path.write_text(json.dumps({"cases": [entry, entry]}), encoding="utf-8")
    with pytest.raises(ValueError, match="several cases are named"):
        read_cases(path)


def test_reads_infinities_nan_and_complex_numbers() -> None:
    array = read_array({"dtype": "float32", "shape": [1, 3], "data": ["inf", "-inf", "nan"]})
    assert array.dtype == np.float32
    assert array.shape == (1, 3)
    assert np.array_equal(array, [[np.inf, -np.inf, np.nan]], equal_nan=True)
    pair = read_array({"dtype": "complex128", "shape": [], "data": [[1.0, "-inf"]]})
    assert pair.real == 1
    assert pair.imag == -np.inf


@pytest.mark.parametrize(
    ("want", "got", "same"),
    [
        (1.0, 1.0 + 5e-10, True),
        (1.0, 1.0 + 5e-9, False),
        (np.float32(1), np.float32(1 + 5e-5), True),
        (np.float32(1), np.float32(1 + 5e-4), False),
        (np.nan, np.nan, True),
        (np.inf, np.inf, True),
        (np.inf, -np.inf, False),
        (np.nan, 0.0, False),
        (0.0, np.nan, False),
        (0.0, -0.0, True),
        (1 + 0j, 1 + 1e-10j, True),
        (1 + 0j, 1 + 1e-8j, False),
        (complex(np.nan, 1), complex(np.nan, 1), True),
        (complex(np.nan, 1), complex(1, np.nan), False),
        (complex(np.inf, 1), complex(-np.inf, 1), False),
        (np.int32(3), np.int32(4), False),
        (True, True, True),
    ],
)
def test_tolerances(want: Any, got: Any, same: bool) -> None:
    assert (compare_arrays("v", np.asarray(want), np.asarray(got)) == []) is same


def test_small_entries_are_measured_by_the_largest() -> None:
    want = np.array([1e6, 0.0])
    assert compare_arrays("v", want, np.array([1e6, 5e-4])) == []
    assert compare_arrays("v", want, np.array([1e6, 5e-3])) != []


def test_special_functions_and_numerical_jacobians_are_looser() -> None:
    want, got = np.array([1.0]), np.array([1.0 + 5e-7])
    assert compare_arrays("v", want, got, special=True) == []
    assert compare_arrays("v", want, got) != []
    assert compare_arrays("v", want, np.array([1.0 + 9e-4]), numerical=True) == []
    assert compare_arrays("v", want, np.array([1.0 + 2e-3]), numerical=True) != []


def test_indexed_slices_are_compared_after_summing_duplicates() -> None:
    (case,) = (case for case in read_cases(FILE) if case.name == "tape/gather_indexed_slices")
    y_values = case.expected.y_values
    shape = np.array([3], np.int32)

    def answer(values: list[float], indices: list[int]) -> Answer:
        return Answer(y_values, (IndexedSlicesValue(np.array(values), np.array(indices), shape),))

    assert compare(case, answer([1.0, 2.0], [2, 0])) == []
    swapped = [difference.what for difference in compare(case, answer([2.0, 1.0], [2, 0]))]
    assert swapped == ["grads[0].values", "grads[0].dense"]
    assert [d.what for d in compare(case, answer([1.0, 2.0], [1, 0]))] == ["grads[0].indices"]


def test_parts_of_names() -> None:
    assert part_of("gradients/fc/Mul_grad/tuple/group_deps") == "gradients/fc/Mul_grad"
    assert part_of("gradients/Mul_gradient_sum/AddN_2") == "gradients/Mul_gradient_sum"
    assert part_of("gradients/grad_ys_0") == "gradients/grad_ys_0"
