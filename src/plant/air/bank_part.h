// plant/air/bank_part.h: a bank of cylinders as a part of a robot that MuJoCo moves: each is on a
// joint of the wires, which it turns by a linkage or which is its own length. docs/plant/bank.md
//
// Forces are those at a step's start; then the air follows, with every joint at constant speed. Its
// air comes through the bank's own chain, or from the robot's supply, whose pressure at the step's
// start then counts for the whole step, and which is told the air used. A line of the chain stands
// behind that supply's tanks, whose pressure counts for the step; its regulator is in their place.
#ifndef IB_PLANT_AIR_BANK_PART_H
#define IB_PLANT_AIR_BANK_PART_H

#include "plant/air/bank.h"
#include "plant/linkage.h"
#include "plant/part.h"

// Place of a cylinder.
typedef struct ib_BankSeat {
    int joint;                      ///< of the wires
    const ib_LinkageModel *linkage; ///< by which it turns the joint; NULL: the joint is a length,
    double from;                    ///< at which the rod is in [m]
    bool seals;                     ///< the joint stands for the friction of its seals
    int input;                      ///< voltage of its valve
    int gain;                       ///< input: factor on that, from the valve's centre on
    int signal;                     ///< the first of its own
} ib_BankSeat;

enum { IB_BANK_AIR_SIGNALS = 15 };
#define IB_NAME_AIR_USED IB_PREFIX_AIR ".used"

typedef struct ib_BankPart {
    ib_BankModel bank;
    int steps; ///< of the air within a step of the body
    ib_BankSeat seat[IB_BANK_CYLINDERS];
    bool fed;  ///< by the robot's air, not by the bank's own chain
    int state; ///< the bank's first; after its last, the initial amounts of the chambers
    int air[IB_BANK_AIR_SIGNALS]; ///< of all; -1: not shown
    int stored;                   ///< signal: all the robot's air [mol], where that feeds it
    int error;                    ///< … and the balance of its source [kg]; -1: none
} ib_BankPart;

// Signals of a cylinder.
enum {
    IB_BANK_STROKE,
    IB_BANK_SPEED,
    IB_BANK_FORCE,
    IB_BANK_FRICTION,
    IB_BANK_CAP,
    IB_BANK_ROD,
    IB_BANK_VALVE,
    IB_BANK_SIGNALS,
};

// Its states; a cylinder behind a prefix; all of its air.
void ib_bank_declare_states(ib_BankPart *part, ib_Declarations *d);
void ib_bank_declare_cylinder(ib_BankPart *part, int cylinder, const char *prefix,
                              ib_Declarations *d);
void ib_bank_declare_air(ib_BankPart *part, ib_Declarations *d);

// Notes the initial amounts of the chambers: the last call after they are filled.
void ib_bank_begin(const ib_BankPart *part, double *x);

extern const ib_PartKind ib_bank_part;

#endif
