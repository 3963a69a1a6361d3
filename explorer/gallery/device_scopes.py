"""Device scopes.

With colocation each gradient operation goes to the device of its forward operation.
"""

import engine as tf

tf.disable_v2_behavior()

with tf.device("/device:CPU:0"):
    x = tf.constant(3.0, name="x")
    a = tf.square(x, name="a")
with tf.device("/device:CPU:1"):
    y = tf.sin(a, name="y")

together = tf.gradients(y, x, colocate_gradients_with_ops=True)[0]
anywhere = tf.gradients(y, x)[0]

print("forward:", [a.op.device, y.op.device])
print("colocated:", [together.op.device], together.op.get_attr("_class"))
print("not colocated:", [anywhere.op.device])
