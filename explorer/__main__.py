"""`python -m explorer`."""

from __future__ import annotations

from explorer.cli import main

main()
