"""Two kinds of stop together.

Going back from y, whichever stop is met first ends the path; each cut shows its own reason.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.constant(1.0, name="x")
a = 12.0 * x
b = tf.stop_gradient(2.0 * a, name="b")  # for every gradient that is ever taken
c = 3.0 * b
y = a + b + c

both = tf.gradients(y, [x, a, b, c], stop_gradients=[a])  # for this call only
one = tf.gradients(y, [x, a, b, c])

print("both:", both[0])  # None: a is stopped, and so is b
with tf.Session() as sess:
    print(sess.run(both[1:]))
    print("only the operation:", sess.run(one))
