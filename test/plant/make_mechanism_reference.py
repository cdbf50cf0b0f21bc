#!/usr/bin/python3
"""Prints the responses that test_mechanism.c compares with: /usr/bin/python3 test/plant/make_mechanism_reference.py

Written from the equations of motion, not from the C code: each plant is its Lagrangian's mass matrix and
generalised forces, each motor its current. Solved by DOP853 at a relative tolerance of 1e-13.
"""
import numpy as np
from scipy.integrate import solve_ivp

RPM = 2 * np.pi / 60
CIM = dict(V=12.0, Ts=2.42, Is=133.0, wf=5310 * RPM, If=2.7, J=7.75e-5)
G0 = 9.80665


def motor(n, gear, eta, viscous):
    """Torque of n motors behind a gear, as a function of voltage and output speed, and their inertia there."""
    R, Kt = CIM["V"] / CIM["Is"], CIM["Ts"] / CIM["Is"]
    Ke = (CIM["V"] - CIM["If"] * R) / CIM["wf"]
    b = Kt * CIM["If"] / CIM["wf"] if viscous else 0.0

    def torque(volts, w):
        current = (volts - Ke * gear * w) / R
        return eta * n * gear * (Kt * current - b * gear * w)

    return torque, n * gear**2 * CIM["J"]


def second_order(mass, force):
    """Positions and speeds interleaved (x1 v1 x2 v2 …): mass(q) q'' = force(q, q', u)."""
    def f(x, u):
        q, qd = x[0::2], x[1::2]
        out = np.empty_like(x)
        out[0::2], out[1::2] = qd, np.linalg.solve(mass(q), force(q, qd, u))
        return out
    return f


def drivetrain():
    torque, J = motor(3, 8.45, 0.9, True)
    m, I, W, r = 50.0, 4.0, 0.28, 0.076
    M = np.array([[m / 4 + I / (4 * W * W) + J / r**2, m / 4 - I / (4 * W * W)],
                  [m / 4 - I / (4 * W * W), m / 4 + I / (4 * W * W) + J / r**2]])
    return second_order(lambda q: M, lambda q, v, u: np.array([torque(u[i], v[i] / r) / r for i in (0, 1)]))


def elevator():
    torque, J = motor(2, 12.0, 0.85, False)
    m, lever, slope, spring = 8.0, 2 * 0.018, np.radians(80), 15.0
    M = np.array([[m + J / lever**2]])
    return second_order(lambda q: M, lambda q, v, u: np.array(
        [torque(u[0], v[0] / lever) / lever - m * G0 * np.sin(slope) + spring]))


def flywheel():
    torque, J = motor(2, 1.5, 0.95, True)
    return lambda x, u: np.array([(torque(u[0], x[0]) - 2e-4 * x[0]) / (0.004 + J)])


def single_arm():
    torque, J = motor(1, 120.0, 0.8, False)
    m, l, inertia = 3.5, 0.45, 0.9
    return second_order(lambda q: np.array([[inertia + J]]), lambda q, v, u: np.array(
        [torque(u[0], v[0]) - m * G0 * l * np.cos(q[0])]))


def lift():
    torque, J = motor(1, 25.0, 0.9, False)
    m, I, W, mc, k, c, r = 18.0, 1.3, 0.45, 6.0, 400.0, 20.0, 0.021
    own = J / r**2 + mc / 2
    M = np.array([[m / 4 + I / (4 * W * W) + own, m / 4 - I / (4 * W * W)],
                  [m / 4 - I / (4 * W * W), m / 4 + I / (4 * W * W) + own]])

    def force(q, v, u):
        tilt = -(k * (q[1] - q[0]) + c * (v[1] - v[0])) / (2 * W)
        pull = np.array([torque(u[i], v[i] / r) / r for i in (0, 1)])
        return pull - (m - mc) * G0 / 2 + np.array([-tilt, tilt]) / (2 * W)

    return second_order(lambda q: M, force)


def two_mass():
    torque, J = motor(1, 4.0, 0.92, True)
    r, pulley, m, k, c, f = 0.019, 1.5e-4, 6.0, 15000.0, 8.0, 3.0
    M = np.diag([(pulley + J) / r**2, m])

    def force(q, v, u):
        belt = k * (q[0] - q[1]) + c * (v[0] - v[1])
        return np.array([torque(u[0], v[0] / r) / r - belt, belt - f * v[1]])

    return second_order(lambda q: M, force)


def shooter():
    torque, J = motor(2, 1.0, 0.97, False)
    hub, mt, r0, a = 0.0012 + J, 0.4, 0.05, 0.06 / (4000 * RPM)**2

    def f(x, u):
        w = x[0]
        # L = hub w + mt r0^2 (w + 2 a w^3 + a^2 w^5)
        slope = hub + mt * r0**2 * (1 + 6 * a * w**2 + 5 * a**2 * w**4)
        return np.array([(torque(u[0], w) - 1e-4 * w) / slope])

    return f


CASES = [
    ("drivetrain", drivetrain, [0.1, 0.5, -0.2, 1.5], [9, -4], 0.4),
    ("elevator", elevator, [0.2, -0.4], [7], 0.3),
    ("flywheel", flywheel, [40.0], [11], 0.6),
    ("single_arm", single_arm, [-0.5, 1.0], [5], 0.5),
    ("lift", lift, [0.1, 0.0, 0.15, 0.2], [8, 5], 0.5),
    ("two_mass", two_mass, [0.0, 0.3, 0.005, -0.2], [6], 0.05),
    ("shooter", shooter, [100.0], [12], 0.3),
]

for name, make, x0, u, end in CASES:
    f = make()
    s = solve_ivp(lambda t, x: f(x, u), (0, end), np.array(x0, float), method="DOP853", rtol=1e-13, atol=1e-15)
    print(name, end, ", ".join("%.15g" % v for v in s.y[:, -1]))
