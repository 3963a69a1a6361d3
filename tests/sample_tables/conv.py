"""Sample inputs for convolutions, pools, normalisation, and moving space into channels."""

from __future__ import annotations

from typing import Any

from tests.sample_tables import Sample, spread


def _attrs(strides: Any, padding: str = "VALID", **more: Any) -> dict[str, Any]:
    return {"strides": strides, "padding": padding, **more}


_PLAIN = _attrs((1, 1, 1, 1))
_SAME = _attrs((1, 2, 1, 1), "SAME")
_DILATED = _attrs((1, 1, 1, 1), "SAME", dilations=(1, 2, 1, 1))
_FIRST = _attrs((1, 1, 1, 2), "VALID", data_format="NCHW")
_EXPLICIT = _attrs((1, 2, 2, 1), "EXPLICIT", explicit_paddings=(0, 0, 1, 0, 0, 2, 0, 0))

_IMAGE = spread(2, 3, 4, 2)
_FILTER = spread(2, 3, 2, 3)

_CONVOLUTIONS = {
    "Conv2D": [Sample((_IMAGE, _FILTER), attrs) for attrs in (_PLAIN, _SAME, _DILATED, _EXPLICIT)]
    + [
        Sample((spread(1, 2, 3, 4), spread(2, 2, 2, 1)), _FIRST),
        Sample((spread(0, 3, 3, 1), spread(2, 2, 1, 1)), _PLAIN),
    ],
    "Conv2DBackpropInput": [
        Sample((_FILTER, spread(1, 2, 2, 3)), {**_PLAIN, "input_sizes": (1, 3, 4, 2)}),
        Sample((_FILTER, spread(1, 2, 4, 3)), {**_SAME, "input_sizes": (1, 3, 4, 2)}),
        Sample((_FILTER, spread(1, 2, 2, 3), spread(1, 3, 4, 2)), _PLAIN, wrt=(0, 1)),
    ],
    "Conv2DBackpropFilter": [
        Sample((_IMAGE, spread(2, 2, 2, 3)), {**_PLAIN, "filter_sizes": (2, 3, 2, 3)}),
        Sample((_IMAGE, spread(2, 2, 4, 3)), {**_SAME, "filter_sizes": (2, 3, 2, 3)}),
        Sample((_IMAGE, spread(2, 2, 2, 3), _FILTER), _PLAIN, wrt=(0, 1)),
    ],
    "Conv3D": [
        Sample((spread(1, 2, 3, 3, 1), spread(1, 2, 2, 1, 2)), _attrs((1, 1, 1, 1, 1))),
        Sample((spread(1, 2, 3, 2, 2), spread(2, 2, 1, 2, 1)), _attrs((1, 1, 2, 1, 1), "SAME")),
    ],
    "Conv3DBackpropInputV2": [
        Sample(
            (spread(1, 2, 2, 1, 2), spread(1, 2, 2, 2, 2)),
            {**_attrs((1, 1, 1, 1, 1)), "input_sizes": (1, 2, 3, 3, 1)},
        ),
    ],
    "Conv3DBackpropFilterV2": [
        Sample(
            (spread(1, 2, 3, 3, 1), spread(1, 2, 2, 2, 2)),
            {**_attrs((1, 1, 1, 1, 1)), "filter_sizes": (1, 2, 2, 1, 2)},
        ),
    ],
    "DepthwiseConv2dNative": [
        Sample((spread(1, 3, 3, 2), spread(2, 2, 2, 2)), _attrs((1, 1, 1, 1), "SAME")),
        Sample((spread(2, 2, 3, 3), spread(2, 2, 2, 1)), _FIRST),
        Sample((spread(1, 4, 3, 2), spread(2, 2, 2, 1)), _DILATED),
    ],
    "DepthwiseConv2dNativeBackpropInput": [
        Sample(
            (spread(2, 2, 2, 2), spread(1, 3, 3, 4)),
            {**_attrs((1, 1, 1, 1), "SAME"), "input_sizes": (1, 3, 3, 2)},
        ),
    ],
    "DepthwiseConv2dNativeBackpropFilter": [
        Sample(
            (spread(1, 3, 3, 2), spread(1, 3, 3, 4)),
            {**_attrs((1, 1, 1, 1), "SAME"), "filter_sizes": (2, 2, 2, 2)},
        ),
    ],
}


def _pool(window: Any, strides: Any, padding: str = "VALID", **more: Any) -> dict[str, Any]:
    return {"ksize": window, **_attrs(strides, padding), **more}


_TWO = _pool((1, 2, 2, 1), (1, 1, 1, 1))
_HALVED = _pool((1, 2, 2, 1), (1, 2, 2, 1), "SAME")
_DEEP = _pool((1, 1, 1, 2), (1, 1, 1, 2))
_VOLUME = _pool((1, 2, 2, 1, 1), (1, 1, 1, 1, 1), "SAME")
_WIDE = _pool((1, 2, 3, 1), (1, 2, 1, 1), "EXPLICIT", explicit_paddings=(0, 0, 1, 0, 1, 1, 0, 0))
_PHOTO = spread(1, 3, 4, 2)
_CUBE = spread(1, 2, 3, 2, 1)

_POOLS = {
    "MaxPool": [Sample((_PHOTO,), attrs) for attrs in (_TWO, _HALVED, _DEEP, _WIDE)]
    + [Sample((spread(0, 2, 2, 1),), _TWO)],
    "MaxPoolGrad": [
        Sample((_PHOTO, spread(1, 2, 3, 2), spread(1, 2, 3, 2)), _TWO, wrt=(2,)),
        Sample((_PHOTO, spread(1, 2, 2, 2), spread(1, 2, 2, 2)), _HALVED, wrt=(2,)),
    ],
    "MaxPoolGradGrad": [
        Sample((_PHOTO, spread(1, 2, 3, 2), spread(1, 3, 4, 2, seed=3)), _TWO, wrt=(2,)),
    ],
    "MaxPool3D": [Sample((_CUBE,), _VOLUME)],
    "MaxPool3DGrad": [Sample((_CUBE, _CUBE, spread(1, 2, 3, 2, 1, seed=3)), _VOLUME, wrt=(2,))],
    "MaxPool3DGradGrad": [Sample((_CUBE, _CUBE, spread(1, 2, 3, 2, 1, seed=3)), _VOLUME, wrt=(2,))],
    "AvgPool": [Sample((_PHOTO,), attrs) for attrs in (_TWO, _HALVED, _DEEP)]
    + [Sample((spread(0, 2, 2, 1),), _TWO)],
    "AvgPoolGrad": [
        Sample((spread(1, 2, 3, 2),), {**_TWO, "orig_input_shape": (1, 3, 4, 2)}),
        Sample((spread(1, 2, 2, 2), _PHOTO), _HALVED, wrt=(0,)),
    ],
    "AvgPool3D": [Sample((_CUBE,), _VOLUME)],
    "AvgPool3DGrad": [Sample((_CUBE,), {**_VOLUME, "orig_input_shape": (1, 2, 3, 2, 1)})],
}

_CHANNELS = (spread(2, low=0.5), spread(2, seed=1))
_RUNNING = (spread(2, seed=2), spread(2, low=0.5, seed=3))
_NOTHING = (spread(0), spread(0))
_INFERENCE = {"is_training": False, "epsilon": 0.01}

_NORMALIZATIONS = {
    "FusedBatchNormV3": [
        Sample((_IMAGE, *_CHANNELS, *_NOTHING), {"epsilon": 0.1}, wrt=(0, 1, 2)),
        Sample(
            (spread(2, 2, 2, 1), *_CHANNELS, *_RUNNING),
            {"data_format": "NCHW", "exponential_avg_factor": 0.25},
            wrt=(0, 1, 2),
        ),
        Sample((spread(1, 2, 2, 2), *_CHANNELS, *_RUNNING), _INFERENCE, wrt=(0, 1, 2)),
        Sample(
            (spread(2, 2, 1, 2, 1), *_CHANNELS, *_RUNNING),
            {**_INFERENCE, "data_format": "NCDHW"},
            wrt=(0, 1, 2),
        ),
    ],
    "ChannelWindowSum": [
        Sample((spread(2, 4),)),
        Sample((spread(2, 3),), {"radius": 5}),
        Sample((spread(2, 3),), {"radius": 0}),
        Sample((spread(2, 0),)),
    ],
    "LRN": [
        Sample((spread(1, 1, 2, 4),), {"depth_radius": 1, "alpha": 0.5}),
        Sample((spread(1, 2, 1, 3),), {"bias": 2.0, "beta": 0.75}),
        Sample((spread(0, 1, 2, 4),)),
    ],
}

_REARRANGED = {
    "SpaceToDepth": [
        Sample((spread(1, 4, 2, 3),), {"block_size": 2}),
        Sample((spread(2, 2, 3, 3),), {"block_size": 3, "data_format": "NCHW"}),
        Sample((spread(0, 2, 2, 1),), {"block_size": 2}),
    ],
    "DepthToSpace": [
        Sample((spread(1, 2, 1, 8),), {"block_size": 2}),
        Sample((spread(2, 4, 2, 1),), {"block_size": 2, "data_format": "NCHW"}),
    ],
    "SpaceToBatchND": [
        Sample((spread(1, 3, 4, 2),), {"block_shape": (2, 2), "paddings": ((1, 0), (0, 0))}),
        Sample((spread(2, 4),), {"block_shape": (3,), "paddings": ((1, 1),)}),
    ],
    "BatchToSpaceND": [
        Sample((spread(4, 2, 1, 2),), {"block_shape": (2, 2), "crops": ((1, 0), (0, 1))}),
        Sample((spread(6, 2),), {"block_shape": (3,), "crops": ((0, 2),)}),
    ],
}

SAMPLES = {**_CONVOLUTIONS, **_POOLS, **_NORMALIZATIONS, **_REARRANGED}
