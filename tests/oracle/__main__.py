"""`python -m tests.oracle FILE.json`: replay a file, print every case that is not as recorded."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.oracle.reading import read_cases
from tests.oracle.verdict import Verdict, judge, listed_op_types, outdated


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay the cases of a file; return 1 when something failed that was not expected to."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("file", help="recorded answers, for example tests/oracle/tensorflow.json")
    parser.add_argument("--only", default="", help="replay only cases whose name contains this")
    options = parser.parse_args(arguments)
    try:
        cases = read_cases(options.file)
    except (OSError, ValueError, KeyError) as error:
        parser.error(f"cannot read {options.file}: {error!r}")
    listed = listed_op_types()
    verdicts = [judge(case) for case in cases if options.only in case.name]
    failed = [v for v in verdicts if not v.passed and not v.expected(listed)]
    expected = [v for v in verdicts if v.expected(listed)]
    for verdict in failed:
        print(_report(verdict))
    for verdict in expected:
        print(f"expected: {verdict.name} needs {', '.join(verdict.missing)}")
    stale = outdated(listed)
    if stale:
        print(f"the engine has {', '.join(stale)}: take it off tests/oracle/expected_failures.txt")
    passed = len(verdicts) - len(failed) - len(expected)
    if expected:
        print(f"{len(expected)} expected failures (op types that the engine does not have)")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or stale else 0


def _report(verdict: Verdict) -> str:
    if verdict.missing:
        return f"FAILED {verdict.name}: no op type {', '.join(verdict.missing)}"
    return "\n  ".join([f"FAILED {verdict.name}", *map(str, verdict.differences)])


if __name__ == "__main__":
    sys.exit(main())
