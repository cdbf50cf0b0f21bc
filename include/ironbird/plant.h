// ironbird/plant.h: everything public of src/plant.
#ifndef IRONBIRD_PLANT_H
#define IRONBIRD_PLANT_H

#include "plant/actuator/actuator.h"
#include "plant/air.h"
#include "plant/battery.h"
#include "plant/breaker.h"
#include "plant/brownout.h"
#include "plant/bus.h"
#include "plant/compressor.h"
#include "plant/cylinder.h"
#include "plant/drivetrain.h"
#include "plant/environment.h"
#include "plant/friction.h"
#include "plant/gas.h"
#include "plant/gearmotor.h"
#include "plant/hook.h"
#include "plant/mechanism/mechanism.h"
#include "plant/motor.h"
#include "plant/orifice.h"
#include "plant/patch.h"
#include "plant/payload.h"
#include "plant/piston.h"
#include "plant/power.h"
#include "plant/regulator.h"
#include "plant/reservoir.h"
#include "plant/thermal.h"
#include "plant/tyre.h"
#include "plant/valve.h"
#include "plant/weight.h"
#include "plant/wheel.h"

#endif
