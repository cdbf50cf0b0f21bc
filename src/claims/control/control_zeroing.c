// claims/control/control_zeroing.c: the document's unit test of zeroing by a potentiometer and an
// index pulse, with the estimator as reference D5 states it.
//
//   offset of the encoder, before a pulse   mean of the last 30 of (potentiometer - encoder)
//   at each new pulse                       round((mean + e - m)/d) d - e + m
//   e encoder at the pulse, d distance of the pulses, m one of their places (0 here)
// It is zeroed when the mean is full and a pulse came after the first sample; an offset that moves
// by more than 0.3 d is an error.
#include "claims/control/control.h"

#include "base/maths.h"

#include <math.h>

enum { RING = 30 };

typedef struct Estimator {
    double distance; ///< of the pulses
    double ring[RING], offset, first_offset;
    int samples, pulses, first_pulses; ///< seen
    bool zeroed, error;
} Estimator;

// The moving joint and its sensors.
typedef struct Joint {
    double start, position, slip, latched;
    int pulses, samples;
} Joint;

static double mean(const Estimator *e)
{
    int count = e->samples < RING ? e->samples : RING;
    double sum = 0;
    for (int i = 0; i < count; i++) sum += e->ring[i];
    return sum / count;
}

static void estimate(Estimator *e, double pot, double encoder, const Joint *joint)
{
    e->ring[e->samples % RING] = pot - encoder;
    if (e->samples++ == 0) e->first_pulses = e->pulses = joint->pulses;
    bool ready = e->samples >= RING && joint->pulses != e->first_pulses;
    if (ready && (!e->zeroed || joint->pulses != e->pulses)) {
        double whole = floor((mean(e) + joint->latched) / e->distance + 0.5);
        e->offset = whole * e->distance - joint->latched;
        if (!e->zeroed) e->first_offset = e->offset;
        e->error |= fabs(e->offset - e->first_offset) > 0.3 * e->distance;
        e->zeroed = true;
        e->pulses = joint->pulses;
    }
    if (!e->zeroed) e->offset = mean(e);
}

// One sample at a new position; several pulses on the way count as one. The noise has a standard
// deviation of a third, without randomness: (1/3) sqrt(2) sin(12.9898 k).
static double move_to(Joint *joint, Estimator *e, double position)
{
    double before = floor(joint->position / e->distance), after = floor(position / e->distance);
    double encoder = position - joint->start - joint->slip;
    if (after != before) {
        double index = (after > before ? after : after + 1) * e->distance;
        joint->latched = index - joint->start - joint->slip;
        joint->pulses++;
    }
    joint->position = position;
    double noise = sqrt(2.0) / 3 * ib_sin(12.9898 * joint->samples++);
    estimate(e, position + noise, encoder, joint);
    return e->offset + encoder;
}

// TestLotsOfMovement: 300 samples at 3.6, then five moves; and one more after the encoder slipped.
static void lots_of_movement(ib_ClaimValue *found)
{
    static const double moves[IB__ZEROING_MOVES] = {4.01, 4.99, 3.99, 3.01, 13.55};
    Estimator estimator = {.distance = 1};
    Joint joint = {.start = 3.6, .position = 3.6};
    double position = 0;
    for (int i = 0; i < 300; i++) position = move_to(&joint, &estimator, 3.6);
    found[IB__ZERO_FILTERED].form[IB__LETTER] = position;
    for (int i = 0; i < IB__ZEROING_MOVES; i++)
        found[IB__ZERO_POSITION + i].form[IB__LETTER] = move_to(&joint, &estimator, moves[i]);
    joint.slip = 0.6;
    move_to(&joint, &estimator, 12.9);
    found[IB__ZERO_SLIP].form[IB__LETTER] = estimator.error;
}

// A pulse in every sample: zeroed as soon as the mean is full.
static void fast_pulses(ib_ClaimValue *found)
{
    Estimator estimator = {.distance = 0.5};
    Joint joint = {.start = 3.6, .position = 3.6};
    while (!estimator.zeroed && joint.samples < 1000)
        move_to(&joint, &estimator, joint.position + 0.5);
    found[IB__ZERO_SAMPLES].form[IB__LETTER] = joint.samples;
}

void ib__control_claims_zeroing(ib_ClaimValue *found)
{
    lots_of_movement(found);
    fast_pulses(found);
}
