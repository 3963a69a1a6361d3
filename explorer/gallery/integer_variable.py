"""A variable that is an integer.

10 is an integer and has no derivative; 10.0 is a number that can move a little.
"""

import engine as tf

n = tf.Variable(10, name="n")
x = tf.Variable(10.0, name="x")

with tf.GradientTape(persistent=True) as tape:
    count = n * n
    y = tf.cast(n, tf.float32) * x  # the integer still counts as a factor

of_integers = tape.gradient(count, n)
gradients = tape.gradient(y, [n, x])

print("between integers:", of_integers)
print("dy/dn, dy/dx:", gradients[0], gradients[1].numpy())
