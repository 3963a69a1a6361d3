"""Order of execution.

A dotted edge makes the update run before the read; gating makes both gradients wait together.
"""

import engine as tf

tf.disable_v2_behavior()

a = tf.constant(5.0, name="a")
w = tf.Variable(2.0, name="w")

update = tf.assign_add(w, 1.0, name="update")
with tf.control_dependencies([update]):
    v = w.read_value()  # always after the update
y = a * v

# The product gives two gradients; with gating neither is used before both are there.
gated = tf.gradients(y, [a, v], gate_gradients=True)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("y =", sess.run(y))  # 5 * (2 + 1)
    print("w =", sess.run(w))
    print("dy/da, dy/dv =", sess.run(gated))  # reading v counts up again
