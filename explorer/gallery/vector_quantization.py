"""Vector quantization.

Three losses and three stops: the codebook moves to the code, and the code to the codebook.
"""

import engine as tf

z = tf.Variable([0.9, 0.2], name="z")
codebook = tf.Variable([[1.0, 0.0], [0.0, 1.0]], name="codebook")

with tf.GradientTape() as tape:
    distance = tf.reduce_sum(tf.square(z - codebook), axis=1)
    e = tf.gather(codebook, tf.argmin(distance))  # the nearest entry, here the first
    code = z + tf.stop_gradient(e - z)  # forwards e, backwards z
    rebuild = tf.square(code - 1.0)
    pull = tf.square(tf.stop_gradient(z) - e)  # moves the codebook
    commit = tf.square(z - tf.stop_gradient(e))  # moves the code
    loss = tf.reduce_sum(rebuild + pull + commit)

dz, dcodebook = tape.gradient(loss, [z, codebook])

print("loss =", loss.numpy())
print("dz:", dz.numpy())  # 2 * (e - 1) + 2 * (z - e)
print("dcodebook:", tf.convert_to_tensor(dcodebook).numpy().tolist())  # 2 * (e - z)
