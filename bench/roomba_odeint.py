"""bench/roomba_odeint.py: the authors' way to run the Roomba's 18 s schedule, timed.

scipy's odeint at its default tolerance on 50 points from 0 to 18 s, the forces switched inside the
right-hand side. Twice: in the style of the appendix (numpy's cos and sin on scalars taken from the state
array, an array made for every answer), and with plain Python floats, the best that Python can do without
another method. Prints one figure a line, "key value unit", for bench/run.sh.
"""

import math
import sys
import time

import numpy
from scipy.integrate import odeint

MASS, RADIUS = 2.7, 0.33 / 2  # kg, m
DRAG, SIDE_DRAG = 3.4, 1000.0  # N s^2/m^2, each wheel
TIMES = numpy.linspace(0, 18, 50)  # s

# x, vx, y, vy, heading, yaw rate at 18 s, to ten digits by an independent solver.  [reference A3]
REFERENCE = [3.9985540644, 0.060148249908, -0.031352124698, -0.0012038179764, 6.2663925202, 5.4744010664e-10]


def wheel_forces(t):
    """Ahead, once round a circle, ahead, coast."""
    if t < 2.4:
        return 2.7, 2.7
    if t < 10.6665:
        return 1.4, 2.7
    if t < 11.84589:
        return 2.7, 2.7
    return 0.0, 0.0


def rate_with_arrays(state, t):
    """Each use of the heading is a numpy call on a numpy scalar, as in the appendix (whose abs is Python's)."""
    left, right = wheel_forces(t)
    v_left = state[1] * numpy.cos(state[4]) + state[3] * numpy.sin(state[4]) - state[5] * RADIUS
    v_right = state[1] * numpy.cos(state[4]) + state[3] * numpy.sin(state[4]) + state[5] * RADIUS
    v_across = state[3] * numpy.cos(state[4]) - state[1] * numpy.sin(state[4])
    along = left + right - DRAG * (v_right * abs(v_right) + v_left * abs(v_left))
    across = SIDE_DRAG * v_across * abs(v_across)
    turn = right - left - DRAG * v_right * abs(v_right) + DRAG * v_left * abs(v_left)
    return numpy.array([
        state[1],
        (along * numpy.cos(state[4]) + 2 * numpy.sin(state[4]) * across) / MASS,
        state[3],
        (along * numpy.sin(state[4]) - 2 * numpy.cos(state[4]) * across) / MASS,
        state[5],
        turn / (0.5 * MASS * RADIUS),
    ]).transpose()


def rate_with_floats(state, t):
    """The same with one conversion, one cosine and one sine."""
    left, right = wheel_forces(t)
    _, vx, _, vy, heading, yaw = state.tolist()
    c, s = math.cos(heading), math.sin(heading)
    v_along, v_across = vx * c + vy * s, vy * c - vx * s
    v_left, v_right = v_along - yaw * RADIUS, v_along + yaw * RADIUS
    drag_left, drag_right = DRAG * v_left * abs(v_left), DRAG * v_right * abs(v_right)
    along = left + right - drag_left - drag_right
    across = 2 * SIDE_DRAG * v_across * abs(v_across)
    return (
        vx,
        (along * c + across * s) / MASS,
        vy,
        (along * s - across * c) / MASS,
        yaw,
        (right - left - drag_right + drag_left) / (0.5 * MASS * RADIUS),
    )


def measure(key, rate, repeat):
    best = math.inf
    for _ in range(repeat):
        begin = time.perf_counter()
        states, info = odeint(rate, numpy.zeros(6), TIMES, full_output=True)
        best = min(best, time.perf_counter() - begin)
    error = max(abs(a - b) for a, b in zip(states[-1], REFERENCE))
    print(f"roomba.{key}.time {best * 1e6:.6g} us")
    print(f"roomba.{key}.error {error:.6g} 1")
    print(f"roomba.{key}.steps {info['nst'][-1]} 1")
    print(f"roomba.{key}.rates {info['nfe'][-1]} 1")


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    measure("odeint", rate_with_arrays, rounds)
    measure("odeint_floats", rate_with_floats, rounds)
