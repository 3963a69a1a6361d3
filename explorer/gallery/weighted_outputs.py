"""All parameters of gradients.

Several ys are summed, and grad_ys says with which weight each of them starts: 10*1 + 1*2.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.constant(3.0, name="x")
y = 2.0 * x

weighted = tf.gradients(
    ys=[x, y],
    xs=[x],
    grad_ys=[10.0, 1.0],
    name="weighted",
    colocate_gradients_with_ops=False,
    gate_gradients=False,
    aggregation_method=tf.AggregationMethod.DEFAULT,
    stop_gradients=None,
)
summed = tf.gradients([x, y], [x])  # without grad_ys every y starts with 1

with tf.Session() as sess:
    print("weighted:", sess.run(weighted))
    print("summed:", sess.run(summed))
