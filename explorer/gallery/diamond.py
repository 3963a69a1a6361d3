"""A diamond.

x reaches y by two branches: 2 * 9 through u and 6 * 6 through v make 54.
"""

import engine as tf

x = tf.Variable(3.0, name="x")

with tf.GradientTape() as tape:
    u = 2.0 * x
    v = tf.square(x)
    y = u * v

dy_du, dy_dv, dy_dx = tape.gradient(y, [u, v, x])

print("dy/du =", dy_du.numpy())  # v
print("dy/dv =", dy_dv.numpy())  # u
print("dy/dx =", dy_dx.numpy())  # 9 * 2 + 6 * 6, and y is 2 * x ** 3
