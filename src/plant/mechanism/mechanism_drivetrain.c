// plant/mechanism/mechanism_drivetrain.c: a robot on two rows of wheels that roll without slip.
//                                                                          [FRC 971, reference D2]
// Symbols: x, v way and speed of a side, V its voltage, r wheel radius; m, J, W, e as in
// plant/mechanism/two_sided.h; push and drag as in plant/electric/gearmotor.h, each side with its
// own gear.
#include "plant/electric/gearmotor.h"
#include "plant/mechanism/two_sided.h"

typedef struct Config {
    ib_GearmotorConfig gear;                ///< of a side; its reduction where a side has no own
    double reduction_left, reduction_right; ///< 0: as `reduction`
    double wheel_radius;                    ///< r [m]
    double mass, inertia, half_track;       ///< m [kg], J [kg m^2], W [m]
    bool positions;                         ///< x_left and x_right are states
    bool gyro;                              ///< the yaw rate is measured
} Config;

typedef struct Model {
    ib_GearmotorModel gear[2]; ///< left, right
    ib_TwoSided body;
    double radius, half_track; ///< r, W [m]
    bool positions, gyro;
} Model;

#define FLAG(key, fallback, field, sentence)                                                       \
    IB_ROW(key, IB_PARAM_FLAG, "1", fallback, 0, 0, NULL, Config, field, sentence)

// FRC 971's mass is that of the moving robot, rotors included: so `rotors` is off here.
static const ib_Param params[] = {
    IB_GEARMOTOR_ROWS("motors_per_side", "2", "10.71", "false"),
    IB_NUMBER_ROW("reduction_left", "1", "0", 0, 1e6, reduction_left,
                  "gear reduction of the left side, if it differs; 0: `reduction`"),
    IB_NUMBER_ROW("reduction_right", "1", "0", 0, 1e6, reduction_right,
                  "gear reduction of the right side, if it differs; 0: `reduction`"),
    IB_NUMBER_ROW("wheel_radius", "m", "3 in", 1e-4, 100, wheel_radius, "radius of the wheels"),
    IB_TWO_SIDED_ROWS("the robot", "its middle", "60 kg", "5 kg*m^2"),
    IB_NUMBER_ROW("half_track", "m", "0.3 m", 1e-3, 100, half_track,
                  "distance from the robot's middle to the wheels of a side"),
    FLAG("positions", "true", positions,
         "true: the distances that the sides have rolled are states, and measured"),
    FLAG("gyro", "false", gyro, "true: the yaw rate is measured too"),
};

// ------------------------------------------------------------------------------------------- ports

static const ib_MechanismPort ways[2] = {
    {"x_left", "m", "distance that the left wheels have rolled over the floor", true},
    {"x_right", "m", "distance that the right wheels have rolled over the floor", true},
};
static const ib_MechanismPort speeds[2] = {
    {"v_left", "m/s", "speed of the left wheels over the floor", false},
    {"v_right", "m/s", "speed of the right wheels over the floor", false},
};
static const ib_MechanismPort volts[2] = {
    {"left", "V", "voltage of the left motors", false},
    {"right", "V", "voltage of the right motors", false},
};
static const ib_MechanismPort yaw = {"yaw_rate", "rad/s",
                                     "yaw rate that a gyro measures, positive to the left", false};

// Place of a side's speed among the states.
static int speed_at(const Model *m, int side)
{
    return m->positions ? 2 * side + 1 : side;
}

static void fill_ports(const Model *m, ib_MechanismPorts *ports)
{
    for (int side = 0; side < 2; side++) {
        if (m->positions) ports->state[ports->states++] = ways[side];
        ports->state[ports->states++] = speeds[side];
        ib_mechanism_measure(ports, m->positions ? 2 * side : side);
        ib_gearmotor_input(&m->gear[side], speed_at(m, side), m->radius, ports);
        ports->input[side] = volts[side];
    }
    if (m->gyro) ports->output[ports->outputs++] = yaw;
}

static void init(const void *config_, void *model, ib_MechanismPorts *ports)
{
    const Config *config = config_;
    Model *m = model;
    const double own[2] = {config->reduction_left, config->reduction_right};
    double r = config->wheel_radius;
    for (int side = 0; side < 2; side++) {
        ib_GearmotorConfig gear = config->gear;
        if (own[side] > 0) gear.reduction = own[side];
        ib_gearmotor_init(&gear, &m->gear[side]);
    }
    m->radius = r;
    m->half_track = config->half_track;
    m->positions = config->positions;
    m->gyro = config->gyro;
    m->body = ib_two_sided(config->mass, config->inertia, config->half_track,
                           m->gear[0].inertia / (r * r), m->gear[1].inertia / (r * r));
    fill_ports(m, ports);
}

// ----------------------------------------------------------------------------------------- physics

//   F = T/r on each side,   x' = v,   v_l' = left F_l + cross F_r,  v_r' the same mirrored
// Limits: both sides at rest under V -> F = push V/r;
// v_l = v_r = push V r/drag -> F = 0, top speed.
static void rate(const void *model, const double *x, const double *torque, double g, double *xdot)
{
    const Model *m = model;
    double F[2];
    (void)g;
    for (int side = 0; side < 2; side++) {
        F[side] = torque[side] / m->radius;
        if (m->positions) xdot[2 * side] = x[speed_at(m, side)];
    }
    xdot[speed_at(m, 0)] = m->body.left * F[0] + m->body.cross * F[1];
    xdot[speed_at(m, 1)] = m->body.cross * F[0] + m->body.right * F[1];
}

//   yaw rate = (v_r - v_l)/2W
static void output(const void *model, const double *x, double *y)
{
    const Model *m = model;
    if (m->gyro) y[2] = (x[speed_at(m, 1)] - x[speed_at(m, 0)]) / (2 * m->half_track);
}

static void facts(const void *model, ib_MechanismFacts *f)
{
    const Model *m = model;
    double most = m->gear[0].voltage;
    double left = m->gear[0].push / m->gear[0].drag, right = m->gear[1].push / m->gear[1].drag;
    ib_gearmotor_facts(&m->gear[0], f);
    ib_fact_add(f, "top_speed", "m/s", "top speed of the slower side, without a load",
                (left < right ? left : right) * most * m->radius);
    ib_fact_add(f, "stall_force", "N", "force of both sides against a wall, where the tyres hold",
                (m->gear[0].push + m->gear[1].push) * most / m->radius);
}

const ib_MechanismKind ib_drivetrain_mechanism = {
    .name = "drivetrain",
    .sentence = "a robot on two rows of wheels: two voltages, two speeds",
    .params = IB_SCHEMA(params),
    .config_size = sizeof(Config),
    .model_size = sizeof(Model),
    IB_MECHANISM_FUNCTIONS,
    .output = output,
};
