"""Mixed second derivatives.

First by x and then by y, or the other way round: two different graphs, one number.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.constant(1.0, name="x")
y = tf.constant(2.0, name="y")
f = tf.square(x) * y + tf.sin(x * y)

f_x = tf.gradients(f, x)[0]
f_y = tf.gradients(f, y)[0]

# A gradient is an ordinary tensor, so it has gradients of its own.
f_xy = tf.gradients(f_x, y)[0]
f_yx = tf.gradients(f_y, x)[0]

with tf.Session() as sess:
    print("f_x, f_y =", sess.run([f_x, f_y]))
    print("f_xy, f_yx =", sess.run([f_xy, f_yx]))  # 2x + cos(xy) - xy*sin(xy)
