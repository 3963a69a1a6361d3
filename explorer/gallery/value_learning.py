"""Learning values from values.

The next state's value is a target and must be stopped; without the stop another method results.
"""

import engine as tf

w = tf.Variable([0.5, 0.2], name="w")
now = tf.constant([2.0, 1.0], name="now")  # two features of a state
later = tf.constant([1.5, 1.0], name="later")

with tf.GradientTape(persistent=True) as tape:
    value = tf.reduce_sum(w * now)  # 1.2
    goal = 1.0 + 0.8 * tf.reduce_sum(w * later)  # the reward 1, and 0.8 of 0.95
    loss = 0.5 * tf.square(value - tf.stop_gradient(goal))
    residual = 0.5 * tf.square(value - goal)

with_stop = tape.gradient(loss, w)
without_stop = tape.gradient(residual, w)

print("error:", (value - goal).numpy())  # -0.56
print("with the stop:", with_stop.numpy())  # -0.56 * now
print("without it:", without_stop.numpy())  # -0.56 * (now - 0.8 * later)
