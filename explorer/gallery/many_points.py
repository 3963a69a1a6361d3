"""One graph, many points.

The gradient is built once; feeding another x changes the values and nothing else.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [], name="x")
y = tf.square(x) * x - 2.0 * x  # x^3 - 2x

dy_dx = tf.gradients(y, x)[0]
size = len(tf.get_default_graph().get_operations())

with tf.Session() as sess:
    for point in [-2.0, -1.0, 0.0, 1.0, 2.0]:
        print(point, sess.run([y, dy_dx], {x: point}))  # 3x^2 - 2

print("operations added by the runs:", len(tf.get_default_graph().get_operations()) - size)
