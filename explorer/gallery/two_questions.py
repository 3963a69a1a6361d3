"""Two questions to one tape.

A tape answers once and is then empty; a persistent one can be asked again.
"""

import engine as tf

x = tf.Variable(3.0, name="x")

with tf.GradientTape(persistent=True) as tape:  # without persistent the second call fails
    y = x * x
    z = y * y

dz_dx = tape.gradient(z, x)
dy_dx = tape.gradient(y, x)
dz_dy = tape.gradient(z, y)

print("dz/dx =", dz_dx.numpy())  # 4 * 27
print("dy/dx =", dy_dx.numpy())
print("dz/dy =", dz_dy.numpy())  # 2 * 9; 18 * 6 is 108 again
