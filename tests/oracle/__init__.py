"""Answers of TensorFlow for small programs, and the harness that replays them on the engine.

`python -m tests.oracle FILE.json` replays a file; reading order: `reading`, `replay`, `compare`,
`structure`, `verdict`.
"""
