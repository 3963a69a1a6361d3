"""The repair with a double where.

The first where hands log a harmless 1, so that the second multiplies 0 by a finite number.
"""

import engine as tf

x = tf.Variable([0.0, 2.0], name="x")

with tf.GradientTape(persistent=True) as tape:
    positive = tf.greater(x, 0.0)
    broken = tf.where(positive, tf.math.log(x), 0.0)
    safe = tf.where(positive, x, 1.0)  # repair the input, not the output
    y = tf.where(positive, tf.math.log(safe), 0.0)

once = tape.gradient(broken, x)
twice = tape.gradient(y, x)

print("values:", broken.numpy(), y.numpy())
print("one where:", once.numpy())
print("two wheres:", twice.numpy())  # 0 and 1/2
