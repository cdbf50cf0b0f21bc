// test/linear/drivetrain_rig.h: the drivetrain of reference D2 as a plant.
// Two CIMs a side on a robot of 68 kg, states [x_left v_left x_right v_right], positions measured.
#ifndef IB_TEST_DRIVETRAIN_RIG_H
#define IB_TEST_DRIVETRAIN_RIG_H

#include "claims/control/control_reference.h"
#include "linear/state_space.h"

#include <string.h>

// In continuous time: the left side as printed, the right one its mirror image.
static inline ib_StateSpace rig_drivetrain_plant(void)
{
    ib_StateSpace plant = ib_state_space_default(4, 2, 2);
    static const char *const names[] = {"x_left", "v_left", "x_right", "v_right"};
    const double own = ib__drive_Ac[1], cross = ib__drive_Ac[3];
    const double push = ib__drive_Bc[0], back = ib__drive_Bc[1];
    plant.A[1] = plant.A[11] = 1;
    plant.A[5] = plant.A[15] = own;
    plant.A[7] = plant.A[13] = cross;
    plant.B[2] = plant.B[7] = push;
    plant.B[3] = plant.B[6] = back;
    plant.C[0] = plant.C[6] = 1;
    for (int i = 0; i < 4; i++) strcpy(plant.state[i], names[i]);
    return plant;
}

// Sampled with 5 ms, by the reference (12 digits): apart from how this program samples.
static inline ib_StateSpace rig_sampled_drivetrain(void)
{
    ib_StateSpace plant = rig_drivetrain_plant();
    memcpy(plant.A, ib__drive_A, sizeof ib__drive_A);
    memcpy(plant.B, ib__drive_B, sizeof ib__drive_B);
    plant.period = 0.005;
    return plant;
}

#endif
