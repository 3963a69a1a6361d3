"""Which gradients TensorFlow 2.21 registers, by subject: names to count by."""

from __future__ import annotations

from dataclasses import dataclass

_MATH = """
    Sum Mean Max Min Prod EuclideanNorm Cumsum Cumprod CumulativeLogsumexp SegmentSum
    SegmentMean SegmentMin SegmentMax SegmentProd UnsortedSegmentSum UnsortedSegmentMax
    UnsortedSegmentMin UnsortedSegmentProd SparseSegmentSum SparseSegmentMean
    SparseSegmentSqrtN SparseSegmentSumWithNumSegments SparseSegmentMeanWithNumSegments
    SparseSegmentSqrtNWithNumSegments Abs Neg Inv Reciprocal Square Sqrt Rsqrt Exp Expm1 Log
    Log1p Sinh Cosh Tanh Asinh Acosh Atanh Erf Erfc Erfinv Ndtri Lgamma Digamma Dawsn Expint
    FresnelCos FresnelSin Spence BesselI0 BesselI0e BesselI1 BesselI1e BesselK0 BesselK0e
    BesselK1 BesselK1e BesselJ0 BesselJ1 BesselY0 BesselY1 Sigmoid Sign Sin Cos Tan Asin
    Acos Atan InvGrad ReciprocalGrad SqrtGrad RsqrtGrad TanhGrad SigmoidGrad Add AddV2 Sub
    Mul MulNoNan Div RealDiv DivNoNan FloorMod Pow Maximum Minimum SquaredDifference Atan2
    Xlogy Xlog1py Xdivy Igamma Igammac Zeta Polygamma Betainc NextAfter AddN Cross Complex
    Select SelectV2 MatMul SparseMatMul BatchMatMul BatchMatMulV2 BatchMatMulV3 Real Imag
    Angle Conj ComplexAbs Cast ArgMax ArgMin FloorDiv TruncateDiv Floor Ceil Round Rint
"""

_MATH_CONSTANT = """
    Less LessEqual Greater GreaterEqual Equal ApproximateEqual NotEqual LogicalAnd LogicalOr
    LogicalNot Range LinSpace
"""

_ARRAY = """
    Pack Unpack Concat ConcatV2 Slice StridedSlice StridedSliceGrad TensorStridedSliceUpdate
    Split SplitV Diag DiagPart MatrixDiag MatrixDiagV2 MatrixDiagV3 MatrixDiagPart
    MatrixDiagPartV2 MatrixDiagPartV3 MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3
    MatrixBandPart Fill PreventGradient Gather GatherV2 GatherNd ResourceGatherNd
    CheckNumerics CheckNumericsV2 Identity PlaceholderWithDefault _EagerConst RefIdentity
    IdentityN Reshape ExpandDims Squeeze Transpose ConjugateTranspose Tile Pad PadV2
    ReverseSequence Reverse ReverseV2 SpaceToBatch SpaceToBatchND BatchToSpace
    BatchToSpaceND SpaceToDepth DepthToSpace MirrorPad MirrorPadGrad QuantizeAndDequantize
    QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 ExtractImagePatches ExtractVolumePatches
    ScatterNd TensorScatterUpdate TensorScatterAdd TensorScatterMax TensorScatterMin
    TensorScatterSub ScatterNdNonAliasingAdd BroadcastTo
"""

_ARRAY_CONSTANT = """
    ConcatOffset Const EditDistance ZerosLike OnesLike StopGradient InvertPermutation Shape
    ShapeN Rank Size BroadcastGradientArgs OneHot FakeQuantWithMinMaxArgsGradient
    FakeQuantWithMinMaxVarsGradient FakeQuantWithMinMaxVarsPerChannelGradient
"""

_NETWORK = """
    Conv2DBackpropInput Conv2DBackpropFilter DepthwiseConv2dNativeBackpropInput
    DepthwiseConv2dNativeBackpropFilter Conv3D Conv3DBackpropInputV2 Conv3DBackpropFilterV2
    AvgPool3D AvgPool3DGrad MaxPool3D MaxPool3DGrad MaxPool3DGradGrad Softmax LogSoftmax
    BiasAdd BiasAddGrad BiasAddV1 Relu EluGrad SeluGrad Relu6 Relu6Grad LeakyRelu
    LeakyReluGrad Elu Selu Softplus SoftplusGrad Softsign ReluGrad
    SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits Conv2D
    DepthwiseConv2dNative Dilation2D LRN AvgPool AvgPoolGrad MaxPool MaxPoolV2
    MaxPoolWithArgmax MaxPoolGrad MaxPoolGradV2 MaxPoolGradGrad FractionalMaxPool
    FractionalAvgPool BatchNormWithGlobalNormalization FusedBatchNorm FusedBatchNormV2
    FusedBatchNormV3 L2Loss TopK TopKV2 ApproxTopK NthElement IsotonicRegression
"""

_LINEAR_ALGEBRA = """
    MatrixInverse Einsum MatrixDeterminant MatrixSquareRoot LogMatrixDeterminant Cholesky Qr
    MatrixSolve MatrixSolveLs BandedTriangularSolve MatrixTriangularSolve Eig
    SelfAdjointEigV2 Svd TridiagonalMatMul TridiagonalSolve
"""


@dataclass(frozen=True)
class Registrations:
    """The registrations of one subject.

    Attributes:
        gradients: op types with a gradient function.
        constants: op types declared not differentiable.
    """

    subject: str
    gradients: tuple[str, ...]
    constants: tuple[str, ...] = ()


TENSORFLOW = (
    Registrations("mathematics", tuple(_MATH.split()), tuple(_MATH_CONSTANT.split())),
    Registrations("arrays", tuple(_ARRAY.split()), tuple(_ARRAY_CONSTANT.split())),
    Registrations("networks", tuple(_NETWORK.split())),
    Registrations("linear algebra", tuple(_LINEAR_ALGEBRA.split())),
)
