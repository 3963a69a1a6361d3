"""Learning to learn in one step.

Through the inner step the gradient meets its slope 0.8; the first-order one leaves that out.
"""

import engine as tf

w = tf.Variable(1.0, name="w")

with tf.GradientTape(persistent=True) as outer:
    with tf.GradientTape() as inner:
        task = tf.square(w - 2.0)
    slope = inner.gradient(task, w)  # 2 * (1 - 2) = -2
    adapted = w - 0.1 * slope  # 1.2
    loss = tf.square(adapted - 3.0)

    fast = w - 0.1 * tf.stop_gradient(slope)
    first_order = tf.square(fast - 3.0)

full = outer.gradient(loss, w)
cheap = outer.gradient(first_order, w)

print("loss after the step:", loss.numpy())
print("through the step:", full.numpy())  # 2 * (1.2 - 3) * (1 - 0.1 * 2)
print("first order:", cheap.numpy())  # 2 * (1.2 - 3)
