"""The M-step must not differentiate the E-step.

With the stop the gradient equals that of the log-likelihood; without it the first sign is wrong.
"""

import engine as tf

tf.disable_v2_behavior()

data = tf.constant([[2.0], [2.5], [3.0]], name="data")
mu = tf.constant([0.0, 2.0], name="mu")  # the means of two components

log_p = -0.5 * tf.square(data - mu)  # one row per point, one column per component
r = tf.nn.softmax(log_p)  # E-step: how responsible each component is

m_step = tf.reduce_sum(tf.stop_gradient(r) * log_p)
wrong = tf.reduce_sum(r * log_p)
likelihood = tf.reduce_sum(tf.math.log(tf.reduce_sum(tf.exp(log_p), axis=1)))

with_stop = tf.gradients(m_step, mu)
without_stop = tf.gradients(wrong, mu)
exact = tf.gradients(likelihood, mu)

with tf.Session() as sess:
    print("with the stop:", sess.run(with_stop[0]))
    print("without it:", sess.run(without_stop[0]))
    print("log-likelihood:", sess.run(exact[0]))
