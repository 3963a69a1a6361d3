"""Attention with a mask.

The masked score gets exactly 0 back: the first query cannot look at the second key.
"""

import engine as tf

Q = tf.Variable([[1.0, 0.0], [0.0, 1.0]], name="Q")
K = tf.Variable([[1.0, 0.5], [-0.5, 1.0]], name="K")
V = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="V")
mask = tf.constant([[0.0, -1e9], [0.0, 0.0]], name="mask")
weights = tf.constant([[1.0, 0.0], [0.0, 2.0]], name="weights")

with tf.GradientTape() as tape:
    scores = tf.matmul(Q, K, transpose_b=True) / 2.0**0.5 + mask
    attention = tf.nn.softmax(scores)
    out = tf.matmul(attention, V)
    loss = tf.reduce_sum(weights * out)

dq, dk, dv = tape.gradient(loss, [Q, K, V])

print("attention:", attention.numpy().tolist())
print("dq:", dq.numpy().tolist())
print("dk:", dk.numpy().tolist())
print("dv:", dv.numpy().tolist())
