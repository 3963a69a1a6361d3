"""Programs of plain Python whose output must be what Python itself prints."""

# ruff: noqa: E501 - a program stands on one line

from __future__ import annotations

SNIPPETS: dict[str, str] = {
    "arithmetic": "print(7 // 2, 7 % 3, -7 // 2, 2 ** 10, 7 / 2, 5 & 3, 5 | 3, 5 ^ 3, 1 << 4, ~5)",
    "long sum": "print(" + " + ".join(["1"] * 200) + ")",
    "comparison chain": "x = 3\nprint(1 < x < 5, 1 < x > 5, x == 3 != 4, x in [1, 3], x not in (3,))",
    "boolean values": "print([] or 'empty', 0 and 1, 1 and 2, not None, None is None)",
    "unpacking": "a, (b, *c), d = 1, (2, 3, 4), 5\nprint(a, b, c, d)\n*e, f = 'xyz'\nprint(e, f)",
    "several targets": "a = b = [1]\na.append(2)\nprint(b)",
    "augmented": "x = 5\nx += 2\nx *= 3\nx -= 1\nx //= 4\nx **= 2\nprint(x)",
    "augmented list": "a = [1]\nb = a\na += [2]\nb[0] += 10\nprint(a, b, a is b)",
    "annotated": "x: int = 3\ny: float\nprint(x)",
    "slices": "a = list(range(10))\nprint(a[2:5], a[::-1], a[-3:], a[1:8:3])\na[2:4] = 'xy'\nprint(a)",
    "dictionaries": "d = {'a': 1, **{'b': 2}}\nd['c'] = 3\ndel d['a']\nprint(d, list(d.items()))\n"
    "for k, v in d.items():\n    print(k, v)",
    "sets": "print({1, 2} | {2, 3}, {x % 3 for x in range(9)}, len(set('aab')))",
    "comprehension scope": "x = 'outer'\nprint([x for x in range(3)], x)",
    "nested comprehension": "print([(i, j) for i in range(3) for j in range(i) if i + j > 1])",
    "dictionary comprehension": "print({k: v * v for k, v in zip('abc', [1, 2, 3])})",
    "generator": "print(sum(x * x for x in range(5)), any(x > 3 for x in [1, 5]))",
    "walrus": "if (n := 5) > 3:\n    print(n)\nprint([m := i for i in range(3)], m)",
    "while else": "i = 0\nwhile i < 3:\n    i += 1\nelse:\n    print('done', i)",
    "for else break": "for i in range(5):\n    if i == 1:\n        continue\n    if i == 3:\n"
    "        break\n    print(i)\nelse:\n    print('never')",
    "elif": "for x in (1, 2, 3):\n    if x == 1:\n        print('one')\n    elif x == 2:\n"
    "        print('two')\n    else:\n        print('many')",
    "conditional": "print(*['even' if i % 2 == 0 else 'odd' for i in range(3)], sep='-', end='!\\n')",
    "defaults": "def f(a, b=2, *rest, c, d=4, **more):\n    return a, b, rest, c, d, more\n"
    "print(f(1, c=3), f(1, 5, 6, 7, c=8, e=9), f(*[1, 2], **{'c': 3}))",
    "default is shared": "def f(x, seen=[]):\n    seen.append(x)\n    return seen\nf(1)\nprint(f(2))",
    "closure": "def adder(n):\n    def add(x):\n        return x + n\n    return add\n"
    "print([adder(i)(10) for i in range(3)])",
    "late binding": "fs = [lambda: i for i in range(3)]\nprint([f() for f in fs])",
    "nonlocal": "def counter():\n    n = 0\n    def step():\n        nonlocal n\n        n += 1\n"
    "        return n\n    return step\nc = counter()\nc()\nprint(c(), c())",
    "global": "n = 0\ndef step():\n    global n\n    n += 1\nstep()\nstep()\nprint(n)",
    "recursion": "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\nprint(fact(30))",
    "lambda": "print((lambda x, y=2: x ** y)(3), sorted([3, -5, 2], key=lambda v: abs(v)))",
    "decorator": "def twice(f):\n    def g(*args):\n        return f(f(*args))\n    return g\n"
    "@twice\ndef inc(x):\n    'docstring'\n    return x + 1\nprint(inc(3))",
    "return in loop": "def first(xs):\n    for x in xs:\n        while True:\n            return x\n"
    "print(first([7, 8]), first([]))",
    "main guard": "def main():\n    print('main')\nif __name__ == '__main__':\n    main()",
    "f-strings": "x = 3.14159\nn = 42\nw = 8\nprint(f'{x:.2f}|{n:>6}|{n:06d}|{x!r}|{n=}|{x:{w}.3f}|{{}}')",
    "percent": "print('%s is %d or %.3f, %5s|%-5s|%05.1f %%' % ('x', 3, 2.5, 'r', 'l', 1.25))",
    "percent names": "print('%(a)s and %(b)03d' % {'a': [1], 'b': 7})",
    "format": "print('{} {1} {name:>5} {2[0]}'.replace('{} ', '').format(1, 2, [3], name='n'))",
    "string methods": "print('a,b'.split(','), '-'.join(['x', 'y']), ' q '.strip(), 'abc'.upper()[::-1])",
    "catch": "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    print('caught', e)\nelse:\n"
    "    print('no')\nfinally:\n    print('finally')",
    "catch base class": "try:\n    {}['k']\nexcept (ValueError, LookupError) as e:\n    print(repr(e), e)",
    "raise again": "def f():\n    try:\n        raise ValueError('inner')\n    except ValueError:\n"
    "        raise\ntry:\n    f()\nexcept Exception as e:\n    print(type(e) == ValueError, e)",
    "return in finally": "def f():\n    try:\n        return 1\n    finally:\n        print('bye')\nprint(f())",
    "unbound": "def f():\n    try:\n        x += 1\n    except NameError:\n        print('unbound')\n"
    "    x = 1\nf()",
    "builtins": "print(min(3, 1), max([2, 9]), abs(-2), round(2.567, 1), divmod(7, 2), sum([1, 2], 10))\n"
    "print(list(zip('ab', [1, 2])), list(enumerate('ab', 1)), list(map(str, [1, 2])))\n"
    "print(list(reversed([1, 2])), list(filter(None, [0, 1])), sorted('bca', reverse=True))",
    "types": "print(int('7'), float('1.5'), str(2) + '!', bool([]), list('ab'), tuple([1]), complex(1, 2))\n"
    "print(isinstance(1, int), isinstance('a', (int, str)), type(1) is int, type('') == str)",
    "printing containers": "print([1.0, 'a', None, (1,), {}, set()], ('x',), {'k': [True]}, [...])",
    "math": "import math\nprint(math.sqrt(16.0), math.pi, math.factorial(5), math.floor(-1.5))",
    "reduce": "from functools import reduce\nprint(reduce(lambda a, b: a * b, [1, 2, 3, 4]))",
    "conversion": "print('%r %s' % ('a', 'a'), f'{\"a\"!r}', repr('it\\'s'), str([\"it's\"]))",
    "semicolons": "a = 1; b = 2; print(a + b)",
    "delete": "a = [1, 2, 3]\ndel a[0], a[-1]\nprint(a)",
    "star in list": "a = [1, 2]\nprint([*a, 3, *'xy'], {**{'p': 1}})",
    "global read": "x = 1\ndef f():\n    return x\nx = 2\nprint(f())",
    "exception arguments": "try:\n    raise RuntimeError('a', 2)\nexcept RuntimeError as e:\n    print(e.args, e)",
}
