"""A bias and its batch.

The bias is copied to all four rows, so its gradient is the sum over the four.
"""

import engine as tf

X = tf.constant([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [3.0, 1.0, 0.0], [2.0, 2.0, 1.0]], name="X")
W = tf.Variable([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], name="W")
b = tf.Variable([0.0, 1.0], name="b")

with tf.GradientTape(persistent=True) as tape:
    out = tf.matmul(X, W) + b  # broadcast from (2,) to (4, 2)
    total = tf.reduce_sum(out)
    mean = tf.reduce_mean(out)

of_total = tape.gradient(total, [W, b])
of_mean = tape.gradient(mean, b)

print("sum, to W:", of_total[0].numpy().tolist())  # each row: the column sum of X
print("sum, to b:", of_total[1].numpy())  # one from each of four rows
print("mean, to b:", of_mean.numpy())  # four times 1/8
