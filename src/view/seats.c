#include "view/seats.h"

#include <string.h>

void ib_seats_init(ib_Seats *seats, const ib_Model *model, ib_LiveInput *input)
{
    int count = model->robot_count < IB_FEED_ROBOTS ? model->robot_count : IB_FEED_ROBOTS;
    *seats = (ib_Seats){.model = model, .input = input, .count = count};
}

bool ib_seats_may_drive(const ib_Model *model, int robot, int index)
{
    if (robot < 0 || robot >= model->robot_count || robot >= IB_FEED_ROBOTS) return false;
    const ib_RobotModel *own = &model->robots[robot];
    return index >= 0 && index < own->ports.input_count && !own->ports.inputs[index].for_loops &&
           ib_live_input_open(model, own->input + index);
}

bool ib_seats_drivable(const ib_Model *model, int robot)
{
    bool any = false;
    int count =
        robot >= 0 && robot < model->robot_count ? model->robots[robot].ports.input_count : 0;
    for (int i = 0; i < count && !any; i++) any = ib_seats_may_drive(model, robot, i);
    return any;
}

// Sets sticks and pedals to neutral; true: one of them was not.
static bool let_go(ib_Seats *seats, int robot)
{
    const ib_RobotModel *own = &seats->model->robots[robot];
    bool moved = false;
    for (int i = 0; i < own->ports.input_count; i++) {
        const ib_InputDef *def = &own->ports.inputs[i];
        int input = own->input + i;
        if ((def->held && !def->button) || def->kept || !seats->input->given[input]) continue;
        moved |= seats->input->values[input] != def->neutral;
        seats->input->given[input] = false;
    }
    return moved;
}

// Left and right, or throttle and turn: using one pair releases the other.
static void leave_other_sets(ib_Seats *seats, const ib_RobotModel *robot, int set)
{
    for (int i = 0; set != 0 && i < robot->ports.input_count; i++) {
        int other = robot->ports.inputs[i].set;
        if (other != 0 && other != set) seats->input->given[robot->input + i] = false;
    }
}

static void drive(ib_Seats *seats, const ib_FeedCommand *command)
{
    if (!ib_seats_may_drive(seats->model, command->robot, command->index) ||
        !isfinite(command->value))
        return;
    const ib_RobotModel *robot = &seats->model->robots[command->robot];
    leave_other_sets(seats, robot, robot->ports.inputs[command->index].set);
    int input = robot->input + command->index;
    seats->input->values[input] = command->value;
    seats->input->given[input] = true;
}

static void release(ib_Seats *seats, int robot, int client)
{
    if (seats->seats[robot].client != client) return;
    let_go(seats, robot);
    seats->seats[robot] = (ib_Seat){0};
}

void ib_seats_hear(ib_Seats *seats, const ib_FeedCommand *command, int64_t wall)
{
    int robot = command->robot, client = command->client;
    if (command->type == IB_COMMAND_RELEASE && robot < 0)
        for (int i = 0; i < seats->count; i++) release(seats, i, client);
    if (robot < 0 || robot >= seats->count || client < 1) return;
    ib_Seat *seat = &seats->seats[robot];
    if (command->type == IB_COMMAND_RELEASE) {
        release(seats, robot, client);
        return;
    }
    if (command->type == IB_COMMAND_TAKE && seat->client != client) {
        let_go(seats, robot); // the last driver's inputs end
        seat->client = client;
    }
    if (seat->client == 0) seat->client = client;
    if (seat->client != client) return;
    seat->heard = wall;
    if (command->type == IB_COMMAND_DRIVE) drive(seats, command);
}

int ib_seats_silence(ib_Seats *seats, int64_t wall)
{
    for (int i = 0; i < seats->count; i++) {
        const ib_Seat *seat = &seats->seats[i];
        if (seat->client != 0 && wall - seat->heard > IB_SEAT_SILENCE && let_go(seats, i)) return i;
    }
    return -1;
}

void ib_seats_reset(ib_Seats *seats)
{
    memset(seats->input->given, 0, (size_t)seats->input->count * sizeof *seats->input->given);
}
