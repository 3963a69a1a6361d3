"""Cross-entropy of large scores.

Softmax alone rounds a small probability to 0, whose log is infinite; one op for both is exact.
"""

import engine as tf

scores = tf.Variable([[200.0, 0.0]], name="scores")
label = tf.constant([[0.0, 1.0]], name="label")

with tf.GradientTape(persistent=True) as tape:
    p = tf.nn.softmax(scores)  # 1 and 0: exp(-200) is too small for float32
    naive = -tf.reduce_sum(label * tf.math.log(p))
    loss = tf.nn.softmax_cross_entropy_with_logits(labels=label, logits=scores)

in_two_steps = tape.gradient(naive, scores)
in_one = tape.gradient(loss, scores)

print("in two steps:", naive.numpy(), in_two_steps.numpy())
print("in one:", loss.numpy(), in_one.numpy())  # p - label
