#include "robot/sliding.h"

static const ib_StateDef states[IB_PASSIVE_STATES] = {IB_PASSIVE_STATE_ROWS};
static const ib_SignalDef signals[IB_PASSIVE_SIGNALS] = {IB_PASSIVE_SIGNAL_ROWS};
const ib_SignalRows ib_sliding_signals = {signals, IB_PASSIVE_SIGNALS};

void ib_sliding_init(const ib_SlidingConfig *config, const ib_OutfitConfig *outfit,
                     ib_SlidingModel *model)
{
    double mass = config->mass + outfit->carried;
    *model = (ib_SlidingModel){
        .mu = config->mu,
        .per_slip = 1 / config->slip_speed,
        .foot_x = config->foot_x,
        .foot_y = config->foot_y,
    };
    for (int i = 0; i < 4; i++)
        model->feet[i] = (ib_FootDef){i & 1 ? model->foot_x : -model->foot_x,
                                      i & 2 ? model->foot_y : -model->foot_y, 0.25};
    // A spin fades no faster than a slide, since no feet stand outside the radius of gyration;
    // faster, where what it carries presses on the feet and has no inertia.
    model->fastest = config->mu / config->slip_speed * (mass / config->mass);
    ib_passive_init(states, IB_PASSIVE_STATES, mass, config->inertia + outfit->carried_inertia,
                    &model->body);
}

ib_RobotPorts ib_sliding_ports(const ib_SlidingModel *model, double length, double width,
                               const ib_BumperConfig *bumper)
{
    ib_RobotPorts ports = ib_passive_ports(&model->body, length, width, bumper, model->fastest);
    ports.state_count = IB_PASSIVE_STATES;
    ports.states = states;
    ports.signal_count = IB_PASSIVE_SIGNALS;
    ports.signals = signals;
    return ports;
}

void ib_sliding_rate(const void *model_, const double *state, const double *input, double *rate)
{
    const ib_SlidingModel *model = model_;
    ib_FloorForce floor = ib_sliding_floor(model, state, input[IB_GRAVITY]);
    ib_passive_rate(&model->body, &floor, state, input, rate);
}

void ib_sliding_output(const void *model_, const double *state, const double *input,
                       double *signals_)
{
    const ib_SlidingModel *model = model_;
    ib_FloorForce floor = ib_sliding_floor(model, state, input[IB_GRAVITY]);
    double kinetic = ib_passive_kinetic(&model->body, state);
    ib_passive_output(&model->body, &floor, kinetic, state, signals_);
}
