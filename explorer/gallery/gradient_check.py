"""Theoretical against numeric gradient.

Two Jacobians of the same function, one by the chain rule and one by differences, must agree.
"""

import numpy as np

import engine as tf

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [2, 3], name="x")
y = tf.reduce_sum(tf.square(x), axis=1)  # one number per row

start = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], dtype=np.float32)

with tf.Session() as sess:
    # Rows: the six elements of x. Columns: the two elements of y.
    theoretical, numeric = tf.test.compute_gradient(
        x, [2, 3], y, [2], x_init_value=start, delta=1e-3
    )
    print(theoretical)
    print(numeric)
    print("largest difference below 1e-3:", np.max(np.abs(theoretical - numeric)) < 1e-3)

    # The gradient sums over y, so each x keeps the one entry of its row.
    dy_dx = tf.gradients(y, x)
    print(sess.run(dy_dx, {x: start}))
