#!/usr/bin/env python3
"""Writes test/desk/broken/: design files that must be refused, where, and with which words.

Run it in its folder after changing a case; the files are kept beside it. In the texts an @ stands right
before the place at which the mistake must be reported and is taken out; without one the place is 1:1. The
first line of every file says what is expected: "# expect: LINE:COL words".
"""
import pathlib
import shutil

PLANT = "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], C: [[1, 0]], states: [x, v], inputs: [volts], outputs: [y]}\n"
PERIOD = "period: 5 ms\n"
LQR = "lqr: {tolerance: {x: 0.14, v: 0.95, volts: 12}}\n"
KALMAN = "kalman: {process: [0.0025, 1], measurement: [5e-11]}\n"
BASE = PLANT + PERIOD
DRIVE = PERIOD + "plant: {kind: drivetrain, "

cases = {
    # the plant by its matrices
    "empty": ("", "expected"),
    "a_list": ("@[1, 2]\n", "expected a map with keys such as plant and period"),
    "plant_missing": (PERIOD, "'plant' is missing"),
    "period_missing": (PLANT, "'period' is missing"),
    "plant_text": (PERIOD + "plant: @elevator\n", "expected a map with matrices"),
    "A_missing": (PERIOD + "@plant: {B: [[1]]}\n", "'A' is missing"),
    "B_missing": (PERIOD + "@plant: {A: [[1]]}\n", "'B' is missing"),
    "A_not_square": (PERIOD + "plant: {A: [@[0, 1, 2], [0, -2, 1]], B: [[0], [3]]}\n",
                     "A.0: expected 2 columns (as many as rows), got 3"),
    "A_ragged": (PERIOD + "plant: {A: [[0, 1], @[0]], B: [[0], [3]]}\n", "A.1: expected 2 columns"),
    "A_text": (PERIOD + "plant: {A: [[0, @one], [0, -2]], B: [[0], [3]]}\n", "A.0.1: "),
    "A_unit": (PERIOD + "plant: {A: [[0, @1 m], [0, -2]], B: [[0], [3]]}\n", "A.0.1: "),
    "A_infinite": (PERIOD + "plant: {A: [[0, @inf], [0, -2]], B: [[0], [3]]}\n", "A.0.1: "),
    "A_huge": (PERIOD + "plant: {A: [[0, @1e999], [0, -2]], B: [[0], [3]]}\n", "A.0.1: "),
    "A_too_large": (PERIOD + "plant: {A: @[" + ", ".join(["[" + ", ".join(["0"] * 17) + "]"] * 17) +
                    "], B: [[1]]}\n", "expected 1 to 16 rows, got 17"),
    "B_rows": (PERIOD + "plant: {A: [[0, 1], [0, -2]], B: @[[0], [3], [1]]}\n",
               "B: expected 2 rows (one for each state), got 3"),
    "B_flat": (PERIOD + "plant: {A: [[0, 1], [0, -2]], B: [@0, 3]}\n", "expected a row of numbers"),
    "C_columns": (PERIOD + "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], C: [@[1, 0, 0]]}\n",
                  "C.0: expected 2 columns (one for each state), got 3"),
    "D_rows": (PERIOD + "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], C: [[1, 0]], D: @[[0], [0]]}\n",
               "D: expected 1 row"),
    "D_columns": (PERIOD + "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], C: [[1, 0]], D: [@[0, 0]]}\n",
                  "D.0: expected 1 column"),
    "names_count": (PERIOD + "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], states: @[x]}\n",
                    "a list of 2 names, one for each state"),
    "names_twice": (PERIOD + "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], states: [x, @x]}\n",
                    "'x' is there twice"),
    "names_space": (PERIOD + "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], states: [x, @my speed]}\n",
                    "cannot name a state"),
    "names_input_state": (PERIOD + "plant: {A: [[0, 1], [0, -2]], B: [[0], [3]], states: [x, v], inputs: [@v]}\n",
                          "'v' names a state too"),
    "time_wrong": (PERIOD + "plant: {A: [[1]], B: [[1]], time: @sampled}\n", "expected continuous or discrete"),
    "plant_key": (PERIOD + "plant: {A: [[1]], B: [[1]], @E: [[1]]}\n", "unknown key"),
    # kinds
    "kind_unknown": (PERIOD + "plant: {kind: @elevater}\n", "there is no plant 'elevater'; did you mean 'elevator'?"),
    "kind_far": (PERIOD + "plant: {kind: @submarine}\n", "expected one of drivetrain, elevator"),
    "kind_bare": (DRIVE + "mass: @68}\n", "expected a mass"),
    "kind_dimension": (DRIVE + "mass: @68 m}\n", "expected a mass"),
    "kind_range": (DRIVE + "mass: @-1 kg}\n", "plant.mass: "),
    "kind_key": (DRIVE + "@weight: 68 kg}\n", "unknown key"),
    "kind_motor": (DRIVE + "motor: @cym}\n", "there is no motor 'cym'"),
    "at_matrices": (BASE + "@at: {x: 1}\n", "matrices have no operating point"),
    "at_state": (PERIOD + "plant: {kind: elevator}\nat: {@height: 1 m}\n", "at.height: unknown key"),
    "at_unit": (PERIOD + "plant: {kind: elevator}\nat: {x: @1 V}\n", "expected a length"),
    # period
    "period_zero": (PLANT + "period: @0 s\n", "expected more than 0 s"),
    "period_negative": (PLANT + "period: @-5 ms\n", "expected more than 0 s"),
    "period_bare": (PLANT + "period: @0.005\n", "expected a time"),
    "period_length": (PLANT + "period: @5 mm\n", "expected a time"),
    # weights
    "tolerance_state": (BASE + "lqr: {tolerance: {x: 0.1, @w: 1, volts: 12}}\n", "lqr.tolerance.w: unknown key"),
    "tolerance_input": (BASE + "lqr: {@tolerance: {x: 0.14, v: 0.95}}\n", "the tolerance of the input 'volts' is missing"),
    "tolerance_zero": (BASE + "lqr: {tolerance: {x: @0, v: 0.95, volts: 12}}\n", "expected a tolerance"),
    "tolerance_negative": (BASE + "lqr: {tolerance: {x: @-1, v: 0.95, volts: 12}}\n", "expected a tolerance"),
    "tolerance_unit": (BASE + "lqr: {tolerance: {x: @14 cm, v: 0.95, volts: 12}}\n", "the unit of 'x' is not known"),
    "tolerance_dimension": (PERIOD + "plant: {kind: elevator}\nlqr: {tolerance: {x: @1 V, volts: 12}}\n",
                            "expected a length"),
    "weights_size": (BASE + "lqr: {Q: @[[1, 0, 0], [0, 1, 0], [0, 0, 1]], R: [[1]]}\n",
                     "lqr.Q: expected 2 rows (one for each state), got 3"),
    "weights_R_size": (BASE + "lqr: {Q: [1, 1], R: @[[1, 0], [0, 1]]}\n", "lqr.R: expected 1 row (one for each input)"),
    "weights_symmetric": (BASE + "lqr: {Q: [[1, 0.5], [@0.4, 1]], R: [[1]]}\n",
                          "not symmetric: row 2, column 1 is 0.4, but row 1, column 2 is 0.5"),
    "weights_no_R": (BASE + "@lqr: {Q: [1, 1]}\n", "'R' is missing"),
    "weights_indefinite": (BASE + "@lqr: {Q: [-1, 1], R: [1]}\n", "lqr: "),
    "weights_R_zero": (BASE + "@lqr: {Q: [1, 1], R: [0]}\n", "lqr: "),
    "weights_both": (BASE + "lqr: {@tolerance: {x: 1, volts: 12}, Q: [1, 1], R: [1]}\n", "expected one of tolerance"),
    "weights_cross": (BASE + "lqr: {Q: [1, 1], R: [1], cross: @[[1, 2]]}\n", "lqr.cross: expected 2 rows"),
    "lqr_states": (BASE + "lqr: {states: [@w], tolerance: {volts: 12}}\n", "there is no state 'w'"),
    "lqr_coupled": (PLANT.replace("[0, -2]", "[1, -2]") + PERIOD +
                    "@lqr: {states: [v], tolerance: {v: 1, volts: 12}}\n", "'v' depends on 'x'"),
    # what no input moves
    "uncontrollable": (PERIOD + "@plant: {A: [[1, 0], [0, 2]], B: [[1], [0]], states: [x, v]}\n" +
                       "lqr: {tolerance: {x: 1, v: 1, u1: 1}}\n", "not controllable: the mode at"),
    "uncontrollable_stable": (PERIOD + "@plant: {A: [[0, 0], [0, -2]], B: [[1], [0]], states: [x, v]}\n" +
                              "lqr: {tolerance: {x: 1, v: 1, u1: 1}}\n", "it dies out by itself"),
    "uncontrollable_poles": (PERIOD + "@plant: {A: [[0, 0], [0, -2]], B: [[1], [0]]}\npoles: [0.9, 0.8]\n",
                             "not controllable: the mode at"),
    "undetectable": (PERIOD + "plant: {A: [[1, 0], [0, 2]], B: [[1], [1]], C: [[1, 0]], states: [x, v]}\n" +
                     "@kalman: {process: [1, 1], measurement: [1]}\n", "kalman: "),
    # poles
    "poles_count": (BASE + "poles: @[0.9]\n", "expected 2 poles"),
    "poles_unstable": (BASE + "poles: [0.9, @1.1]\n", "inside the unit circle"),
    "poles_alone": (BASE + "poles: [@0.8+0.1i, 0.9]\n", "0.8+0.1i stands alone: expected its conjugate"),
    "poles_text": (BASE + "poles: [@fast, 0.9]\n", "poles.0: "),
    "poles_map": (BASE + "poles: [@{im: 1}, 0.9]\n", "'re' is missing"),
    "poles_and_lqr": (BASE + LQR + "@poles: [0.9, 0.8]\n", "expected lqr or poles, not both"),
    # noise
    "kalman_size": (BASE + "kalman: {process: @[[1]], measurement: [1]}\n", "kalman.process: expected 2 rows"),
    "kalman_outputs": (BASE + "kalman: {process: [1, 1], measurement: @[1, 1]}\n",
                       "kalman.measurement: expected 1 number (one for each output), got 2"),
    "kalman_symmetric": (BASE + "kalman: {process: [[1, 0], [@1, 1]], measurement: [1]}\n", "not symmetric"),
    "kalman_missing": (BASE + "@kalman: {process: [1, 1]}\n", "'measurement' is missing"),
    "kalman_negative": (BASE + "@kalman: {process: [1, -1], measurement: [1]}\n", "kalman: "),
    "kalman_zero": (BASE + "@kalman: {process: [1, 1], measurement: [0]}\n", "kalman: "),
    "error_alone": (BASE + LQR + "@input_error: {density: [1]}\n", "expected kalman too"),
    "error_count": (BASE + LQR + KALMAN + "input_error: {density: @[1, 2]}\n", "expected 1 number (one for each input)"),
    "error_zero": (BASE + LQR + KALMAN + "input_error: {density: [@0]}\n", "expected more than 0"),
    "error_and_integral": (BASE + LQR + KALMAN + "integral: [x]\n@input_error: {density: [1]}\n",
                           "both take away a constant disturbance"),
    # the rest
    "integral_and_filter": (BASE + "lqr: {tolerance: {x: 0.14, v: 0.95, volts: 12, integral_x: 1}}\n" + KALMAN +
                            "@integral: [x]\n", "expected input_error"),
    "latency_states": (BASE + LQR + "@latency: 300 ms\n", "48 are the most"),
    "integral_state": (BASE + LQR + "integral: [@y]\n", "there is no state 'y'"),
    "integral_alone": (BASE + "@integral: [x]\n", "expected lqr or poles"),
    "integral_speed": (BASE + "lqr: {tolerance: {x: 1, v: 1, integral_v: 1, volts: 1}}\n@integral: [v]\n",
                       "not controllable"),
    "latency_long": (BASE + LQR + "latency: @1 s\n", "100 periods"),
    "latency_bare": (BASE + LQR + "latency: @1\n", "expected a time"),
    "limits_order": (BASE + LQR + "limits: {volts: [12, @-12]}\n", "expected more than the lowest"),
    "limits_input": (BASE + LQR + "limits: {@amps: [-12, 12]}\n", "unknown key"),
    "limits_point": (PERIOD + "plant: {kind: elevator}\nlqr: {tolerance: {x: 1, volts: 1}}\n@limits: {volts: [-12, -6]}\n",
                     "which holds the plant"),
    "feedforward_word": (BASE + LQR + "feedforward: @maybe\n", "expected true or false"),
    "key_unknown": (BASE + "@kalmann: 1\n", "did you mean 'kalman'?"),
    "check_unknown": (BASE + LQR + "check: {@dampng: 0.5}\n", "did you mean 'damping'?"),
    "check_unit": (BASE + LQR + "check: {phase_margin: @30}\n", "expected an angle"),
    "export_name": (BASE + LQR + "export: {name: @2 fast}\n", "is no name in C"),
    "export_type": (BASE + LQR + "export: {type: @half}\n", "expected float or double"),
    "try_state": (BASE + LQR + "try: {goal: {@w: 1}}\n", "unknown key"),
    "try_duration": (BASE + LQR + "try: {duration: @0 s}\n", "expected more than 0 s"),
    # polytopes
    "polytope_k": (BASE + "polytope: {H: [[1, 0], [-1, 0]], k: @[1], dot: [0, 0]}\n",
                   "polytope.k: expected 2 numbers (as H has rows), got 1"),
    "polytope_dot": (BASE + "polytope: {H: [[1, 0]], k: [1], dot: @[0]}\n", "expected 2 numbers"),
    "polytope_line": (BASE + "polytope: {H: [[1, 0]], k: [1], dot: [0, 0], line: {K: @[1], w: 0}}\n", "expected 2 numbers"),
    "polytope_empty": (BASE + "@polytope: {H: [[1, 0], [-1, 0]], k: [-1, -1], dot: [0, 0]}\n", "the region is empty"),
    "polytope_no_line": (BASE + "polytope: {H: [[1, 0]], k: [1], dot: [0, 0], @line: {K: [0, 0], w: 1}}\n", "polytope.line: "),
    # schedules
    "schedule_list": (BASE + LQR + "schedule: @[low]\n", "expected a map of gears"),
    "schedule_name": (BASE + LQR + "schedule: {@Low: {}}\n", "cannot name a gear"),
    "schedule_period": (BASE + LQR + "schedule: {low: {@period: 1 ms}}\n", "the same for all gears"),
    "schedule_inner": (BASE + LQR + "schedule: {low: {lqr: {tolerance: {x: @0}}}}\n", "expected a tolerance"),
    "schedule_shape": (BASE + LQR + "@schedule: {low: {}, high: {kalman: {process: [1, 1], measurement: [1]}}}\n",
                       "differ in their kalman"),
    "many_gears": (BASE + LQR + "schedule: @{a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}}\n",
                   "expected 1 to 8 gears, got 9"),
}

folder = pathlib.Path("broken")
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir()
for name, (text, words) in cases.items():
    at = text.find("@")
    line = text.count("\n", 0, at) + 2 if at >= 0 else 1
    column = at - text.rfind("\n", 0, at) if at >= 0 else 1
    where = f"{line}:{column}"
    (folder / f"{name}.yaml").write_text(f"# expect: {where} {words}\n" + text.replace("@", ""))
print(len(cases), "files")
