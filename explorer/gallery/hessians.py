"""Hessians.

All second derivatives at once: the identity, the matrix A plus its transpose, blocks of ones.
"""

import engine as tf

tf.disable_v2_behavior()

# Half the squared length of a vector.
x = tf.constant([1.0, 2.0, 3.0], name="x")
f = 0.5 * tf.reduce_sum(x * x)
length = tf.hessians(f, x)

# A quadratic form v'Av.
A = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="A")
v = tf.constant([1.0, -1.0], name="v")
q = tf.reduce_sum(v * tf.linalg.matvec(A, v))
form = tf.hessians(q, v)

# A matrix: one block for each pair of its elements.
m = tf.constant([[1.0, 2.0], [3.0, 4.0]], name="m")
s = 0.5 * tf.reduce_sum(tf.matmul(m, m, transpose_a=True))
blocks = tf.hessians(s, m)

with tf.Session() as sess:
    print(sess.run(length[0]))
    print(sess.run(form[0]))
    print(sess.run(tf.reshape(blocks[0], [4, 4])))
