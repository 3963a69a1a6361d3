"""A policy gradient with a baseline.

The advantage is stopped: the baseline learns from its own error alone, not from the policy.
"""

import engine as tf

theta = tf.Variable([0.0, 0.0, 0.0], name="theta")
baseline = tf.Variable(1.0, name="baseline")
action = tf.constant([0.0, 0.0, 1.0], name="action")  # the third was drawn

with tf.GradientTape(persistent=True) as tape:
    log_p = tf.reduce_sum(action * tf.nn.log_softmax(theta))  # -log 3
    advantage = 1.5 - baseline
    fit = 0.5 * tf.square(advantage)
    loss = -log_p * tf.stop_gradient(advantage) + fit
    leaky = -log_p * advantage + fit

with_stop = tape.gradient(loss, [theta, baseline])
without_stop = tape.gradient(leaky, [theta, baseline])

print("with the stop:", with_stop[0].numpy(), with_stop[1].numpy())
print("without it:", without_stop[0].numpy(), without_stop[1].numpy())  # log 3 less
