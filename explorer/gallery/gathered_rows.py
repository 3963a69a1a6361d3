"""The rows of a gather.

The gradient lists only the rows in use; row 1, used twice, stands in it twice.
"""

import engine as tf

table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]], name="table")

with tf.GradientTape() as tape:
    rows = tf.gather(table, [1, 1, 3])
    y = tf.reduce_sum(rows)

slices = tape.gradient(y, table)
dense = tf.convert_to_tensor(slices)

print("rows:", slices.indices.numpy())
print("their gradients:", slices.values.numpy().tolist())
print("as a table:", dense.numpy().tolist())  # row 1 counts twice, rows 0 and 2 not at all
