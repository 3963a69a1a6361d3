"""None against zero.

Zero: a path exists and its derivative is 0 here. None: there is no path at all.
"""

import engine as tf

x = tf.Variable(-1.0, name="x")
q = tf.Variable(5.0, name="q")

with tf.GradientTape(persistent=True) as tape:
    y = tf.nn.relu(x)  # flat at -1; q takes no part

gradients = tape.gradient(y, [x, q])
filled = tape.gradient(y, [x, q], unconnected_gradients=tf.UnconnectedGradients.ZERO)

print("dy/dx is zero:", gradients[0].numpy())
print("dy/dq is missing:", gradients[1])
print("with zeros for missing ones:", [g.numpy() for g in filled])
