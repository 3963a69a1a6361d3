"""A small network with cross-entropy.

Through the layers back to all weights; at the logits the gradient is softmax minus label.
"""

import engine as tf

x = tf.constant([[1.0, -1.0]], name="x")
label = tf.constant([[0.0, 1.0]], name="label")
W1 = tf.Variable([[0.5, -0.3], [0.2, 0.4]], name="W1")
b1 = tf.Variable([0.1, 0.0], name="b1")
W2 = tf.Variable([[1.0, -1.0], [0.5, -0.5]], name="W2")

with tf.GradientTape() as tape:
    hidden = tf.tanh(tf.matmul(x, W1) + b1)
    logits = tf.matmul(hidden, W2)
    loss = -tf.reduce_sum(label * tf.nn.log_softmax(logits))

d_w1, d_b1, d_w2, d_logits = tape.gradient(loss, [W1, b1, W2, logits])

print("loss =", loss.numpy())
print("to W1:", d_w1.numpy().tolist())
print("to b1:", d_b1.numpy().tolist())
print("to W2:", d_w2.numpy().tolist())
print("to the logits:", d_logits.numpy().tolist())  # softmax less label
