// robot/tank/tank_errata.c: mistakes of RoboSim (C. Gerth, FRC 1736).
#include "robot/errata.h"

const ib_Erratum ib_tank_errata[] = {
    {"1.3b, 3.1, 3.3.1", "sums over i = 0 .. n", "i = 1 .. n, or a method of higher order",
     "n intervals have n strips: at 1 m/s^2 and 50 ms the sum has 1.05 m/s after 1 s, and 0.5775 m "
     "instead of 0.5 m (Euler: 0.475 m).",
     "ironbird run scenarios/primer_calculus.yaml"},
    {"1.3, 13.2", "50 ms is hard-coded and 'a very close approximation'; it can be set",
     "a step for which the method is accurate and stable",
     "Both cannot be. With every formula corrected Euler's method at 50 ms has gone 15 % too far "
     "after 0.5 s (1.263 m instead of 1.098 m); with 4.2e the longest stable step is 0.84 ms.",
     "ironbird verify tank"},
    {"2", "atan2(X, Y), range [0, 2 pi]",
     "atan2(y, x), range (-pi, pi]; a heading is the sum of the yaw rate and never jumps",
     "C, Octave, Python and Java take y first: a robot that drives along x is told that it drives "
     "along y. The table below the sentence gives (-180 deg, 180 deg], in a document of radians.",
     "ironbird run scenarios/primer_turn.yaml --at '2 s'"},
    {"3.3.2", "the moment of inertia is constant", "it grows with the arm",
     "5 kg that go out by a foot add mu r^2 with mu = 60 kg 5/65: 4.821 instead of 4.392 kg m^2, "
     "and a yaw acceleration 9.8 % lower. The same section says why it is not constant.",
     "ironbird run scenarios/primer_rotation.yaml"},
    {"3.4, 7.2", "r = 8.3144621 and r = 8.31", "one gas constant",
     "What 7.2 counts in, 3.4 turns into 0.05 % more pressure.", "ironbird verify tank"},
    {"3.5.2", "resistance is how easily current passes", "how hard",
     "At twice the resistance the drop doubles.", "ironbird verify tank"},
    {"4.2c, d", "no loss torque", "T = Kt I - b w (drive.loss)",
     "Running free at 5421.5 rpm and 0 A instead of 5310 rpm and 2.7 A (ironbird verify motor).",
     "ironbird run scenarios/primer_electricity.yaml --set robot.drive.loss=none --set expect=[]"},
    {"4.2e", "forward Euler at 50 ms", "4.1c (backward Euler), or the current without lag",
     "It does not follow from 4.1c, two pages before. With the inductance of a CIM (59 uH) the "
     "current is 10 164 A after one step and the run stops; with 4.1c it goes through.",
     "ironbird run scenarios/tank_straight.yaml --set robot.equations=published --set "
     "robot.drive.current=implicit --set run.solver=euler --set run.step='50 ms' --set expect=[]"},
    {"R_m (code)", "R = 0.3 ohm", "12 V/131.227 A = 0.0914 ohm",
     "2.14 instead of 3.40 m/s after half a second: 30 % of the motor.",
     "ironbird run scenarios/tank_straight.yaml --at '0.5 s' --set expect=[] --set "
     "robot.drive.motor='{voltage: 12 V, stall_torque: 0.7404 N*m, stall_current: 40 A, "
     "free_speed: 5310 rpm, free_current: 2.7 A}'"},
    {"5.1, 9", "the voltage needs the currents, and they need the voltage",
     "one linear equation, solved at the same instant",
     "In the order of the text the sag comes one step late, which alone lowers the stable limit of "
     "4.2e from 1.29 to 0.84 ms. The voltage is down to 7.865 V at the first instant.",
     "ironbird run scenarios/tank_straight.yaml --at '0 s'"},
    {"5.2, text", "17 A for one hour", "17 A h at the 20 h rate (0.85 A)",
     "A lead-acid battery gives 60 to 65 % of its charge in an hour (Peukert): at 17 A it is empty "
     "after 34.4 min.",
     "ironbird run scenarios/tank_straight.yaml --set expect=[] --set inputs='{left: 0 V, right: "
     "0 V}' --set robot.wheels='{model: rolling}' --set robot.battery=es17-12 --set "
     "robot.background_current='17 A' --duration '2064 s' --set run.step='1 s' --signals "
     "battery.charge"},
    {"7", "half-litre tanks", "0.574 L (35 cubic inches), as sold and as configured",
     "Two of half a litre are full after 32.2 s, not 36.9 s: 13 % too soon.",
     "ironbird verify tank"},
    {"7.2", "P[n-1] F Ts/(r T)", "P_atm F Ts/(r T)",
     "A compressor's flow is free air. With the tank's pressure there is 9.17 times as much at "
     "120 psig: full in 8.94 s instead of 36.92 s, and 299 W of compression at 100 psig out of "
     "108 W of electricity.",
     "ironbird run scenarios/primer_air.yaml --set robot.equations=published --at '8.93 s,8.94 s' "
     "--set expect=[]"},
    {"7.2, text", "the higher the pressure, the more current",
     "its own table: 10 A at 90 psig, 9 A at 120 psig", "The current falls with the flow.",
     "ironbird verify tank"},
    {"9a", "N (I_L + I_R)", "N (d_L I_L + d_R I_R)",
     "A bridge with duty d passes power on: V drawn = d V I. As printed a turn in place takes "
     "0.5 A, while the windings turn 289 J into heat in the first second: 907 J come from nothing.",
     "ironbird run scenarios/tank_turn.yaml --set robot.equations=published --duration '1 s' --set "
     "expect=[]"},
    {"9a (code)", "the magnitudes of the currents are added", "N (d_L I_L + d_R I_R)",
     "Braking never charges: 1446 J of 5978 J in an arc are unaccounted for.", NULL},
    {"10.1, 10.2", "1/(D_W R)", "2 G/D_W",
     "The lever of a wheel is its radius: half of the stall force, 683 N instead of 1366 N.",
     "ironbird run scenarios/tank_straight.yaml --set robot.equations=published --set expect=[]"},
    {"10.3a, b", "atan2(Vy/Vx) - th", "-Vx sin th + Vy cos th",
     "0/0 at rest. The ratio loses the quadrant: rolling backwards, friction pushes the robot "
     "sideways, 0.140 m/s after 0.1 s instead of 0.072 m/s, and past 1000 m/s at 2.76 s.",
     "ironbird run scenarios/tank_straight.yaml --set start.velocity='{x: -1 m/s, y: 0.1 m/s}' "
     "--set inputs='{left: 0 V, right: 0 V}' --at '0.1 s' --signals velocity.left --set "
     "robot.equations=published --duration '0.2 s' --set expect=[]"},
    {"10.3c", "-V K, called kinetic friction",
     "viscous, with K in N s/m; or mu times the load at each patch (3.2.5, wheels.model)",
     "With the program's 200 N s/m an arc of 12 V and 6 V turns the robot by 14.87 rad in 5 s; "
     "tyres that hold turn it by 1.01 rad.",
     "ironbird run scenarios/tank_arc.yaml --set robot.wheels=traction --set "
     "robot.drive.rotor_inertia='7.75e-5 kg*m^2' --set expect=[]"},
    {"10.4", "only the mass is set in motion", "the rotors too (drive.rotor_inertia)",
     "Four of 7.75e-5 kg m^2 behind a reduction of 10.71 weigh as much as 6.1 kg of robot: a tenth "
     "of the kinetic energy.",
     "ironbird verify tank"},
    {"Figure 12", "MotorWidth is the robot's half width", "half the track",
     "A robot 0.76 m wide turns in place at 10.6 rad/s as drawn, at 13.5 rad/s where its wheels "
     "are.",
     "ironbird verify tank"},
    {"10.5", "2 pi/(D_W R)", "2 G/D_W",
     "One turn moves the robot by pi D: a top speed of 1.285 m/s instead of 4.037 m/s. With 10.1 "
     "as printed the robot gets 1/(2 pi) = 0.159 of the motors' power.",
     "ironbird run scenarios/tank_straight.yaml --set robot.equations=published --set expect=[]"},
    {"12", "a wall reverses one component of the velocity",
     "an impulse at the touching corner, j = -(1 + e) v_n/(1/M + (r x n)^2/I), with friction",
     "A corner at 20 deg that meets a wall with 2 m/s turns the robot with 4.6 rad/s; as printed "
     "its yaw rate stays zero. The document announces this as future work.",
     "ironbird run scenarios/primer_bounce.yaml"},
    {"7.1 (code)", "70 deg F in kelvin with 274.15", "273.15",
     "1 K too warm: 0.34 % of the pressure.", NULL},
    {"code", "leak and valve flows per step; force from kilopascals divided by 1000",
     "per second; multiplied by 1000",
     "A leak that grows with the sample rate, and a cylinder a million times too weak.", NULL},
    {0},
};
