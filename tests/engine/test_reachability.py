"""Which operations lie between xs and ys, alone and as a tape saw them."""

from __future__ import annotations

import engine as tf
from engine.graph import Graph
from engine.reachability import between, crossable


def test_what_no_y_needs_is_left_out() -> None:
    with Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        y = tf.sin(x)
        beside = tf.cos(x)
        after = tf.exp(y)
        span = between([y], [x])
        assert span.reached == span.touched == span.above == {x.op, y.op}
        assert span.pending == {x.op: 1, y.op: 0}
        both = between([after, beside], [x])
        assert both.pending == {x.op: 2, y.op: 1, beside.op: 0, after.op: 0}


def test_an_integer_stops_what_is_reached_but_not_what_is_touched() -> None:
    with Graph().as_default():
        x = tf.placeholder(tf.float32, [])
        whole = tf.cast(x, tf.int32)
        y = tf.cast(whole, tf.float32)
        span = between([y], [x])
        assert span.reached == {x.op, whole.op}
        assert span.touched == {x.op, whole.op, y.op}


def test_a_tape_reaches_through_recorded_slots_alone() -> None:
    with Graph().as_default():
        x, w = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        y = x * w
        recorded = {y.op: (0,)}
        assert crossable(y.op, 0, recorded)
        assert not crossable(y.op, 1, recorded)
        assert not crossable(w.op, 0, recorded)
        assert crossable(w.op, 0, None)
        assert between([y], [x], recorded).reached == {x.op, y.op}
        assert between([y], [w], recorded).reached == {w.op}
        assert between([y], [w], recorded).touched == {w.op, y.op}
