"""Adversarial training.

The example made from the gradient is stopped: the weight learns from it, not from its making.
"""

import engine as tf

tf.disable_v2_behavior()

w = tf.constant(2.0, name="w")
x = tf.constant(1.0, name="x")
target = tf.constant(1.0, name="target")

loss = tf.square(w * x - target)
uphill = tf.gradients(loss, x)[0]  # 2 * (wx - target) * w = 4
example = x + 0.1 * uphill  # 1.4, where the loss is larger

hard = tf.square(w * tf.stop_gradient(example) - target)
leaky = tf.square(w * example - target)

with_stop = tf.gradients(hard, w)
without_stop = tf.gradients(leaky, w)

with tf.Session() as sess:
    print("loss:", sess.run(loss), "at the example:", sess.run(hard))
    print("with the stop:", sess.run(with_stop))  # 2 * 1.8 * 1.4
    print("without it:", sess.run(without_stop))  # 4.32 more, through the example
