"""Partial derivatives of a polynomial.

For z = x^3 + 6xy + y^5 look at the path through each term: 3x^2 + 6y and 6x + 5y^4.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.constant(2.0, name="x")
y = tf.constant(3.0, name="y")

p = x**3.0
q = 6.0 * x * y
r = y**5.0
z = p + q + r

dz = tf.gradients(z, [x, y])

with tf.Session() as sess:
    print("z =", sess.run(z))
    print("dz/dx, dz/dy =", sess.run(dz))
