"""Ties and corners.

Where no derivative exists a convention answers: 0 for abs and relu, 1 and 0 or halves at a tie.
"""

import engine as tf

x = tf.Variable(0.0, name="x")
a = tf.Variable(2.0, name="a")
b = tf.Variable(2.0, name="b")
v = tf.Variable([0.6, 0.6, 0.3], name="v")

with tf.GradientTape(persistent=True) as tape:
    corner = tf.abs(x)
    kink = tf.nn.relu(x)
    zero = tf.maximum(x, 0.0)  # the same function as relu, by another op
    tie = tf.maximum(a, b)
    top = tf.reduce_max(v)

print("abs at 0:", tape.gradient(corner, x).numpy())
print("relu at 0:", tape.gradient(kink, x).numpy())
print("maximum(x, 0) at 0:", tape.gradient(zero, x).numpy())
print("maximum of equals:", [g.numpy() for g in tape.gradient(tie, [a, b])])
print("reduce_max of equals:", tape.gradient(top, v).numpy())
