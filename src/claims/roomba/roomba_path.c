// claims/roomba/roomba_path.c: values for the claims about the authors' schedule: line,
// circle, line.
#include "claims/roomba/roomba.h"

static const double two_pi = 6.283185307179586;

static ib_Status schedule_legs(ib_ClaimValue *found, int form, ib_Error *error)
{
    ib__RoombaLook looks[] = {{.at = 2.4}, {.at = 10.6665}, {.at = 11.84589}, {.at = 18}};
    // The circle leg's largest and smallest x, at the falling and the rising zero of vx, and its
    // largest y.
    ib__RoombaCrossing crossings[] = {{IB_ROOMBA_VX, 0, false, 0, {0}},
                                      {IB_ROOMBA_VX, 0, true, 0, {0}},
                                      {IB_ROOMBA_VY, 0, false, 0, {0}}};
    ib__RoombaRun run = ib__roomba_run_default(form, ib__roomba_legs, IB__ROOMBA_LEGS, 18);
    run.looks = looks, run.look_count = 4;
    run.crossings = crossings, run.crossing_count = 3;
    ib_Status status = ib__roomba_run(&run, error);
    const double *ring = looks[1].state, *coast = looks[2].state, *last = looks[3].state;
    found[IB__LEG_X].form[form] = looks[0].state[IB_ROOMBA_X];
    found[IB__LEG_Y].form[form] = looks[0].state[IB_ROOMBA_Y];
    found[IB__LEG_YAW_RATE].form[form] = looks[0].state[IB_ROOMBA_W];
    found[IB__RING_HEADING].form[form] = ring[IB_ROOMBA_TH];
    found[IB__LAST_X].form[form] = last[IB_ROOMBA_X];
    found[IB__LAST_Y].form[form] = last[IB_ROOMBA_Y];
    found[IB__LAST_SPEED].form[form] = ib__roomba_speed(last);
    found[IB__LAST_HEADING].form[form] = last[IB_ROOMBA_TH];
    if (form != IB_ROOMBA_CORRECTED) return status;
    ib_RoombaModel model = ib__roomba_document(form);
    found[IB__RING_HEIGHT].form[form] = crossings[2].state[IB_ROOMBA_Y];
    found[IB__RING_RETURN].form[form] = ib__roomba_distance(looks[0].state, ring);
    found[IB__RING_SLIP].form[form] = ib__roomba_slip(ring);
    found[IB__RING_YAW_RATE].form[form] = ring[IB_ROOMBA_W];
    found[IB__LAST_LEG].form[form] = ib__roomba_distance(ring, last);
    found[IB__LAST_SHARE].form[form] = ib__roomba_speed(last) / ib__roomba_speed(coast);
    found[IB__RING_RADIUS].form[form] = ib__roomba_speed(ring) / ring[IB_ROOMBA_W];
    found[IB__RING_RADIUS_ROOT].form[form] = ib__steady_circle(&model, 1.4, 2.7).radius;
    found[IB__RING_WIDTH].form[form] =
        crossings[0].state[IB_ROOMBA_X] - crossings[1].state[IB_ROOMBA_X];
    // Without force: v = v0/(1 + 2 kd v0 t/m), never zero.
    double v0 = ib__roomba_speed(coast), t = 18 - 11.84589;
    found[IB__LAST_SPEED_CLOSED].form[form] = v0 / (1 + 2 * model.kd * v0 * t / model.m);
    return status;
}

// The first `legs` legs of the schedule, the last one continued, until a state passes a level.
static ib_Status continued(int form, int legs, double duration, ib__RoombaCrossing *crossing,
                           ib__RoombaLook *look, ib_Error *error)
{
    ib__RoombaRun run = ib__roomba_run_default(form, ib__roomba_legs, legs, duration);
    run.crossings = crossing, run.crossing_count = 1;
    run.looks = look, run.look_count = look ? 1 : 0;
    return ib__roomba_run(&run, error);
}

// Continues each leg of the schedule beyond its end, up to the document's positions.
static ib_Status schedule_continued(ib_ClaimValue *found, int form, ib_Error *error)
{
    ib__RoombaCrossing leg = {IB_ROOMBA_X, 2, true, 0, {0}},
                       ring = {IB_ROOMBA_TH, two_pi, true, 0, {0}},
                       full = {IB_ROOMBA_X, 4, true, 0, {0}}, end = {IB_ROOMBA_X, 4, true, 0, {0}};
    ib__RoombaLook look = {.at = 14.3};
    ib_Status status = continued(form, 1, 3, &leg, NULL, error);
    if (status == IB_OK) status = continued(form, 2, 12, &ring, NULL, error);
    if (status == IB_OK) status = continued(form, 3, 15, &full, &look, error);
    if (status == IB_OK) status = continued(form, IB__ROOMBA_LEGS, 20, &end, NULL, error);
    found[IB__LEG_TIME].form[form] = leg.seconds;
    found[IB__RING_TIME].form[form] = ring.seconds;
    found[IB__FULL_TIME].form[form] = full.seconds;
    found[IB__LAST_TIME].form[form] = end.seconds;
    found[IB__FULL_X].form[form] = look.state[IB_ROOMBA_X];
    return status;
}

ib_Status ib__roomba_claims_schedule(ib_ClaimValue *found, int form, ib_Error *error)
{
    ib_Status status = schedule_legs(found, form, error);
    return status == IB_OK ? schedule_continued(found, form, error) : status;
}
