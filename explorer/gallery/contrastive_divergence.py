"""Contrastive divergence.

The state drawn from the model is data, not a function of W: <vh> of the data minus the model's.
"""

import engine as tf

tf.disable_v2_behavior()

W = tf.constant([[0.5, -0.5], [1.0, 0.25]], name="W")
v = tf.constant([[1.0, 0.0]], name="v")  # what was observed


def weight(state):
    """The logarithm of how probable the machine finds a state, up to a constant."""
    return tf.reduce_sum(tf.nn.softplus(tf.matmul(state, W)))


# One step of the model: hidden units by fixed draws, then the visible units again.
draws = tf.constant([[0.3, 0.6]], name="draws")
h = tf.cast(tf.sigmoid(tf.matmul(v, W)) > draws, tf.float32)
m = tf.sigmoid(tf.matmul(h, W, transpose_b=True))

gain = weight(v) - weight(tf.stop_gradient(m))
leaky = weight(v) - weight(m)

with_stop = tf.gradients(gain, W)
without_stop = tf.gradients(leaky, W)

with tf.Session() as sess:
    print("the model's v:", sess.run(m))
    print("with the stop:")
    print(sess.run(with_stop[0]))
    print("without it:")
    print(sess.run(without_stop[0]))
