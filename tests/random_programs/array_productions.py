"""Steps that move entries: reshape, enlarge, slice, join, split, gather."""

from __future__ import annotations

import numpy as np

from tests.random_programs.draft import Draft


def reshaping(draft: Draft) -> None:
    x = draft.any()
    shape, rank = draft.shape(x), draft.rank(x)
    way = draft.rng.randrange(6)
    if way == 0:
        sizes = [size for size in shape if size != 1]
        draft.rng.shuffle(sizes)
        draft.one("Reshape", x, shape=(*sizes, 1) if draft.flag() else (-1,))
    elif way == 1:
        draft.one("Transpose", x, perm=tuple(draft.rng.sample(range(rank), rank)))
    elif way == 2 and rank < 4:
        draft.one("ExpandDims", x, axis=draft.rng.randrange(-rank - 1, rank + 1))
    elif way == 3:
        draft.one("Squeeze", x, axis=tuple(k for k, size in enumerate(shape) if size == 1))
    elif way == 4:
        sizes = [2 if size == 1 else size for size in shape]
        draft.one("BroadcastTo", x, shape=(2, *sizes) if draft.flag() else tuple(sizes))
    elif rank:
        draft.one("ReverseV2", x, axis=draft.subset(rank))


def enlarging(draft: Draft) -> None:
    """Add a repetition or a margin."""
    x = draft.any()
    rank = draft.rank(x)
    if draft.flag():
        draft.one("Tile", x, multiples=tuple(draft.rng.choice((1, 2)) for _ in range(rank)))
        return
    margins = tuple((draft.rng.randrange(2), draft.rng.randrange(3)) for _ in range(rank))
    if draft.flag():
        draft.one("PadV2", x, draft.parameter(0.5), paddings=margins)
    else:
        draft.one("Pad", x, paddings=margins)


def slicing(draft: Draft) -> None:
    x = draft.pick(lambda shape: len(shape) > 0 and 0 not in shape)
    if x is None:
        return
    shape, rank = draft.shape(x), draft.rank(x)
    begin = [draft.rng.randrange(size) for size in shape]
    if draft.flag():
        size = [draft.rng.choice((-1, 1)) for _ in shape]
        draft.one("Slice", x, begin=tuple(begin), size=tuple(size))
        return
    strides = [draft.rng.choice((1, 2, -1)) for _ in shape]
    masks = {
        key: draft.rng.randrange(1 << rank)
        for key in ("begin_mask", "end_mask", "shrink_axis_mask")
    }
    for axis, stride in enumerate(strides):
        if masks["shrink_axis_mask"] >> axis & 1 and stride < 0:
            strides[axis] = 1
    end = [at + (2 if stride > 0 else -2) for at, stride in zip(begin, strides, strict=True)]
    end = [-size - 1 if at < 0 else at for at, size in zip(end, shape, strict=True)]
    draft.one(
        "StridedSlice", x, begin=tuple(begin), end=tuple(end), strides=tuple(strides), **masks
    )


def joining(draft: Draft) -> None:
    x = draft.any()
    shape, rank = draft.shape(x), draft.rank(x)
    count = draft.rng.randrange(3)
    if not rank or draft.flag():
        others = [draft.fitted(shape) for _ in range(count)]
        draft.one("Pack", x, *others, axis=draft.rng.randrange(-rank - 1, rank + 1))
        return
    axis = draft.axis(rank)
    others = []
    for _ in range(count):
        sizes = list(shape)
        sizes[axis] = draft.rng.choice((1, 2, 0))
        others.append(draft.fitted(sizes))
    draft.one("ConcatV2", x, *others, axis=axis)


def splitting(draft: Draft) -> None:
    """Add an op of several outputs; some of them may stay unused."""
    x = draft.pick(lambda shape: len(shape) > 0 and 0 not in shape)
    if x is None:
        draft.add("IdentityN", draft.any(), draft.any())
        return
    axis = draft.axis(draft.rank(x))
    size = draft.shape(x)[axis]
    way = draft.rng.randrange(3)
    if way == 0:
        draft.add("Unpack", x, num=size, axis=axis)
    elif way == 1:
        draft.add("Split", x, axis=axis, num_split=size)
    else:
        cut = draft.rng.randrange(size + 1)
        draft.add(
            "SplitV", x, size_splits=(cut, -1) if draft.flag() else (cut, size - cut)
        ) if axis == 0 else draft.add("SplitV", x, size_splits=(cut, size - cut), axis=axis)


def gathering(draft: Draft) -> None:
    x = draft.pick(lambda shape: len(shape) > 0 and 0 not in shape)
    if x is None:
        return
    shape, rank = draft.shape(x), draft.rank(x)
    way = draft.rng.randrange(4)
    picks = np.random.default_rng(draft.rng.randrange(1 << 16))
    if way == 0:
        axis = draft.axis(rank)
        ids = picks.integers(0, shape[axis], draft.rng.choice(((), (2,), (3,), (2, 2))))
        draft.one("GatherV2", x, draft.constant(ids.astype(np.int32)), axis=axis)
    elif way == 1:
        depth = draft.rng.randrange(1, rank + 1)
        ids = np.stack([picks.integers(0, size, 3) for size in shape[:depth]], -1)
        draft.one("GatherNd", x, draft.constant(ids.astype(np.int32)))
    elif way == 2:
        ids = picks.integers(-1, 3, shape[0]).astype(np.int32)
        draft.one("UnsortedSegmentSum", x, draft.constant(ids), num_segments=3)
    else:
        ids = picks.integers(0, 4, (shape[0], 1)).astype(np.int32)
        draft.one("ScatterNd", draft.constant(ids), x, shape=(4, *shape[1:]))
