"""Stopping a list of tensors.

stop_gradient packs a and b into one tensor with the same values; only that tensor is cut off.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.constant(2.0, name="x")
a = 12.0 * x
b = 2.0 * a
c = 3.0 * x
stopped = tf.stop_gradient([a, b])

behind = tf.gradients(stopped, [x])  # None: the operation lets nothing back
a_and_c = tf.gradients([a, c], [x])  # 12 + 3
all_three = tf.gradients([a, b, c], [x])  # 12 + 24 + 3
at_a = tf.gradients([a, b], a)  # 1 + 2

with tf.Session() as sess:
    print(sess.run(stopped))
    print(sess.run(a_and_c))
    print(sess.run(all_three))
    print(sess.run(at_a))
print("behind the stop:", behind)
