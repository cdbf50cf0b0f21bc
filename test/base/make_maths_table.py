#!/usr/bin/python3
"""Computes every number behind base/maths.h with mpmath, and the table that tests it.

    /usr/bin/python3 test/base/make_maths_table.py

writes src/base/maths_tables.h (coefficients and tables) and test/base/maths_table.h (arguments with
their true function values). Both are committed; run it again only to change them. The random
arguments have a fixed seed, so the output is always the same. Needs Debian's python3-mpmath.
"""
import pathlib
import random
import struct

from mpmath import mp, mpf

mp.prec = 1400  # enough for the remainder of 1.8e308 by pi/2 and 200 bits more
ROOT = pathlib.Path(__file__).resolve().parents[2]


# ------------------------------------------------------------------ doubles and their bits


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def from_bits(b):
    return struct.unpack("<d", struct.pack("<Q", b))[0]


def nearest(v):
    """The double nearest to v, ties to even, with gradual underflow and overflow to infinity."""
    v = mpf(v)
    if v == 0:
        return 0.0
    if mp.isinf(v):
        return float(v)
    exponent = max(mp.frexp(v)[1] - 53, -1074)
    scaled = mp.ldexp(v, -exponent)
    whole = int(mp.nint(scaled))  # mpmath rounds ties to even
    if abs(whole) * mpf(2) ** exponent >= mpf(2) ** 1024:
        return float("inf") if v > 0 else float("-inf")
    return float(mp.ldexp(whole, exponent))


def cut(v, unit):
    """v rounded to a multiple of 2^-unit, as a double."""
    return nearest(mp.ldexp(mp.nint(mp.ldexp(v, unit)), -unit))


# ------------------------------------------------------------------ src/base/maths_tables.h


def chebyshev_fit(f, end, count):
    """Coefficients of the polynomial that meets f at the Chebyshev points of [0, end], stretched
    so that one more point lies at 0: f is multiplied by its argument where it is used, so that its
    error counts little there."""
    order = count + 1
    edge = mp.cos(mp.pi / (2 * order))
    angles = [mp.pi * (2 * i + 1) / (2 * order) for i in range(count)]
    points = [end * (mp.cos(a) + edge) / (1 + edge) for a in angles]
    rows = mp.matrix(count, count)
    for i, z in enumerate(points):
        for j in range(count):
            rows[i, j] = z**j
    return list(mp.lu_solve(rows, mp.matrix([f(z) for z in points])))


def sine_series(z):
    """(r - sin r) / r^3, with z = r^2."""
    return sum((-1) ** (k + 1) * z ** (k - 1) / mp.factorial(2 * k + 1) for k in range(1, 40))


def cosine_series(z):
    """(cos r - 1 + z/2) / z^2."""
    return sum((-1) ** k * z ** (k - 2) / mp.factorial(2 * k) for k in range(2, 40))


def define(name, value):
    return f"#define {name} {float(value).hex()}\n"


def array(name, sentence, kind, items, per_line):
    lines = [f"// {sentence}\n", f"IB_MATHS_FN const {kind} *{name}(void)\n{{\n"]
    lines.append(f"    static const {kind} table[{len(items)}] = {{\n")
    for i in range(0, len(items), per_line):
        lines.append("        " + ", ".join(items[i : i + per_line]) + ",\n")
    lines.append("    };\n    return table;\n}\n\n")
    return "".join(lines)


def log_rows():
    rows = []
    for i in range(128):  # interval i of the mantissa: see IB__LOG_FIRST
        low, high = (from_bits(LOG_FIRST + ((i + d) << 45)) for d in (0, 1))
        inverse = 1.0 if low < 1 < high else cut(2 / (mpf(low) + mpf(high)), 20)
        value = -mp.log(mpf(inverse))
        head = cut(value, 40)
        rows += [inverse.hex(), head.hex(), nearest(value - head).hex()]
    return rows


def pair_rows(values):
    rows = []
    for value in values:
        head = nearest(value)
        rows += [head.hex(), nearest(value - head).hex()]
    return rows


# The 128 mantissa intervals of 2^45 units start here; 1.0 is the middle of interval 75.
LOG_FIRST = bits(1.0) - (75 << 45) - (1 << 44)

TABLES_HEAD = """\
// base/maths_tables.h: the numbers behind base/maths.h, written by test/base/make_maths_table.py.
//
// Do not edit; the generator says how each is computed. A table is a local of a function because
// that is the one form that C17 and CUDA C++ device code share.
// clang-format off
#ifndef IB_BASE_MATHS_TABLES_H
#define IB_BASE_MATHS_TABLES_H

#include <stdint.h>

#ifdef __CUDACC__
#define IB_MATHS_FN static __host__ __device__ inline
#else
#define IB_MATHS_FN static inline
#endif

"""


def constants():
    out = []
    half_pi = mp.pi / 2
    first = cut(half_pi, 36)
    second = cut(half_pi - first, 73)
    out.append("// pi/2 = 1 + 2 + 3, the first two with 37 bits so that n < 2^16 times each is exact.\n")
    out.append(define("IB__TWO_OVER_PI", nearest(2 / mp.pi)))
    out.append(define("IB__HALF_PI_1", first) + define("IB__HALF_PI_2", second))
    out.append(define("IB__HALF_PI_3", nearest(half_pi - first - second)))
    out.append("\n// pi/2 as a head and a tail.\n")
    head = nearest(half_pi)
    out.append(define("IB__HALF_PI_HEAD", head) + define("IB__HALF_PI_TAIL", nearest(half_pi - head)))
    end = mpf("0.7855") ** 2
    out.append("\n// sin r = r - r z (S0 + S1 z + ...), z = r^2, |r| <= 0.7855\n")
    for i, c in enumerate(chebyshev_fit(sine_series, end, 6)):
        out.append(define(f"IB__SIN_{i}", nearest(c)))
    out.append("\n// cos r = 1 - z/2 + z^2 (C0 + C1 z + ...)\n")
    for i, c in enumerate(chebyshev_fit(cosine_series, end, 6)):
        out.append(define(f"IB__COS_{i}", nearest(c)))
    ln2 = mp.log(2)
    step = cut(ln2 / 128, 41)
    out.append("\n// ln 2 / 128 = 1 + 2, the first with 34 bits so that n < 2^19 times it is exact.\n")
    out.append(define("IB__STEPS_PER_E", nearest(128 / ln2)))
    out.append(define("IB__STEP_1", step) + define("IB__STEP_2", nearest(ln2 / 128 - step)))
    head = cut(ln2, 40)
    out.append("\n// ln 2, the head a multiple of 2^-40 as in ib__log_table.\n")
    out.append(define("IB__LN2_HEAD", head) + define("IB__LN2_TAIL", nearest(ln2 - head)))
    out.append("\n// Bits of the double where the first interval of ib__log_table begins (0.705...).\n")
    out.append(f"#define IB__LOG_FIRST UINT64_C({LOG_FIRST:#x})\n\n")
    return "".join(out)


def write_tables():
    two_over_pi = int(mp.floor(mp.ldexp(2 / mp.pi, 38 * 32)))
    words = [0, 0] + [(two_over_pi >> (32 * (37 - i))) & 0xFFFFFFFF for i in range(38)]
    text = TABLES_HEAD + constants()
    text += array("ib__two_over_pi_words", "2/pi in base 2^32 behind 64 zero bits.", "uint32_t",
                  [f"{w:#010x}" for w in words], 8)
    text += array("ib__exp_table", "2^(j/128) as head and tail, j = 0..127.", "double",
                  pair_rows([mpf(2) ** (mpf(j) / 128) for j in range(128)]), 4)
    text += array("ib__log_table", "Per interval: c (20 bits), then -ln c as head (unit 2^-40) and tail.",
                  "double", log_rows(), 3)
    text += array("ib__atan_table", "atan(k/32) as head and tail, k = 0..32.", "double",
                  pair_rows([mp.atan(mpf(k) / 32) for k in range(33)]), 4)
    (ROOT / "src/base/maths_tables.h").write_text(text + "#endif\n")


# ------------------------------------------------------------------ test/base/maths_table.h

RANDOM = random.Random(20)  # every argument list draws from this one, in the order of main()
INFINITY = float("inf")


def graded(v):
    """The nearest double's bits, and how far the true value lies beyond it in 1/1024 ulp."""
    ref = nearest(v)
    if ref in (INFINITY, -INFINITY):
        return f"{bits(ref):#x}", "0"
    exponent = -1074 if v == 0 else max(mp.frexp(v)[1] - 53, -1074)
    rest = int(mp.nint(mp.ldexp((mpf(v) - mpf(ref)), 10 - exponent)))
    return f"{bits(ref):#x}", str(rest if ref > 0 or rest == 0 else -rest)


def any_double():
    """Uniform over all finite bit patterns."""
    while True:
        x = from_bits(RANDOM.getrandbits(64))
        if abs(x) < INFINITY:
            return x


def scaled(low, high):
    """Either sign, uniform over the exponents low..high."""
    x = nearest(mp.ldexp(1 + mpf(RANDOM.getrandbits(52)) / 2**52, RANDOM.randint(low, high)))
    return x if RANDOM.getrandbits(1) else -x


def uniform(low, high, count):
    return [RANDOM.uniform(low, high) for _ in range(count)]


def neighbours(x, steps):
    return [from_bits(bits(x) + d) for d in range(-steps, steps + 1)]


def near_quarter_turns():
    """For every exponent e the m 2^e nearest to a multiple of pi/2, from the continued fraction."""
    found = []
    for e in range(-20, 971):
        ratio = mp.ldexp(mp.pi / 2, -e)
        before, now, rest = 0, 1, ratio  # numerators of the convergents m/n of ratio
        while True:
            whole = int(mp.floor(rest))
            before, now = now, whole * now + before
            if now >= 2**53:
                break
            rest = 1 / (rest - whole)
        found.append(nearest(mp.ldexp(before, e)))
    return [x for x in found if x > 0]


def sincos_arguments():
    args = uniform(-4, 4, 400) + uniform(-1e5, 1e5, 400) + [any_double() for _ in range(400)]
    args += [scaled(-30, 16) for _ in range(200)] + [scaled(16, 80) for _ in range(200)]
    for _ in range(100):
        args += neighbours(nearest(RANDOM.randrange(1, 2**16) * mp.pi / 2), 1)
        args += neighbours(nearest(RANDOM.randrange(1, 2**16) * mp.pi / 4), 1)
    args += neighbours(1e5, 3) + [5e-324, -5e-324, 1.7976931348623157e308]
    return args + near_quarter_turns()


def exp_arguments():
    args = uniform(-1, 1, 500) + uniform(-745.2, 709.8, 700) + uniform(-746, -708, 400)
    args += [scaled(-60, 9) for _ in range(400)] + [any_double() for _ in range(100)]
    for x in (709.782712893384, -708.3964185322641, -745.1332191019411, -744.4400719213812):
        args += neighbours(x, 4)
    return args


def log_arguments():
    args = [abs(any_double()) for _ in range(800)] + uniform(0.5, 2, 500)
    args += [1 + scaled(-52, -3) for _ in range(500)]
    args += [from_bits(RANDOM.getrandbits(RANDOM.randint(1, 52)) + 1) for _ in range(300)]
    for edge in range(129):  # where the table changes its row
        args += neighbours(from_bits(LOG_FIRST + (edge << 45)), 1)
    return [x for x in args if x > 0]


def tanh_arguments():
    args = uniform(-1, 1, 700) + uniform(-22, 22, 500) + [scaled(-60, 4) for _ in range(700)]
    return args + [any_double() for _ in range(100)] + neighbours(2.0**-28, 2) + neighbours(20.0, 2)


def atan_arguments():
    args = uniform(-4, 4, 700) + [scaled(-60, 60) for _ in range(900)]
    args += [any_double() for _ in range(400)]
    for k in range(1, 65):  # where the table changes its row
        args += neighbours(k / 64, 1)
    return args


def atan2_arguments():
    box = [(RANDOM.uniform(-1, 1), RANDOM.uniform(-1, 1)) for _ in range(600)]
    far = [(any_double(), any_double()) for _ in range(400)]
    near = [(scaled(-40, 40), scaled(-40, 40)) for _ in range(600)]
    huge = [(scaled(970, 1023), scaled(970, 1023)) for _ in range(200)]
    tiny = [(scaled(-1074, -1000), scaled(-1074, -1000)) for _ in range(200)]
    small = [(scaled(-1074, -980), abs(scaled(0, 60))) for _ in range(200)]
    return box + far + near + huge + tiny + small


def pow_arguments():
    def for_result(x, low, high):
        return (x, nearest(mpf(RANDOM.uniform(low, high)) / mp.log(x)))

    args = [(abs(scaled(-4, 4)), RANDOM.uniform(-30, 30)) for _ in range(500)]
    args += [for_result(abs(any_double()), -745, 709.7) for _ in range(600)]
    args += [for_result(1 + scaled(-52, -3), -745, 709.7) for _ in range(600)]
    args += [for_result(abs(scaled(-60, 60)), 709.78, 709.7829) for _ in range(200)]
    args += [for_result(abs(scaled(-60, 60)), -745.2, -708) for _ in range(400)]
    args += [for_result(1 + scaled(-52, -30), -1e-9, 1e-9) for _ in range(200)]
    args += [(abs(any_double()), scaled(-60, -8)) for _ in range(200)]
    whole = [float(n) for n in range(-40, 41) if n]
    args += [(RANDOM.choice(whole), RANDOM.choice(whole)) for _ in range(300)]
    args += [(-abs(scaled(-8, 8)), RANDOM.choice(whole)) for _ in range(200)]
    args += [(1 + RANDOM.getrandbits(26) / 2.0**26, RANDOM.choice([2.0, 3.0])) for _ in range(200)]
    return [(x, y) for x, y in args if x not in (0.0, 1.0)]


def power(x, y):
    log = mpf(y) * mp.log(abs(mpf(x)))
    size = mpf("inf") if log > 800 else mpf(0) if log < -800 else mp.exp(log)
    return -size if x < 0 and y % 2 == 1 else size


def exponential(x):
    return mpf("inf") if x > 800 else mpf(0) if x < -800 else mp.exp(mpf(x))


def tangent(x):
    x = mpf(x)  # at |x| < 2^-600, 1400 bits could not hold 1 + x^2
    return x - x**3 / 3 if abs(x) < mpf(2) ** -100 else mp.sign(x) if abs(x) > 400 else mp.tanh(x)


def arc(y, x):
    y, x = mpf(y), mpf(x)
    small = x > 0 and abs(y / x) < mpf(2) ** -100
    return y / x - (y / x) ** 3 / 3 if small else mp.atan2(y, x)


def case_rows(arguments, *functions):
    """One row per argument: its bits, then value and rest for each function."""
    rows = []
    for args in arguments:
        args = args if isinstance(args, tuple) else (args,)
        cells = [f"{bits(a):#x}" for a in args]
        for function in functions:
            cells += graded(function(*args))
        rows.append("{" + ",".join(cells) + "}")
    return rows


CASES_HEAD = """\
// test/base/maths_table.h: arguments and true function values, written by make_maths_table.py.
//
// Doubles are given as bits. The true value is `value` plus `rest`/1024 ulp, away from zero.
// clang-format off
#ifndef IB_TEST_MATHS_TABLE_H
#define IB_TEST_MATHS_TABLE_H

#include <stdint.h>

typedef struct SincosCase {
    uint64_t x, sin;
    int sin_rest;
    uint64_t cos;
    int cos_rest;
} SincosCase;

typedef struct UnaryCase {
    uint64_t x, value;
    int rest;
} UnaryCase;

typedef struct BinaryCase {
    uint64_t a, b, value; ///< pow(a, b), atan2(a, b)
    int rest;
} BinaryCase;

"""


def case_array(kind, name, rows):
    lines, line = [], ""
    for row in rows:
        if len(line) + len(row) > 98:
            lines.append(line + "\n")
            line = ""
        line += row + ","
    lines.append(line + "\n")
    return f"static const {kind} {name}[] = {{\n" + "".join(lines) + "};\n\n"


def write_cases():
    sine, cosine = (lambda x: mp.sin(mpf(x))), (lambda x: mp.cos(mpf(x)))
    log, atan = (lambda x: mp.log(mpf(x))), (lambda x: arc(x, 1.0))
    text = CASES_HEAD
    text += case_array("SincosCase", "sincos_cases", case_rows(sincos_arguments(), sine, cosine))
    text += case_array("UnaryCase", "exp_cases", case_rows(exp_arguments(), exponential))
    text += case_array("UnaryCase", "log_cases", case_rows(log_arguments(), log))
    text += case_array("UnaryCase", "tanh_cases", case_rows(tanh_arguments(), tangent))
    text += case_array("UnaryCase", "atan_cases", case_rows(atan_arguments(), atan))
    text += case_array("BinaryCase", "atan2_cases", case_rows(atan2_arguments(), arc))
    text += case_array("BinaryCase", "pow_cases", case_rows(pow_arguments(), power))
    (ROOT / "test/base/maths_table.h").write_text(text + "#endif\n")


if __name__ == "__main__":
    write_tables()
    write_cases()
