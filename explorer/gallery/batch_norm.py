"""Batch norm.

Mean and variance depend on the batch: with them a shift of all x changes nothing, so dx sums to 0.
"""

import engine as tf

x = tf.Variable([1.0, 2.0, 4.0], name="x")
gamma = tf.Variable(2.0, name="gamma")
beta = tf.Variable(0.5, name="beta")

with tf.GradientTape(persistent=True) as tape:
    mean = tf.reduce_mean(x)
    centred = x - mean
    variance = tf.reduce_mean(tf.square(centred))
    y = gamma * centred / tf.sqrt(variance + 0.25) + beta
    loss = tf.reduce_sum(y * [1.0, 0.0, 0.0])  # the first element of y

    # As at the time of use: the statistics are numbers that were found before.
    frozen = gamma * (x - tf.stop_gradient(mean)) / tf.sqrt(tf.stop_gradient(variance) + 0.25)
    use = tf.reduce_sum((frozen + beta) * [1.0, 0.0, 0.0])

training = tape.gradient(loss, [x, gamma, beta])
using = tape.gradient(use, x)

print("in training:", [g.numpy().tolist() for g in training])
print("in use:", using.numpy())
