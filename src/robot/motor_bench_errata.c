// robot/motor_bench_errata.c: mistakes of RoboSim, section 4.
#include "robot/errata.h"

const ib_Erratum ib_motor_bench_errata[] = {
    {"4.2b, d", "Kt and Ki are an ideal machine's", "Ki = 1.1419 Kt, by the data sheet",
     "12.4 % of the converted power is unaccounted for; the energy balance carries it as "
     "conversion.",
     "ironbird verify motor"},
    {"4.2c, d", "the free speed is computed with the free current, the torque has no loss",
     "T = Kt I - b w with b = Kt If/wf (loss: viscous), or Coulomb friction",
     "In free running the torque is zero, hence the current, hence V/Ki: 5421.5 rpm at 0 A instead "
     "of the data sheet's 5310 rpm at 2.7 A.",
     "ironbird verify motor"},
    {"4.2e", "forward Euler at 50 ms", "4.1c (backward Euler), or the current without lag",
     "With a CIM's 59 uH the current's error is multiplied by 1 - Ts R/L = -76.5 in each step; "
     "2 L/R = 1.29 ms is the longest stable one. The program hides it with L = 20 mH, 340 times "
     "too much.",
     "ironbird verify motor"},
    {"R_m (code)", "R = 0.3 ohm", "12 V/131.227 A = 0.0914 ohm",
     "The stall current that the same section uses for Kt. With 0.3 ohm a CIM stalls at 40 A and "
     "0.74 N m: 30 % of the motor.",
     "ironbird verify motor"},
    {0},
};
