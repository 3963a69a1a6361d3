"""The chain rule through a graph.

Two paths lead from y back to x: one through the sine, one through the factor x itself.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.placeholder(tf.float32, [], name="x")
a = tf.sin(x)
y = a * x

dy_dx = tf.gradients(y, x)[0]

with tf.Session() as sess:
    # How much does y change when x is moved a little to both sides?
    delta = 0.01
    right = sess.run(y, {x: 1.5 + delta})
    left = sess.run(y, {x: 1.5 - delta})
    print("by differences:", (right - left) / (2 * delta))
    print("by the chain rule:", sess.run(dy_dx, {x: 1.5}))  # x*cos(x) + sin(x)
