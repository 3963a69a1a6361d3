"""Gradient descent.

The optimizer takes the derivative by itself; fifty steps reach the least-squares solution 15/7.
"""

import engine as tf

tf.disable_v2_behavior()

t = tf.constant([0.5, 1.0, 1.5], name="t")
target = tf.constant([1.0, 2.5, 3.0], name="target")

w = tf.Variable(0.0, name="w")
loss = tf.reduce_mean(tf.square(w * t - target))

# minimize is compute_gradients and then apply_gradients.
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for k in range(50):
        if k % 10 == 0:
            print("step", k, "loss", sess.run(loss))
        sess.run(step)
    print("w =", sess.run(w))
    print("closed form =", 7.5 / 3.5)  # sum of t*target over sum of t*t
