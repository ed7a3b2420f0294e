"""All blocks: what `tellegen.library.blocks` offers, by the files they are in."""

from tellegen.library.blocks.arithmetic.combinations import (
    InverseBlockConstraints,
    LinearDependency,
    MinMax,
    MultiProduct,
    MultiSum,
    PolarToRectangular,
    Pythagoras,
    RectangularToPolar,
    WrapAngle,
)
from tellegen.library.blocks.arithmetic.functions import (
    Abs,
    Acos,
    Asin,
    Atan,
    Atan2,
    Cos,
    Cosh,
    Exp,
    Log,
    Log10,
    Sign,
    Sin,
    Sinh,
    Sqrt,
    Tan,
    Tanh,
)
from tellegen.library.blocks.arithmetic.operations import (
    Add,
    Add3,
    Average,
    Division,
    Exponentiation,
    Feedback,
    Gain,
    MatrixGain,
    Max,
    Min,
    Polynomial,
    Power,
    Product,
    Sum,
)
from tellegen.library.blocks.dynamics.continuous import (
    Der,
    Derivative,
    FirstOrder,
    Integrator,
    LimIntegrator,
    SecondOrder,
)
from tellegen.library.blocks.dynamics.controllers import PI, PID, LimPID
from tellegen.library.blocks.dynamics.delays import FixedDelay, PadeDelay, VariableDelay
from tellegen.library.blocks.dynamics.filters import CriticalDamping, Filter, LowpassButterworth
from tellegen.library.blocks.dynamics.linear import StateSpace, TransferFunction
from tellegen.library.blocks.interfaces import MISO, SI2SO, SISO, BooleanSI2SO, BooleanSISO, BooleanSource, Source
from tellegen.library.blocks.logic.comparisons import (
    Greater,
    GreaterEqual,
    GreaterEqualThreshold,
    GreaterThreshold,
    Hysteresis,
    Less,
    LessEqual,
    LessEqualThreshold,
    LessThreshold,
    OnOffController,
)
from tellegen.library.blocks.logic.edges import Change, Edge, FallingEdge, SampleTrigger, ZeroCrossing
from tellegen.library.blocks.logic.gates import And, LogicalSwitch, Nand, Nor, Not, Or, Pre, RSFlipFlop, Timer, Xor
from tellegen.library.blocks.logic.many_inputs import MultiAnd, MultiNand, MultiNor, MultiOr, MultiSwitch, OneTrue
from tellegen.library.blocks.logic.timers import LogicalDelay, OnDelay, TriggeredTrapezoid
from tellegen.library.blocks.logic.triggers import RadioButtonSource, TriggeredAdd, TriggeredMax, TriggeredSampler
from tellegen.library.blocks.meters.harmonics import Harmonic, RealFFT, TotalHarmonicDistortion
from tellegen.library.blocks.meters.means import (
    ContinuousMean,
    ContinuousRMS,
    EnergyMeter,
    Integral,
    Mean,
    RectifiedMean,
    RootMeanSquare,
)
from tellegen.library.blocks.meters.statistics import SignalExtrema, StandardDeviation, Variance
from tellegen.library.blocks.meters.step_meters import Overshoot, Peak, RiseTime, SettlingTime
from tellegen.library.blocks.nonlinear import Backlash, DeadZone, Limiter, Quantizer, SlewRateLimiter, VariableLimiter
from tellegen.library.blocks.routing import (
    DeMultiplex,
    Extractor,
    ExtractSignal,
    Multiplex,
    PassThrough,
    Replicator,
    Switch,
)
from tellegen.library.blocks.sources.boolean_sources import BooleanConstant, BooleanPulse, BooleanStep, BooleanTable
from tellegen.library.blocks.sources.motion import KinematicPTP
from tellegen.library.blocks.sources.noise import BandLimitedWhiteNoise, NormalNoise, TruncatedNormalNoise, UniformNoise
from tellegen.library.blocks.sources.periodic import Periodic, Pulse, SawTooth, Trapezoid
from tellegen.library.blocks.sources.varying import (
    CosineVariableFrequencyAndAmplitude,
    LogFrequencySweep,
    Sinc,
    SineVariableFrequencyAndAmplitude,
)
from tellegen.library.blocks.sources.waveforms import (
    Constant,
    ContinuousClock,
    Cosine,
    Exponentials,
    ExpSine,
    Ramp,
    Sine,
    Step,
)
from tellegen.library.blocks.tables.lookups import CombiTable1D, CombiTable1Ds, CombiTable1Dv, CombiTable2D
from tellegen.library.blocks.tables.time_tables import CombiTimeTable, Table, TimeTable
