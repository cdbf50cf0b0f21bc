#include "desk/trial/trial_bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ib_ActuatorConfig *act_of(ib_MechanismSpec *spec)
{
    void *config = &spec->config;
    return &((ib_MechanismConfig *)config)->act;
}

// Puts its joints at the plant's states.
static void place(const ib_MechanismPorts *ports, const double *x, ib_MechanismSpec *spec)
{
    ib_ActuatorConfig *act = act_of(spec);
    for (int j = 0; j < ports->joints; j++) {
        const ib_Joint *joint = &ports->joint[j];
        if (!joint->unplaced) act->position[j] = x[joint->position];
        act->velocity[j] = x[joint->speed];
    }
}

// A copy of the robot's config, with its mechanism at the start of the trial.
static void *copy_home(const ib_DesignGear *gear, const double *start, ib_Arena *arena)
{
    const ib_RobotConfig *robot = &gear->home->sim.robots[0];
    char *config = ib_arena_alloc(arena, robot->kind->config_size);
    if (!config) return NULL;
    memcpy(config, robot->config, robot->kind->config_size);
    ib_EquipmentConfig *equipment = (void *)config;
    for (int i = 0; i < equipment->mechanisms.count; i++)
        if (strcmp(equipment->mechanisms.items[i].name, gear->spec.name) == 0)
            place(&gear->mechanism.ports, start, &equipment->mechanisms.items[i]);
    return config;
}

static void *make_bench(const ib_DesignFile *design, const ib_DesignGear *gear, const double *start,
                        ib_Arena *arena)
{
    ib_BenchConfig *config = ib_arena_alloc(arena, sizeof *config);
    if (!config) return NULL;
    *config = *design->trial.bench;
    config->equipment.mechanisms.count = 1;
    config->equipment.mechanisms.items[0] = gear->spec;
    place(&gear->mechanism.ports, start, &config->equipment.mechanisms.items[0]);
    return config;
}

// Makes the robot of a trial, its mechanism at the start: the mechanism's own robot, or a bench.
static ib_Status make_robot(const ib_DesignFile *design, const ib_Trial *trial, ib_Arena *arena,
                            ib_TrialRobot *robot, ib_Error *error)
{
    const ib_DesignGear *gear = &design->gears[trial->gear];
    ib_MechanismSpec spec = gear->spec;
    ib_Error reason;
    place(&gear->mechanism.ports, trial->start, &spec);
    ib_Status status = ib_mechanism_spec_check(&spec, &reason);
    if (status != IB_OK) return ib_error_set(error, status, "try.%.900s", reason.text);
    robot->kind = gear->home ? gear->home->sim.robots[0].kind : &ib_bench_kind;
    robot->part = gear->spec.name;
    robot->config = gear->home ? copy_home(gear, trial->start, arena)
                               : make_bench(design, gear, trial->start, arena);
    return robot->config ? IB_OK : ib_error_set(error, IB_FAILED, "out of memory for a trial");
}

static ib_Trial with_plants(const ib_DesignFile *design, const ib_Trial *trial)
{
    ib_Trial whole = *trial;
    for (int i = 0; i < design->gear_count; i++)
        whole.mechanisms[i] = design->gears[i].mechanical ? &design->gears[i].mechanism : NULL;
    return whole;
}

ib_Status ib_trial_bench_run(const ib_DesignFile *design, const ib_Trial *trial,
                             void (*tick)(void *self, const ib_TrialTick *tick), void *self,
                             ib_TrialUse *use, ib_Error *error)
{
    ib_Arena arena = {0};
    ib_TrialRobot robot;
    ib_Trial whole = with_plants(design, trial);
    ib_Status status = IB_OK;
    if (design->gears[trial->gear].spec.kind) {
        status = make_robot(design, trial, &arena, &robot, error);
        whole.robot = &robot;
    } else if (design->trial.home) {
        const ib_RobotConfig *own = &design->trial.home->sim.robots[0];
        robot = (ib_TrialRobot){.kind = own->kind,
                                .config = (void *)(uintptr_t)own->config,
                                .states = design->gears[trial->gear].config.plant.states};
        whole.robot = &robot;
    }
    if (status == IB_OK) status = ib_trial_run(&whole, tick, self, use, error);
    ib_arena_reset(&arena);
    return status;
}

ib_Status ib_trial_ideal_run(const ib_DesignFile *design, const ib_Trial *trial,
                             void (*tick)(void *self, const ib_TrialTick *tick), void *self,
                             ib_Error *error)
{
    ib_Trial whole = with_plants(design, trial);
    return ib_trial_run(&whole, tick, self, NULL, error);
}

void ib_trial_bench_describe(const ib_DesignFile *design, int gear, char *text, size_t size)
{
    const ib_DesignGear *entry = &design->gears[gear];
    if (!entry->mechanical) {
        const ib_Scenario *home = design->trial.home;
        if (home)
            snprintf(text, size, "a %s with all that it has", home->sim.robots[0].kind->name);
        else
            snprintf(text, size, "the linear plant");
        return;
    }
    if (!entry->spec.kind) {
        snprintf(text, size, "%s, with its voltage at hand", entry->mechanism.kind->sentence);
        return;
    }
    if (entry->home) {
        snprintf(text, size, "'%s' of a %s with all that it has", entry->spec.name,
                 entry->home->sim.robots[0].kind->name);
        return;
    }
    const ib_BatteryConfig *battery = &design->trial.bench->equipment.power.battery;
    snprintf(text, size, "%s on a bench, its battery %.4g V behind %.3g mohm",
             entry->mechanism.kind->sentence, battery->open_circuit, 1e3 * battery->resistance);
}
