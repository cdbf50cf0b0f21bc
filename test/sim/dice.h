// test/sim/dice.h: the numbers of a random case, one after the other, the same on every machine.
#ifndef IB_TEST_DICE_H
#define IB_TEST_DICE_H

#include "base/maths.h"
#include "robot/planar.h"
#include "spread.h"

#include <stdbool.h>

// Two games never throw the same.
typedef struct Dice {
    uint64_t game;
    int seed; // of the case
    uint64_t thrown;
} Dice;

// Uniform in [low, high). Two draws among the arguments of one call are made in an order that is
// the compiler's: each needs a line of its own.
static inline double draw(Dice *dice, double low, double high)
{
    return low + (high - low) * chance_uniform(dice->game, (uint64_t)dice->seed, dice->thrown++);
}

// Uniform on a scale of logarithms.
static inline double draw_size(Dice *dice, double low, double high)
{
    return low * ib_exp(draw(dice, 0, ib_log(high / low)));
}

static inline bool chance(Dice *dice, double share)
{
    return draw(dice, 0, 1) < share;
}

// Any direction of the plane [rad].
static inline double draw_course(Dice *dice)
{
    return draw(dice, -3.2, 3.2);
}

// Square to the walls for two of three, any heading else.
static inline double draw_heading(Dice *dice)
{
    static const double quarter = 1.5707963267948966;
    if (chance(dice, 2.0 / 3)) return quarter * floor(draw(dice, 0, 4));
    return draw(dice, -3, 3);
}

// Half of them do not bounce at all, some do not rub.
static inline ib_BumperConfig draw_bumper(Dice *dice, double most_friction)
{
    ib_BumperConfig bumper = {1, 0, INFINITY, 0};
    bumper.restitution = chance(dice, 0.5) ? 0 : draw(dice, 0, 1);
    bumper.friction = chance(dice, 0.2) ? 0 : draw(dice, 0, most_friction);
    return bumper;
}

#endif
