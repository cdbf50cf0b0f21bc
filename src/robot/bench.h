// robot/bench.h: a bench bolted to the floor: mechanisms alone, with their
// battery. docs/robot/parts.md
#ifndef IB_ROBOT_BENCH_H
#define IB_ROBOT_BENCH_H

#include "robot/equipment.h"
#include "robot/kind.h"

typedef struct ib_BenchConfig {
    ib_EquipmentConfig equipment;
} ib_BenchConfig;

extern const ib_RobotKind ib_bench_kind;

#endif
