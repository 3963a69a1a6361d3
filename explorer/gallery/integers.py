"""Integers are constants.

No gradient passes the cast to an integer; as a factor the same number counts as a constant.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.constant(2.7, name="x")
n = tf.cast(x, tf.int32)  # 2
m = tf.cast(n, tf.float32)
y = 3.0 * m  # reaches x only through the integer
z = m * x  # reaches x directly, too

through = tf.gradients(y, x)
factor = tf.gradients(z, [n, x])

print("through the integer:", through)
print("to the integer itself:", factor[0])
with tf.Session() as sess:
    print("y, z =", sess.run([y, z]))
    print("with the integer as a factor:", sess.run(factor[1]))
