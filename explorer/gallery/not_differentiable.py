"""Ops without a derivative.

The rules of round and argmax give None, hence no gradient; that of sign gives zeros.
"""

import engine as tf

x = tf.Variable([0.4, 2.3], name="x")

with tf.GradientTape(persistent=True) as tape:
    rounded = tf.reduce_sum(x * tf.round(x))  # the factor x is still differentiable
    whole = tf.reduce_sum(tf.round(x))
    signs = tf.reduce_sum(tf.sign(x))
    largest = tf.argmax(x)

beside = tape.gradient(rounded, x)
of_round = tape.gradient(whole, x)
of_sign = tape.gradient(signs, x)
of_argmax = tape.gradient(largest, x)

print("beside round:", beside.numpy())  # the rounded numbers 0 and 2
print("round:", of_round)
print("sign:", of_sign.numpy())
print("argmax:", of_argmax)
