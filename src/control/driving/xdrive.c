#include "control/driving/xdrive.h"

#include "base/extreme.h"
#include "base/maths.h"

#include <math.h>
#include <stddef.h>

const double ib_xdrive_roll[IB_XDRIVE_MOTORS][3] = {{1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, -1, 1}};

ib_Stick ib_xdrive_motion(const double m[IB_XDRIVE_MOTORS])
{
    return (ib_Stick){(-m[0] - m[1] + m[2] + m[3]) / 4, (m[0] - m[1] - m[2] + m[3]) / 4,
                      (0 - m[0] - m[1] - m[2] - m[3]) / 4}; // no -0
}

// Everything below is as printed, case by case, the wrong ones too.

// ----------------------------------------------------------------------------------------- driving

static double drive_1(double x, double y) // (10)
{
    if (x >= 0 && y >= 0) return y - x;
    if (x >= 0) return ib_min(-x, y);
    if (y >= 0) return ib_max(-x, y);
    return -x + y;
}

static double drive_2(double x, double y) // (11)
{
    if (x >= 0 && y >= 0) return ib_min(-x, -y);
    if (x >= 0) return -y - x;
    if (y >= 0) return -x - y;
    return ib_max(-x, -y);
}

static double drive_3(double x, double y) // (12)
{
    if (x >= 0 && y >= 0) return x - y;
    if (x >= 0) return ib_max(x, -y);
    if (y >= 0) return ib_min(x, -y);
    return -y + x;
}

static double drive_4(double x, double y) // (13)
{
    if (x >= 0 && y >= 0) return ib_max(x, y);
    if (x >= 0) return x + y;
    if (y >= 0) return y + x;
    return ib_min(x, y);
}

double ib_xdrive_drive(int motor, double x, double y)
{
    switch (motor) {
    case 0:
        return drive_1(x, y);
    case 1:
        return drive_2(x, y);
    case 2:
        return drive_3(x, y);
    default:
        return drive_4(x, y);
    }
}

// ------------------------------------------------------------------------------------------ slopes

static double slope_1x(double x, double y) // (14)
{
    if (x >= 0 && y >= 0) return -1;
    if (x >= 0) return -x <= y ? -1 : 0;
    if (y >= 0) return -x >= y ? -1 : 0;
    return -1;
}

static double slope_1y(double x, double y) // (15)
{
    if (x >= 0 && y >= 0) return 1;
    if (x >= 0) return -x <= y ? 0 : 1;
    if (y >= 0) return -x >= y ? 0 : 1;
    return 1;
}

static double slope_2x(double x, double y) // (16)
{
    if (x >= 0 && y >= 0) return -x <= -y ? -1 : 0;
    if (x >= 0 || y >= 0) return -1;
    return -x >= -y ? -1 : 0;
}

static double slope_2y(double x, double y) // (17)
{
    if (x >= 0 && y >= 0) return -x <= -y ? 0 : -1;
    if (x >= 0 || y >= 0) return -1;
    return -x >= -y ? 0 : -1;
}

static double slope_3x(double x, double y) // (18)
{
    if (x >= 0 && y >= 0) return 1;
    if (x >= 0) return x >= -y ? 1 : 0;
    if (y >= 0) return x <= -y ? 1 : 0;
    return 1;
}

static double slope_3y(double x, double y) // (19)
{
    if (x >= 0 && y >= 0) return -1;
    if (x >= 0) return x >= -y ? 0 : -1;
    if (y >= 0) return x <= -y ? 0 : -1;
    return -1;
}

static double slope_4x(double x, double y) // (20)
{
    if (x >= 0 && y >= 0) return x >= y ? 1 : 0;
    if (x >= 0 || y >= 0) return 1;
    return x <= y ? 1 : 0;
}

static double slope_4y(double x, double y) // (21)
{
    if (x >= 0 && y >= 0) return x >= y ? 0 : 1;
    if (x >= 0 || y >= 0) return 1;
    return x <= y ? 0 : 1;
}

double ib_xdrive_slope(int motor, int axis, double x, double y)
{
    typedef double Slope(double x, double y);
    static Slope *const slopes[IB_XDRIVE_MOTORS][2] = {
        {slope_1x, slope_1y}, {slope_2x, slope_2y}, {slope_3x, slope_3y}, {slope_4x, slope_4y}};
    return slopes[motor][axis](x, y);
}

// ----------------------------------------------------------------------------------------- turning

typedef struct Case {
    int used; ///< 1 .. 4; 0: none
    double value;
} Case;

static const Case no_case = {0, 0};

static Case turn_1r(double x, double y) // (22)
{
    if (-x >= fabs(y)) return (Case){1, -2 * (-fabs(y) - x) + (1 + y)};
    if (y > fabs(x)) return (Case){2, 1 - y};
    if (x >= fabs(y)) return (Case){3, 1 - x};
    if (-y > fabs(x)) return (Case){4, 1 + y};
    return no_case;
}

static Case turn_1l(double x, double y) // (23)
{
    if (-y >= fabs(x)) return (Case){1, 2 * (y + fabs(x)) + (1 + y)};
    if (y > fabs(x)) return (Case){2, 1 - y};
    if (x >= fabs(y)) return (Case){3, 1 - x};
    if (-x > fabs(y)) return (Case){4, 1 + y};
    return no_case;
}

static Case turn_2r(double x, double y) // (24)
{
    if (-y >= fabs(x)) return (Case){1, 2 * (y + fabs(x)) + (1 + y)};
    if (-x > fabs(y)) return (Case){2, 1 + x};
    if (y >= fabs(x)) return (Case){3, 1 - y};
    if (-x > fabs(y)) return (Case){4, 1 - x}; // never: the second one
    return no_case;
}

static Case turn_2l(double x, double y) // (25)
{
    if (x >= fabs(y)) return (Case){1, 2 * (-fabs(y) + x) + (1 - x)};
    if (-y > fabs(x)) return (Case){2, 1 + y};
    if (-x >= fabs(y)) return (Case){3, 1 + x};
    if (y > fabs(x)) return (Case){4, 1 - y};
    return no_case;
}

static Case turn_3r(double x, double y) // (26)
{
    if (x >= fabs(y)) return (Case){1, 2 * (fabs(y) - x) + (1 - x)};
    if (-y > fabs(x)) return (Case){2, 1 + y};
    if (-x >= fabs(y)) return (Case){3, 1 + x};
    if (y > fabs(x)) return (Case){4, 1 - y};
    return no_case;
}

static Case turn_3l(double x, double y) // (27)
{
    if (fabs(x) <= y) return (Case){1, 2 * (y - fabs(x)) + (1 - y)};
    if (x > fabs(y)) return (Case){2, 1 - x};
    if (-y >= fabs(x)) return (Case){3, y + 1};
    if (y > fabs(x)) return (Case){4, x + 1}; // never: the first one
    return no_case;
}

static Case turn_4r(double x, double y) // (28)
{
    if (y >= fabs(x)) return (Case){1, 2 * (y - fabs(x)) + (1 - y)};
    if (x > fabs(y)) return (Case){2, 1 - x};
    if (-y >= fabs(x)) return (Case){3, 1 + y};
    if (-x > fabs(y)) return (Case){4, 1 + x};
    return no_case;
}

static Case turn_4l(double x, double y) // (29)
{
    if (-x >= fabs(y)) return (Case){1, 2 * (-fabs(y) - x) + (1 + x)};
    if (y > fabs(x)) return (Case){2, 1 - y};
    if (x >= fabs(y)) return (Case){3, 1 - x};
    if (-y > fabs(x)) return (Case){4, 1 + y};
    return no_case;
}

double ib_xdrive_turn(int motor, int side, double x, double y, int *used)
{
    typedef Case Turn(double x, double y);
    static Turn *const turns[IB_XDRIVE_MOTORS][2] = {
        {turn_1r, turn_1l}, {turn_2r, turn_2l}, {turn_3r, turn_3l}, {turn_4r, turn_4l}};
    Case found = turns[motor][side](x, y);
    if (used) *used = found.used;
    return found.value;
}

// ------------------------------------------------------------------------------------------- frame

ib_Stick ib_xdrive_in_frame(const ib_Stick *stick, double heading)
{
    double x = stick->x, y = stick->y, s, c;
    ib_sincos(ib_atan2(x, y) + heading, &s, &c);
    double r = sqrt(x * x + y * y);
    return (ib_Stick){c * r, s * r, stick->turn};
}
