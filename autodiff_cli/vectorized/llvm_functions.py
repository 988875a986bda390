"""Elementary functions on vectors, as functions of LLVM: more accurate than those of vector libraries, and inlined.

Each is within one unit in the last place. The coefficients interpolate the functions at Chebyshev points.
"""

from collections.abc import Mapping, Sequence

from .llvm_text import Instructions, Machine, splat
from .vector_functions import c_function

_EXP = (0.5, 0.1666666666666667, 0.04166666666666667, 0.008333333333326136, 0.001388888888888375,
        0.00019841269874815834, 2.480158732554432e-05, 2.7557255406285044e-06, 2.7557273647451087e-07,
        2.5105214474751413e-08, 2.0914685161418067e-09)  # fmt: skip
"""(exp(r) - 1 - r)/r^2 for r from -log(2)/2 to log(2)/2"""
_SIN = (-0.16666666666666666, 0.008333333333330925, -0.00019841269836722418, 2.755731608381636e-06,
        -2.5051127944014188e-08, 1.5917848524808262e-10)  # fmt: skip
"""(sin(r) - r)/r^3 for r from 0 to pi/4, a polynomial of r^2"""
_COS = (0.041666666666666664, -0.0013888888888887382, 2.480158729874307e-05, -2.7557317260008837e-07,
        2.0876143827993133e-09, -1.1382456778061306e-11)  # fmt: skip
"""(cos(r) - 1 + r^2/2)/r^4"""

_MANTISSA = 1.5 * 2**52
"""added to a whole number, it leaves that in the last bits"""
_NUMBERS = {
    "half": 0.5, "one": 1.0, "mantissa": _MANTISSA, "biased": _MANTISSA + 1023,
    "most": 710.0, "least": -746.0, "log2e": 1.4426950408889634,
    "minus_ln2": -0.6931471805599453, "minus_ln2_rest": -2.3190468138462996e-17,
    "turns": 0.6366197723675814, "quarter": -1.5707963267948966, "quarter_rest": -6.123233995736766e-17,
    "quarter_end": 1.4973849048591698e-33, "tiny": 2.0**-28, "huge": 2.0**20,
}  # fmt: skip

# exp(x) = 2^n*exp(r) where r is x - n*log(2); the power in two halves, each of which is a normal number.
_EXPONENTIAL = """
define internal {V} @exp({V} %x) #1 {{
%over = fcmp ogt {V} %x, {most}
%below = select {C} %over, {V} {most}, {V} %x
%under = fcmp olt {V} %below, {least}
%a = select {C} %under, {V} {least}, {V} %below
%scaled = fmul {V} %a, {log2e}
%n = call {V} @llvm.rint.{S}({V} %scaled)
%high = call {V} @llvm.fma.{S}({V} %n, {V} {minus_ln2}, {V} %a)
%r = call {V} @llvm.fma.{S}({V} %n, {V} {minus_ln2_rest}, {V} %high)
%z = fmul {V} %r, %r
{exp}
%p = call {V} @llvm.fma.{S}({V} %z, {V} %q, {V} %r)
%y = fadd {V} %p, {one}
%middle = fmul {V} %n, {half}
%n1 = call {V} @llvm.rint.{S}({V} %middle)
%n2 = fsub {V} %n, %n1
%b1 = fadd {V} %n1, {biased}
%b2 = fadd {V} %n2, {biased}
%i1 = bitcast {V} %b1 to {I}
%i2 = bitcast {V} %b2 to {I}
%e1 = shl {I} %i1, splat (i64 52)
%e2 = shl {I} %i2, splat (i64 52)
%f1 = bitcast {I} %e1 to {V}
%f2 = bitcast {I} %e2 to {V}
%y1 = fmul {V} %y, %f1
%y2 = fmul {V} %y1, %f2
ret {V} %y2
}}
"""

# sin(x) and cos(x) from those of r + e, which is x - n*pi/2 to twice the digits of a double.
_TURNED = """
define internal {V} @{name}({V} %x) #1 {{
entry:
%scaled = fmul {V} %x, {turns}
%n = call {V} @llvm.rint.{S}({V} %scaled)
%high = call {V} @llvm.fma.{S}({V} %n, {V} {quarter}, {V} %x)
%p = fmul {V} %n, {quarter_rest}
%minus_p = fneg {V} %p
%after_p = call {V} @llvm.fma.{S}({V} %n, {V} {quarter_rest}, {V} %minus_p)
%r = fadd {V} %high, %p
%rounded = fsub {V} %r, %high
%lost = fsub {V} %p, %rounded
%rest = fadd {V} %lost, %after_p
%e = call {V} @llvm.fma.{S}({V} %n, {V} {quarter_end}, {V} %rest)
%z = fmul {V} %r, %r
%zz = fmul {V} %z, {half}
%w = fsub {V} {one}, %zz
{sin}
%s1 = fmul {V} %r, %z
%ew = fmul {V} %e, %w
%s2 = call {V} @llvm.fma.{S}({V} %s1, {V} %s, {V} %ew)
%sine = fadd {V} %r, %s2
{cos}
%w1 = fsub {V} {one}, %w
%w2 = fsub {V} %w1, %zz
%z2 = fmul {V} %z, %z
%re = fmul {V} %r, %e
%c1 = fsub {V} %w2, %re
%c2 = call {V} @llvm.fma.{S}({V} %z2, {V} %c, {V} %c1)
%cosine = fadd {V} %w, %c2
%shifted = fadd {V} %n, {mantissa}
%whole = bitcast {V} %shifted to {I}
%turn = add {I} %whole, splat (i64 {shift})
%low = and {I} %turn, splat (i64 1)
%odd = icmp ne {I} %low, zeroinitializer
%chosen = select {C} %odd, {V} %cosine, {V} %sine
%second = and {I} %turn, splat (i64 2)
%sign = shl {I} %second, splat (i64 62)
%bits = bitcast {V} %chosen to {I}
%signed = xor {I} %bits, %sign
%y = bitcast {I} %signed to {V}
%size = call {V} @llvm.fabs.{S}({V} %x)
%small = fcmp olt {V} %size, {tiny}
%near = select {C} %small, {V} {near_zero}, {V} %y
%large = fcmp uge {V} %size, {huge}
%mask = bitcast {C} %large to i{lanes}
%any = icmp ne i{lanes} %mask, 0
br i1 %any, label %slow, label %done
slow:
{calls}
%some = select {C} %large, {V} {called}, {V} %near
br label %done
done:
%result = phi {V} [%near, %entry], [%some, %slow]
ret {V} %result
}}
"""
NAMES = ("exp", "sin", "cos")


def definition(name: str, machine: Machine) -> str:
    """The text of a function; for huge numbers the sine and the cosine are those of the C library."""
    types, numbers = machine.types, {key: splat(number) for key, number in _NUMBERS.items()}
    if name == "exp":
        return _EXPONENTIAL.format(**types, **numbers, exp=_polynomial("q", "r", _EXP, types))
    slow, scalar = Instructions(machine), c_function(name, "", 1)
    assert scalar is not None
    called = slow.c_function(scalar, ["%x"])
    return _TURNED.format(
        **types,
        **numbers,
        name=name,
        shift=int(name == "cos"),
        near_zero="%x" if name == "sin" else splat(1.0),
        sin=_polynomial("s", "z", _SIN, types),
        cos=_polynomial("c", "z", _COS, types),
        lanes=machine.lanes,
        calls="\n".join(slow.lines),
        called=called,
    )


def _polynomial(name: str, x: str, coefficients: Sequence[float], types: Mapping[str, str]) -> str:
    """A polynomial of `x`, by two polynomials of its square, which are computed side by side."""
    vector, fma = types["V"], f"call {types['V']} @llvm.fma.{types['S']}"
    square, halves = f"%{name}_square", []
    lines = [f"{square} = fmul {vector} %{x}, %{x}"]
    for kind, part in (("even", coefficients[::2]), ("odd", coefficients[1::2])):
        text, *others = map(splat, reversed(part))
        for place, number in enumerate(others):
            lines.append(f"%{name}_{kind}{place} = {fma}({vector} {text}, {vector} {square}, {vector} {number})")
            text = f"%{name}_{kind}{place}"
        halves.append(text)
    return "\n".join([*lines, f"%{name} = {fma}({vector} {halves[1]}, {vector} %{x}, {vector} {halves[0]})"])
