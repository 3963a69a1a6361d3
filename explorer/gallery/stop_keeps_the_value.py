"""A stop changes the gradient, not the value.

h + stop(h) is 18 like h + h, but only the first h answers for its share: 6, not 12.
"""

import engine as tf

x = tf.Variable(3.0, name="x")

with tf.GradientTape(persistent=True) as tape:
    h = x * x
    half = h + tf.stop_gradient(h)
    full = h + h

with_stop = tape.gradient(half, x)
without_stop = tape.gradient(full, x)

print("values:", half.numpy(), full.numpy())
print("gradients:", with_stop.numpy(), without_stop.numpy())
