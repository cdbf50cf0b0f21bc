#include "control/driving/mixing.h"

#include "base/extreme.h"
#include "control/driving/xdrive.h"

#include <math.h>

const char *const ib_mixing_laws[] = {"standard", "published", "corrected", NULL};

// Columns of C.
enum { X, Y, TURN };

// Wheels stand at angles whose sines are rounded: values nearer to -1, 0 or 1 are taken as these.
static const double rounding = 1e-12;

// ------------------------------------------------------------------------------------------ checks

ib_MixingConfig ib_mixing_default(void)
{
    return (ib_MixingConfig){.law = IB_MIXING_STANDARD, .curve = IB_STICK_LINEAR};
}

ib_Status ib_mixing_check(const ib_MixingConfig *config, ib_Error *error)
{
    if (config->law < IB_MIXING_STANDARD || config->law > IB_MIXING_CORRECTED)
        return ib_error_set(error, IB_BAD_INPUT,
                            "mixing: expected standard, published or corrected, got number %d",
                            config->law);
    if (!(config->dead_zone >= 0 && config->dead_zone < 1))
        return ib_error_set(error, IB_BAD_INPUT, "dead_zone: expected 0 to below 1, got %g",
                            config->dead_zone);
    if (config->curve < IB_STICK_LINEAR || config->curve > IB_STICK_CUBED)
        return ib_error_set(error, IB_BAD_INPUT,
                            "curve: expected linear, squared or cubed, got number %d",
                            config->curve);
    return IB_OK;
}

static ib_Status check_wheels(int count, const double (*roll)[3], ib_Error *error)
{
    if (count < 1 || count > IB_MIXING_MOTORS)
        return ib_error_set(error, IB_BAD_INPUT, "mixing: expected 1 to %d motors, got %d",
                            IB_MIXING_MOTORS, count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (!isfinite(roll[i][k]))
                return ib_error_set(error, IB_BAD_INPUT,
                                    "mixing: expected finite speeds of motor %d, got %g", i + 1,
                                    roll[i][k]);
    return IB_OK;
}

// The laws for an X-drive know four motors by their number and no others.
static ib_Status check_xdrive(const ib_MixingModel *model, ib_Error *error)
{
    const char *law = ib_mixing_laws[model->config.law];
    if (model->count != IB_XDRIVE_MOTORS)
        return ib_error_set(error, IB_BAD_INPUT,
                            "mixing: %s is for an X-drive: expected 4 motors, got %d; standard is "
                            "for any wheels",
                            law, model->count);
    for (int i = 0; i < IB_XDRIVE_MOTORS; i++) {
        const double *roll = ib_xdrive_roll[i];
        double x = model->column[X][i], y = model->column[Y][i], turn = model->column[TURN][i];
        if (x != -roll[1] || y != roll[0] || turn != -roll[2])
            return ib_error_set(error, IB_BAD_INPUT,
                                "mixing: %s is for an X-drive: expected motor %d to turn with %g, "
                                "%g, %g for full stick to the right, forward, in a turn to the "
                                "right, got %g, %g, %g; standard is for any wheels",
                                law, i + 1, -roll[1], roll[0], -roll[2], x, y, turn);
    }
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- model

static double without_rounding(double value)
{
    double whole = rint(value);
    return fabs(value - whole) <= rounding ? whole + 0.0 : value; // no -0
}

static double largest(int count, const double *values)
{
    double most = 0;
    for (int i = 0; i < count; i++) most = ib_max(most, fabs(values[i]));
    return most;
}

// Scales each column of C by its largest element. A column no larger than the rounding of a sine of
// 180 degrees is zero.
static void scale(ib_MixingModel *model)
{
    double most[3], all;
    for (int k = 0; k < 3; k++) most[k] = largest(model->count, model->column[k]);
    all = largest(3, most);
    for (int k = 0; k < 3; k++) {
        bool moves = most[k] > rounding * all;
        for (int i = 0; i < model->count; i++) {
            double *element = &model->column[k][i];
            *element = moves ? without_rounding(*element / most[k]) : 0;
        }
    }
}

ib_Status ib_mixing_init(const ib_MixingConfig *config, int count, const double (*roll)[3],
                         ib_MixingModel *model, ib_Error *error)
{
    ib_Status status = ib_mixing_check(config, error);
    if (status == IB_OK) status = check_wheels(count, roll, error);
    if (status != IB_OK) return status;
    *model = (ib_MixingModel){.config = *config, .count = count};
    model->shaped = config->dead_zone > 0 || config->curve != IB_STICK_LINEAR;
    // The stick's right and its turn to the right are the negative ones of the robot's frame.
    for (int i = 0; i < count; i++) {
        model->column[X][i] = -roll[i][1];
        model->column[Y][i] = roll[i][0];
        model->column[TURN][i] = -roll[i][2];
    }
    scale(model);
    return config->law == IB_MIXING_STANDARD ? IB_OK : check_xdrive(model, error);
}

// -------------------------------------------------------------------------------------------- laws

IB_FORMULA ib_Stick meant(const ib_MixingModel *model, const ib_Stick *stick)
{
    ib_Stick limited = ib_stick_limited(stick);
    if (!model->shaped) return limited;
    return ib_stick_shaped(&limited, model->config.dead_zone, model->config.curve);
}

// m = C (x, y, turn), all divided by max(1, max|m|), so that the motion keeps its direction and its
// share of turning, and only its speed gives way.
static void standard(const ib_MixingModel *model, const ib_Stick *stick, double *output)
{
    double most = 1;
    for (int i = 0; i < model->count; i++) {
        double m = model->column[X][i] * stick->x + model->column[Y][i] * stick->y +
                   model->column[TURN][i] * stick->turn;
        double size = m < 0 ? -m : m;
        most = size > most ? size : most;
        output[i] = m;
    }
    if (most == 1) return;
    for (int i = 0; i < model->count; i++) output[i] /= most;
}

// f + t T as printed, T a magnitude, t for the side that it turns to.     [12566 (10-13), (22-29)]
static void published(const ib_Stick *stick, double *output)
{
    int side = stick->turn > 0 ? IB_XDRIVE_RIGHT : IB_XDRIVE_LEFT;
    double T = fabs(stick->turn);
    for (int i = 0; i < IB_XDRIVE_MOTORS; i++) {
        output[i] = ib_xdrive_drive(i, stick->x, stick->y);
        if (T > 0) output[i] += ib_xdrive_turn(i, side, stick->x, stick->y, NULL) * T;
    }
}

static double above_zero(double value)
{
    return value > 0 ? value : 0;
}

// f + t T with                                                       [12566, errata; reference C4]
//   m = max(|x|, |y|),   f = raw within -m .. m,   raw = [y - x, -x - y, x - y, x + y]
//   t = -((1 - m) + 2 [s]+)  to the right,   +((1 - m) + 2 [s]+)  to the left
//   s: how far the stick is in the sector where f has no room left for the turn.
// Limits: T = 0 -> f; x = y = 0 -> all turn with T; a corner, m = |x| = |y| = 1 -> no turn at all.
static void corrected(const ib_Stick *stick, double *output)
{
    double x = stick->x, y = stick->y, across = fabs(x), along = fabs(y);
    double m = across > along ? across : along, T = fabs(stick->turn);
    const double raw[IB_XDRIVE_MOTORS] = {y - x, -x - y, x - y, x + y};
    double left = above_zero(-x - along), right = above_zero(x - along);
    double front = above_zero(y - across), back = above_zero(-y - across);
    const double to_right[] = {left, back, right, front}, to_left[] = {back, right, front, left};
    const double *sector = stick->turn > 0 ? to_right : to_left;
    double sign = stick->turn > 0 ? -T : T;
    for (int i = 0; i < IB_XDRIVE_MOTORS; i++) {
        double f = raw[i] > m ? m : raw[i] < -m ? -m : raw[i];
        output[i] = f + sign * (1 - m + 2 * sector[i]);
    }
}

void ib_mixing_outputs(const ib_MixingModel *model, const ib_Stick *stick, double *output)
{
    ib_Stick wish = meant(model, stick);
    switch (model->config.law) {
    case IB_MIXING_PUBLISHED:
        published(&wish, output);
        return;
    case IB_MIXING_CORRECTED:
        corrected(&wish, output);
        return;
    default:
        standard(model, &wish, output);
        return;
    }
}

bool ib_mixing_undefined(const ib_MixingModel *model, const ib_Stick *stick)
{
    if (model->config.law != IB_MIXING_PUBLISHED) return false;
    ib_Stick wish = meant(model, stick);
    int side = wish.turn > 0 ? IB_XDRIVE_RIGHT : IB_XDRIVE_LEFT, used = 1;
    for (int i = 0; i < IB_XDRIVE_MOTORS && used && wish.turn != 0; i++)
        ib_xdrive_turn(i, side, wish.x, wish.y, &used);
    return used == 0;
}
