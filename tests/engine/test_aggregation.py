"""How contributions become one gradient: the numbers are equal, the graphs are not."""

from __future__ import annotations

from typing import Any

import pytest

import engine as tf
from engine.errors import ArgumentError

METHOD = tf.AggregationMethod


def fan_out(count: int, method: Any = None) -> tf.Tensor:
    """Return the gradient of count copies of x summed, so of count contributions."""
    x = tf.constant(3.0, name="x")
    y = tf.add_n([tf.multiply(x, float(k), name=f"y{k}") for k in range(1, count + 1)])
    return tf.gradients(y, x, aggregation_method=method)[0]


def sums() -> list[str]:
    record = tf.get_default_graph().backwards[-1]
    return [op.name for op in record.operations if op.role == "accumulate"]


@pytest.mark.parametrize("method", [None, 0, 1, 2])
@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_every_method_gives_the_same_number(method: Any, count: int) -> None:
    assert fan_out(count, method).numpy() == count * (count + 1) / 2


@pytest.mark.parametrize("method", [None, 0, 1, 2])
def test_a_single_contribution_is_passed_on_as_it_is(method: Any) -> None:
    assert fan_out(1, method).op.name == "gradients/y1_grad/Mul"
    assert sums() == []


def test_the_default_is_one_addition() -> None:
    total = fan_out(4)
    assert total.op.type == "AddN"
    assert total.op.name == "gradients/AddN"
    assert len(total.op.inputs) == 4
    assert METHOD.DEFAULT == METHOD.ADD_N == 0


def test_a_tree_is_balanced() -> None:
    total = fan_out(5, METHOD.EXPERIMENTAL_TREE)
    assert sums() == [
        "gradients/x_gradient_sum/AddN",
        "gradients/x_gradient_sum/AddN_1",
        "gradients/x_gradient_sum/AddN_2",
        "gradients/x_gradient_sum/AddN_3",
    ]
    depths = {}
    for op in total.graph.backwards[-1].operations:
        inner = [depths.get(tensor.op, 0) for tensor in op.inputs]
        depths[op] = max(inner, default=0) + 1 if op.type == "AddN" else 0
        assert op.type != "AddN" or len(op.inputs) == 2
    assert depths[total.op] == 3


def test_accumulate_n_is_one_operation_when_shapes_are_static() -> None:
    total = fan_out(4, METHOD.EXPERIMENTAL_ACCUMULATE_N)
    assert total.op.type == "AccumulateNV2"
    assert total.op.name == "gradients/x_gradient_sum/AccumulateNV2"
    assert len(total.op.inputs) == 4


def test_accumulate_n_of_two_is_an_addition() -> None:
    assert fan_out(2, METHOD.EXPERIMENTAL_ACCUMULATE_N).op.name == "gradients/x_gradient_sum/AddN"


def test_accumulate_n_is_a_chain_when_shapes_are_unknown() -> None:
    x = tf.placeholder("float32", [None], name="x")
    y = tf.add_n([x * 1.0, x * 2.0, x * 3.0])
    (total,) = tf.gradients(y, x, aggregation_method=METHOD.EXPERIMENTAL_ACCUMULATE_N)
    assert total.op.type == "AddN"
    assert total.op.inputs[0].op.type == "AddN"
    assert len(sums()) == 2
    with tf.Session() as session:
        assert session.run(total, {x: [5.0, 7.0]}).tolist() == [6, 6]


@pytest.mark.parametrize("method", [7, -1, "ADD_N"])
def test_other_methods_are_refused(method: Any) -> None:
    with pytest.raises(
        ArgumentError,
        match=rf"Invalid `aggregation_method` specified {method}. Accepted values are \[0, 1, 2\]",
    ):
        fan_out(2, method)


def test_sums_of_an_operation_belong_to_it() -> None:
    total = fan_out(3)
    assert total.op.forward_op is not None
    assert total.op.forward_op.name == "x"


class TestIndexedSlices:
    def gather(self, x: Any, *rows: int) -> Any:
        return tf.gather(x, tf.constant(list(rows)))

    def test_one_stays_what_it_is(self) -> None:
        x = tf.constant([1.0, 2.0, 3.0])
        (gradient,) = tf.gradients(self.gather(x, 2, 2), x)
        assert isinstance(gradient, tf.IndexedSlices)
        assert gradient.indices.numpy().tolist() == [2, 2]
        assert gradient.numpy().tolist() == [0, 0, 2]

    def test_several_are_put_one_after_another(self) -> None:
        x = tf.constant([1.0, 2.0, 3.0])
        ys = [self.gather(x, 0, 2), self.gather(x, 2)]
        (gradient,) = tf.gradients(ys, x, grad_ys=[[1.0, 10.0], [100.0]])
        assert gradient.op.type == "ConcatV2"
        assert gradient.indices.numpy().tolist() == [0, 2, 2]
        assert gradient.values.numpy().tolist() == [1, 10, 100]
        assert gradient.numpy().tolist() == [1, 0, 110]

    def test_index_types_are_reconciled(self) -> None:
        x = tf.constant([1.0, 2.0, 3.0])
        other = tf.gather(x, tf.constant([1], "int64"))
        (gradient,) = tf.gradients([self.gather(x, 0), other], x)
        assert gradient.indices.dtype is tf.int64
        assert gradient.numpy().tolist() == [1, 1, 0]

    def test_with_a_dense_one_they_become_dense(self) -> None:
        x = tf.constant([1.0, 2.0, 3.0])
        (gradient,) = tf.gradients([self.gather(x, 1, 1), x * 5.0], x)
        assert type(gradient) is tf.Tensor
        assert gradient.op.type == "AddN"
        assert gradient.numpy().tolist() == [5, 7, 5]

    def test_an_ordinary_operation_makes_them_dense(self) -> None:
        x = tf.constant([1.0, 2.0, 3.0])
        (gradient,) = tf.gradients(self.gather(tf.square(x), 1, 1), x)
        assert type(gradient) is tf.Tensor
        assert gradient.numpy().tolist() == [0, 8, 0]

    def test_identity_passes_them_on(self) -> None:
        x = tf.constant([1.0, 2.0, 3.0])
        (gradient,) = tf.gradients(self.gather(tf.identity(x), 1), x)
        assert isinstance(gradient, tf.IndexedSlices)

    def test_without_a_shape_they_cannot_become_dense(self) -> None:
        slices = tf.IndexedSlices(tf.constant([1.0], name="rows"), tf.constant([0]))
        with pytest.raises(
            ArgumentError, match="IndexedSlices rows:0 cannot become a tensor: its dense_shape"
        ):
            slices.numpy()
        assert slices.shape == (None,)
