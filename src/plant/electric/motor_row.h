// plant/electric/motor_row.h: the gearmotors of a drive or a mechanism: each shaft on a bridge of
// the bus. The derivation is in docs/plant/drivetrain.md and docs/plant/actuator.md.
//
// Symbols: N motors, G reduction, w speed of the shaft behind the gear, w_m = G w of a motor, I and
// u current and voltage of one motor, L inductance of its winding.
//
//   T = k (Kt I - loss(w_m))             of one motor; k: a disturbance's factor
//   on the shaft  N G T e                e: the gear's, plant/electric/drivetrain.h
//   L I' = u - R I - Ke w_m              where the current is a state; else I = (u - Ke w_m)/R
// Its book, of each motor:
//   u I = R I^2 + (Ke - Kt) w_m I + loss w_m + (1 - k)(...) w_m + T w_m + d/dt(L I^2/2)
#ifndef IB_PLANT_ELECTRIC_MOTOR_ROW_H
#define IB_PLANT_ELECTRIC_MOTOR_ROW_H

#include "plant/electric/motor.h"
#include "plant/electric/thermal.h"
#include "plant/part.h"

typedef struct ib_MotorShaft {
    ib_MotorModel motor;
    double motors, reduction; ///< N, G
    double lost, gained;      ///< 1 - eta, 1/eta - 1
    double stator, supply;    ///< limits of the current of one motor [A]
} ib_MotorShaft;

// Signals of the motors of each shaft, in this order.
enum {
    IB_MOTOR_VOLTAGE, ///< at the terminals of one motor [V]
    IB_MOTOR_CURRENT, ///< in its winding [A]
    IB_MOTOR_SUPPLY,  ///< drawn from the bus by all of them [A]
    IB_MOTOR_TORQUE,  ///< of one at its shaft [N m]
    IB_MOTOR_SPEED,   ///< of one at its shaft [rad/s]
    IB_MOTOR_SIGNALS,
};
extern const ib_SignalDef ib_motor_row_signals[IB_MOTOR_SIGNALS];

typedef struct ib_MotorRow {
    int count; ///< of shafts
    const ib_MotorShaft *shafts;
    bool coasts;       ///< at duty 0 a bridge is open, not shorted
    bool lossless;     ///< gears without loss, which need no entry of the book
    double inductance; ///< L [H]; 0: the current is no state
    ib_ThermalModel thermal;
    int bridge;                         ///< first of its bridges and shafts
    int gain;                           ///< the base's: first input of a factor on each torque
    int current;                        ///< first of its currents; -1: they are no states
    int copper, conversion, loss, gear; ///< sums: entries of its book [J]
    int magnetic;                       ///< entry: held by the windings; -1: unused
    int signal[IB_SHAFTS_MAX];          ///< the first of those above, of each shaft
    int warmth[IB_SHAFTS_MAX];          ///< the first of ib_thermal_signals, where they warm up
} ib_MotorRow;

// Values that its calls leave for each other.
typedef struct ib_MotorRowNotes {
    double torque[IB_SHAFTS_MAX]; ///< of one motor at its shaft [N m]
    double loss, gear; ///< powers lost in motors (a disturbance's share counts), in gears [W]
} ib_MotorRowNotes;

const ib_PartKind *ib_motor_row_part(const ib_MotorRow *row);

// Nothing limits its bridges, and they never coast: ib_Feed.free.
bool ib_motor_row_free(const ib_MotorRow *row);

// Takes bridges, and currents where the config has them as states; finds the entries
// `book`.copper … in a book that has been declared.
void ib_motor_row_declare(ib_MotorRow *row, const char *book, ib_Declarations *d);

// Shows the motors of a shaft as "prefix.voltage" …
void ib_motor_row_declare_shaft(ib_MotorRow *row, int shaft, const char *prefix, const char *part,
                                ib_Declarations *d);

// Their temperatures behind prefixes[i], one a shaft, and the heat balance of all.
void ib_motor_row_declare_warmth(const ib_ThermalConfig *config, ib_MotorRow *row,
                                 const char *const *prefixes, const char *const *parts,
                                 ib_Declarations *d);

// Calls for parts that contain one; others: plant/electric/motor_row_now.h. A bridge that opens
// under current dissipates the energy of the winding.
bool ib_motor_row_settle(const ib_MotorRow *row, const ib_Wires *wires, double *x);
// Energy in the windings [J].
double ib_motor_row_magnetic(const ib_MotorRow *row, const double *x);
// Temperatures, and the heat balance; nothing where they do not warm up.
void ib_motor_row_output_warmth(const ib_MotorRow *row, const double *x, double *signals);

#endif
