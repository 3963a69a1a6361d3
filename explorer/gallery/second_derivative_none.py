"""A second derivative that is None.

The first gradient must be taken inside the outer tape, and must still depend on x.
"""

import engine as tf

x = tf.Variable(3.0, name="x")

with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape(persistent=True) as inner:
        y = x**3
        line = 5.0 * x
    slope = inner.gradient(y, x)  # recorded by the outer tape
    steepness = inner.gradient(line, x)  # 5, whatever x is
late = inner.gradient(y, x)  # the outer tape no longer records

curvature = outer.gradient(slope, x)
of_line = outer.gradient(steepness, x)
of_late = outer.gradient(late, x)

print("second derivative:", curvature.numpy())  # 6 * 3
print("of a straight line:", of_line)
print("first gradient taken too late:", of_late)
