"""Random programs from all ops: generated as data, and checked in eight ways against each other.

`program` says what a program is, `generator` makes one (from `productions` and from the sample
inputs of every op, `sampled`), `checks` holds them against `differences`, against `second_engine`
and against rewritten forms of themselves. `python -m tests.random_programs` runs thousands.
"""
