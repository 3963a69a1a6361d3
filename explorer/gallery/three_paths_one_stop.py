"""Three paths and one stop.

Three live paths add up to 25 = 12 + 12 + 1; the stopped one holds 10 back.
"""

import engine as tf

tf.disable_v2_behavior()

w = tf.constant(2.0, name="w")
x = tf.constant(3.0, name="x")

h = w * x
# h is used twice in h * h, once behind a stop, and x is also added directly.
y = h * h + tf.stop_gradient(h) * 5.0 + x

dy_dx = tf.gradients(y, x)

with tf.Session() as sess:
    print("y =", sess.run(y))  # 36 + 30 + 3
    print("dy/dx =", sess.run(dy_dx))  # 6*2 + 6*2 + 1; the stop withholds 5*2
