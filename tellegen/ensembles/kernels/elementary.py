"""Functions of libm for lanes and GPUs: branches are chosen, not taken; errors below two units in the last place.

Ranges and polynomials of exp, log, sin and cos are those of fdlibm (Sun Microsystems, 1993), of the others those of
Cephes (Moshier, Methods and Programs for Mathematical Functions, 1989). Beyond MOST_TURNS sine and cosine are NaN, so
that such a run is made again by the scalar engine.
"""

from __future__ import annotations

import math

from tellegen.procedures.language import bits, f64, floor, from_bits, multiply_add, procedure, sqrt

LN2_HIGH = 6.93147180369123816490e-01
LN2_LOW = 1.90821492927058770002e-10
_LOG2E = 1.44269504088896338700
_EXP = (1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05)
_EXP_MORE = (-1.65339022054652515390e-06, 4.13813679705723846039e-08)
_SQRT_HALF = 0x3FE6A09E667F3BCD
_LOG = (6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01)
_LOG_MORE = (1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01)
_LEAST_NORMAL = 2.2250738585072014e-308
_LARGEST = 709.782712893383973096
_SMALLEST = -745.13321910194110842
_PI_2_A = 1.57079632673412561417e00
_PI_2_B = 6.07710050630396597660e-11
_PI_2_C = 2.02226624879595063154e-21
_WHOLE = 6755399441055744.0
"""1.5*2^52: what is added to it is rounded to an integer."""
_TWO_OVER_PI = 6.36619772367581382433e-01
MOST_TURNS = 1e6
_SIN = (-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04)
_SIN_MORE = (2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10)
_COS = (4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05)
_COS_MORE = (-2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11)
"""Polynomials of six terms are three sums of two, side by side: a chain of six would wait for each of them."""
_TANH_P = (-9.64399179425052238628e-1, -9.92877231001918586564e1, -1.61468768441708447952e3)
_TANH_Q = (1.12811678491632931402e2, 2.23548839060100448583e3, 4.84406305325125486048e3)
_SINH_P = (-7.89474443963537015605e-1, -1.63725857525983828727e2, -1.15614435765005216044e4, -3.51754964808151394800e5)
_SINH_Q = (-2.77711081420602794433e2, 3.61578279834431989373e4, -2.11052978884890840399e6)
_ATAN_P = (-8.750608600031904122785e-1, -1.615753718733365076637e1, -7.500855792314704667340e1)
_ATAN_P_MORE = (-1.228866684490136173410e2, -6.485021904942025371773e1)
_ATAN_Q = (2.485846490142306297962e1, 1.650270098316988542046e2, 4.328810604912902668951e2)
_ATAN_Q_MORE = (4.853903996359136964868e2, 1.945506571482613964425e2)
_PI_2_TAIL = 6.123233995736765886130e-17
_ASIN_P = (4.253011369004428248960e-3, -6.019598008014123785661e-1, 5.444622390564711410273e0)
_ASIN_P_MORE = (-1.626247967210700244449e1, 1.956261983317594739197e1, -8.198089802484824371615e0)
_ASIN_Q = (-1.474091372988853791896e1, 7.049610280856842141659e1, -1.471791292232726029859e2)
_ASIN_Q_MORE = (1.395105614657485689735e2, -4.918853881490881290097e1)
_ASIN_R = (2.967721961301243206100e-3, -5.634242780008963776856e-1, 6.968710824104713396794e0)
_ASIN_R_MORE = (-2.556901049652824852289e1, 2.853665548261061424989e1)
_ASIN_S = (-2.194779531642920639778e1, 1.470656354026814941758e2, -3.838770957603691357202e2, 3.424398657913078477438e2)
_LOG10_HIGH = 4.34294481903251816668e-01
_LOG10_2_HIGH = 3.01029995663611771306e-01
_LOG10_2_LOW = 3.69423907715893078616e-13


@procedure(inline=True)
def exp_of(high: f64, low: f64) -> f64:
    """exp(high + low), for a small `low`."""
    x = min(max(high, -800.0), 800.0)
    k = floor(_LOG2E * x + 0.5)
    first = x - k * LN2_HIGH
    second = k * LN2_LOW - low
    r = first - second
    z = r * r
    more = _EXP[2] + z * (_EXP_MORE[0] + z * _EXP_MORE[1])
    c = r - z * (_EXP[0] + z * (_EXP[1] + z * more))
    y = 1.0 - ((second - (r * c) / (2.0 - c)) - first)
    half = floor(0.5 * k)
    scaled = y * from_bits((int(half) + 1023) << 52) * from_bits((int(k - half) + 1023) << 52)
    inside = scaled if high > _SMALLEST else 0.0
    found = inside if high <= _LARGEST else math.inf
    return found if high == high else high


@procedure(inline=True)
def exp(x: f64) -> f64:
    """e^x"""
    return exp_of(x, 0.0)


@procedure(inline=True)
def log(x: f64) -> f64:
    """The natural logarithm; NaN below zero."""
    is_tiny = x < _LEAST_NORMAL
    scaled = x * 18014398509481984.0 if is_tiny else x
    pattern = bits(scaled)
    exponent = (pattern - _SQRT_HALF) >> 52
    f = from_bits(pattern - (exponent << 52)) - 1.0
    k = float(exponent) - (54.0 if is_tiny else 0.0)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    odd = w * (_LOG[1] + w * (_LOG[3] + w * _LOG_MORE[1]))
    even = z * (_LOG[0] + w * (_LOG[2] + w * (_LOG_MORE[0] + w * _LOG_MORE[2])))
    half = 0.5 * f * f
    found = k * LN2_HIGH - ((half - (s * (half + (odd + even)) + k * LN2_LOW)) - f)
    found = found if x < math.inf else x
    positive = found if x > 0.0 else -math.inf
    return positive if x >= 0.0 else math.nan


@procedure(inline=True)
def log10(x: f64) -> f64:
    """The decimal logarithm."""
    is_tiny = x < _LEAST_NORMAL
    scaled = x * 18014398509481984.0 if is_tiny else x
    pattern = bits(scaled)
    exponent = (pattern - _SQRT_HALF) >> 52
    k = float(exponent) - (54.0 if is_tiny else 0.0)
    rest = _LOG10_HIGH * log(from_bits(pattern - (exponent << 52)))
    found = k * _LOG10_2_HIGH + (k * _LOG10_2_LOW + rest)
    found = found if x < math.inf else x
    positive = found if x > 0.0 else -math.inf
    return positive if x >= 0.0 else math.nan


@procedure(inline=True)
def sine_part(r: f64, low: f64, z: f64, w: f64) -> f64:
    """sin(r + low) for |r| below pi/4; z and w are its square and fourth power."""
    more = multiply_add(w, multiply_add(_SIN_MORE[2], z, _SIN_MORE[1]), multiply_add(_SIN_MORE[0], z, _SIN[2]))
    change = multiply_add(w, more, multiply_add(_SIN[1], z, _SIN[0]))
    return r + multiply_add(z * r, change, low)


@procedure(inline=True)
def cosine_part(r: f64, low: f64, z: f64, w: f64) -> f64:
    """cos(r + low) for |r| below pi/4; z and w are its square and fourth power."""
    more = multiply_add(w, multiply_add(_COS_MORE[2], z, _COS_MORE[1]), multiply_add(_COS_MORE[0], z, _COS[2]))
    change = multiply_add(w, more, multiply_add(_COS[1], z, _COS[0]))
    most = multiply_add(-0.5, z, 1.0)
    lost = multiply_add(-0.5, z, 1.0 - most)
    return most + multiply_add(w, change, multiply_add(-r, low, lost))


@procedure(inline=True)
def turned(x: f64, wants_sine: bool) -> f64:
    """sin or cos of x: quarters of a turn are taken from it, and the rest is below pi/4.

    Beside a large number the last digits of a sum are those of an integer: they are the quarters.
    """
    marked = multiply_add(x, _TWO_OVER_PI, _WHOLE)
    quarters = marked - _WHOLE
    first = multiply_add(quarters, -_PI_2_A, x)
    second = multiply_add(quarters, -_PI_2_B, first)
    r = multiply_add(quarters, -_PI_2_C, second)
    lost = multiply_add(quarters, -_PI_2_B, first - second)
    low = lost + multiply_add(quarters, -_PI_2_C, second - r)
    z = r * r
    w = z * z
    sine = sine_part(r, low, z, w)
    cosine = cosine_part(r, low, z, w)
    turns = bits(marked)
    is_odd = (turns & 1) == 1
    is_half = (turns & 2) == 2
    found = (cosine if is_odd else sine) if wants_sine else (sine if is_odd else cosine)
    flips = is_half if wants_sine else is_half != is_odd
    value = -found if flips else found
    return value if abs(x) < MOST_TURNS else math.nan


@procedure(inline=True)
def sin(x: f64) -> f64:
    """The sine."""
    return turned(x, True)


@procedure(inline=True)
def cos(x: f64) -> f64:
    """The cosine."""
    return turned(x, False)


@procedure(inline=True)
def tan(x: f64) -> f64:
    """The tangent."""
    return sin(x) / cos(x)


@procedure(inline=True)
def tanh(x: f64) -> f64:
    """The hyperbolic tangent."""
    z = x * x
    above = (_TANH_P[0] * z + _TANH_P[1]) * z + _TANH_P[2]
    below = ((z + _TANH_Q[0]) * z + _TANH_Q[1]) * z + _TANH_Q[2]
    large = 1.0 - 2.0 / (exp(2.0 * abs(x)) + 1.0)
    signed = -large if x < 0.0 else large
    return x + x * z * (above / below) if abs(x) < 0.625 else signed


@procedure(inline=True)
def sinh(x: f64) -> f64:
    """The hyperbolic sine."""
    z = x * x
    above = ((_SINH_P[0] * z + _SINH_P[1]) * z + _SINH_P[2]) * z + _SINH_P[3]
    below = ((z + _SINH_Q[0]) * z + _SINH_Q[1]) * z + _SINH_Q[2]
    half = exp(0.5 * abs(x))
    e = exp(abs(x))
    large = 0.5 * e - 0.5 / e if abs(x) < 700.0 else 0.5 * half * half
    signed = -large if x < 0.0 else large
    return x + x * z * (above / below) if abs(x) <= 1.0 else signed


@procedure(inline=True)
def cosh(x: f64) -> f64:
    """The hyperbolic cosine."""
    half = exp(0.5 * abs(x))
    e = exp(abs(x))
    return 0.5 * e + 0.5 / e if abs(x) < 700.0 else 0.5 * half * half


@procedure(inline=True)
def atan(x: f64) -> f64:
    """The angle with that tangent."""
    a = abs(x)
    is_large = a > 2.41421356237309504880
    is_middle = a > 0.66 and not is_large
    middle = (a - 1.0) / (a + 1.0) if is_middle else a
    r = -1.0 / a if is_large else middle
    base = 1.57079632679489661923 if is_large else (0.78539816339744830962 if is_middle else 0.0)
    tail = _PI_2_TAIL if is_large else (0.5 * _PI_2_TAIL if is_middle else 0.0)
    z = r * r
    above = (_ATAN_P[0] * z + _ATAN_P[1]) * z + _ATAN_P[2]
    above = (above * z + _ATAN_P_MORE[0]) * z + _ATAN_P_MORE[1]
    below = ((z + _ATAN_Q[0]) * z + _ATAN_Q[1]) * z + _ATAN_Q[2]
    below = (below * z + _ATAN_Q_MORE[0]) * z + _ATAN_Q_MORE[1]
    found = base + (r * (z * above / below) + r + tail)
    return -found if x < 0.0 else found


@procedure(inline=True)
def asin(x: f64) -> f64:
    """The angle with that sine."""
    a = abs(x)
    z = 1.0 - a
    above = ((_ASIN_R[0] * z + _ASIN_R[1]) * z + _ASIN_R[2]) * z + _ASIN_R_MORE[0]
    above = above * z + _ASIN_R_MORE[1]
    below = (((z + _ASIN_S[0]) * z + _ASIN_S[1]) * z + _ASIN_S[2]) * z + _ASIN_S[3]
    root = sqrt(z + z)
    near_one = (0.78539816339744830962 - root) - (root * (z * above / below) - _PI_2_TAIL) + 0.78539816339744830962
    w = a * a
    up = ((_ASIN_P[0] * w + _ASIN_P[1]) * w + _ASIN_P[2]) * w + _ASIN_P_MORE[0]
    up = (up * w + _ASIN_P_MORE[1]) * w + _ASIN_P_MORE[2]
    down = ((w + _ASIN_Q[0]) * w + _ASIN_Q[1]) * w + _ASIN_Q[2]
    down = (down * w + _ASIN_Q_MORE[0]) * w + _ASIN_Q_MORE[1]
    found = near_one if a > 0.625 else a * (w * up / down) + a
    return -found if x < 0.0 else found


@procedure(inline=True)
def acos(x: f64) -> f64:
    """The angle with that cosine."""
    inner = 2.0 * asin(sqrt(0.5 - 0.5 * abs(x)))
    beside = ((0.78539816339744830962 - asin(x)) + _PI_2_TAIL) + 0.78539816339744830962
    return beside if abs(x) <= 0.5 else (inner if x > 0.0 else 3.14159265358979323846 - inner)


@procedure(inline=True)
def atan2(y: f64, x: f64) -> f64:
    """The angle of a point."""
    is_steep = abs(y) > abs(x)
    slope = abs(x) / abs(y) if is_steep else abs(y) / abs(x)
    angle = atan(slope if slope == slope else 0.0)
    upper = (1.57079632679489661923 - angle) + _PI_2_TAIL if is_steep else angle
    turned_back = (3.14159265358979323846 - upper) + 2.0 * _PI_2_TAIL if x < 0.0 else upper
    found = -turned_back if bits(y) < 0 else turned_back
    return found if x == x and y == y else math.nan


@procedure(inline=True)
def pow(x: f64, y: f64) -> f64:
    """x^y: the logarithm to twice the digits, times y, as an exponent."""
    a = abs(x)
    is_tiny = a < _LEAST_NORMAL
    pattern = bits(a * 18014398509481984.0 if is_tiny else a)
    exponent = (pattern - _SQRT_HALF) >> 52
    f = from_bits(pattern - (exponent << 52)) - 1.0
    k = float(exponent) - (54.0 if is_tiny else 0.0)
    around = 2.0 + f
    s = f / around
    rest = multiply_add(-s, around, f) - s * (f - (around - 2.0))
    s_low = rest / around
    z = s * s
    w = z * z
    odd = w * (_LOG[1] + w * (_LOG[3] + w * _LOG_MORE[1]))
    even = z * (_LOG[0] + w * (_LOG[2] + w * (_LOG_MORE[0] + w * _LOG_MORE[2])))
    large = k * LN2_HIGH
    rough = large + 2.0 * s
    missing = (large - rough) + 2.0 * s if abs(large) > abs(2.0 * s) else (2.0 * s - rough) + large
    more = missing + (k * LN2_LOW + (2.0 * s_low + s * (odd + even)))
    high = rough + more
    low = (rough - high) + more
    product = y * high
    product_low = multiply_add(y, high, -product) + y * low
    found = exp_of(product, product_low)
    found = found if abs(product) < 800.0 else (math.inf if product > 0.0 else 0.0)
    at_border = math.inf if (a > 1.0) == (y > 0.0) else 0.0
    found = at_border if a == 0.0 or a == math.inf or (abs(y) == math.inf and a != 1.0) else found
    is_whole = floor(y) == y
    is_odd = is_whole and y - 2.0 * floor(0.5 * y) > 0.5
    signed = -found if is_odd else found
    negative = signed if is_whole else math.nan
    value = negative if bits(x) < 0 and x != 0.0 else found
    value = value if x == x and y == y else math.nan
    return 1.0 if y == 0.0 or x == 1.0 else value
