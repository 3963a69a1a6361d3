"""A stop that changes nothing.

The largest score is subtracted and added again: its contributions cancel, stopped or not.
"""

import engine as tf

x = tf.Variable([1.0, 2.0], name="x")

with tf.GradientTape(persistent=True) as tape:
    top = tf.reduce_max(x)
    y = tf.math.log(tf.reduce_sum(tf.exp(x - top))) + top
    held = tf.stop_gradient(top)
    z = tf.math.log(tf.reduce_sum(tf.exp(x - held))) + held

without_stop = tape.gradient(y, x)
with_stop = tape.gradient(z, x)

print("without the stop:", without_stop.numpy())
print("with it:", with_stop.numpy())  # both are softmax(x)
