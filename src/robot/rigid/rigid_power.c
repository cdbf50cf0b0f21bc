// robot/rigid/rigid_power.c: battery, motors and air of a robot that MuJoCo moves, and their book.
#include "robot/books.h"
#include "robot/rigid/rigid.h"

enum { OF_SUPPLY = 4 }; ///< of the book; the rest is the motors'

static const ib_SignalDef book[] = {
    IB__BOOK("handed", "work of all drives on the joints as MuJoCo was told it", 0, IB_ROLE_NONE),
    IB_BOOK_BATTERY,
    IB_BOOK_RESISTANCE,
    IB_BOOK_BACKGROUND,
    IB_BOOK_COPPER,
    IB_BOOK_CONVERSION,
    IB_BOOK_LOSS,
    IB_BOOK_GEAR,
    IB__BOOK("motors", "work of the motors on the joints so far", 0, IB_ROLE_LOST),
};
static const ib_SignalDef error = {IB_NAME_ENERGY("error"), "J",
                                   "error of the energy balance: all that came in - all the others",
                                   0, IB_MEANS(.role = IB_ROLE_BALANCE)};

void ib_rigid_declare_power(ib_Rigid *b, const ib_PowerConfig *power, const ib_AirConfig *air,
                            ib_JointMotors *motors, bool balance, ib_Build *build)
{
    ib_Declarations *d = build->d;
    ib_Feed *feed = &build->robot->feed;
    ib_MotorRow *row = &motors->row;
    ib_feed_init(power, feed);
    ib_feed_add_air(air, feed);
    feed->shared = feed->breathes;
    ib_feed_declare_power(power, feed, d);
    ib_build_book(build, book, row->count > 0 ? (int)(sizeof book / sizeof *book) : OF_SUPPLY);
    if (row->count > 0) ib_declare_entry(d, IB_NAME_ENERGY("motors"), &motors->work);
    ib_declare_entry(d, IB_NAME_ENERGY("handed"), &b->handed);
    ib_motor_row_declare(row, "energy", d);
    row->gain = d->input_count;
    for (int i = 0; i < row->count; i++) {
        const char *name = motors->name[i];
        ib_declare_input(d, ib_gain_input(ib_declare_name(d, name, "torque")), NULL);
        ib_motor_row_declare_shaft(row, i, name, name, d);
        ib_feed_declare_branch(power, feed, row->bridge + i, name, d);
    }
    if (feed->breathes) ib_feed_declare_compressor(feed, d);
    ib_feed_declare_solenoids(feed, d);
    ib_feed_declare_air(feed, d);
    if (balance) ib_declare(d, "", NULL, &error, 1, NULL);
    b->rates = true;
    if (row->count == 0) return;
    ib_build_part(build, &ib_joint_motors_part, motors);
    ib_build_part(build, ib_motor_row_part(row), row);
}
