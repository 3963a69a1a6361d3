"""One neuron.

Two inputs, two weights, a bias and a tanh: each weight's gradient is its input times dn.
"""

import engine as tf

x1 = tf.constant(1.5, name="x1")
x2 = tf.constant(-0.5, name="x2")
w1 = tf.Variable(0.8, name="w1")
w2 = tf.Variable(0.4, name="w2")
b = tf.Variable(0.1, name="b")

with tf.GradientTape() as tape:
    n = x1 * w1 + x2 * w2 + b  # 1.1
    o = tf.tanh(n)

dn, dw1, dw2, db = tape.gradient(o, [n, w1, w2, b])

print("o =", o.numpy())
print("do/dn =", dn.numpy())  # 1 - o * o
print("do/dw1, do/dw2 =", dw1.numpy(), dw2.numpy())
print("do/db =", db.numpy())
