"""Four ways to add up eight contributions.

x is used eight times; every method gives 36, each with its own picture at the sum.
"""

import engine as tf

tf.disable_v2_behavior()

x = tf.constant(1.0, name="x")
z = tf.add_n([1.0 * x, 2.0 * x, 3.0 * x, 4.0 * x, 5.0 * x, 6.0 * x, 7.0 * x, 8.0 * x])

# One operation that adds all eight; DEFAULT means the same.
add_n = tf.gradients(z, x, aggregation_method=tf.AggregationMethod.ADD_N)
default = tf.gradients(z, x, aggregation_method=tf.AggregationMethod.DEFAULT)
# Additions of two at a time.
tree = tf.gradients(z, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_TREE)
# One running total.
total = tf.gradients(z, x, aggregation_method=tf.AggregationMethod.EXPERIMENTAL_ACCUMULATE_N)

with tf.Session() as sess:
    print(sess.run([add_n, default, tree, total]))
