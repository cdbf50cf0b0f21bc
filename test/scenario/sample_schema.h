// test/scenario/sample_schema.h: a robot's parameters with every type there is,
// and data files for them.
#ifndef IB_TEST_SAMPLE_SCHEMA_H
#define IB_TEST_SAMPLE_SCHEMA_H

#include "base/schema.h"
#include "file/catalogue.h"

#include <math.h>
#include <string.h>

enum { SAMPLE_CYLINDERS = 3 };

typedef struct SampleCylinder {
    char name[IB_NAME_LENGTH + 1];
    double bore, stroke, valve_C;
} SampleCylinder;

typedef struct Sample {
    double mass, limit, droop;
    int motor, motors;
    double motor_voltage, motor_torque, motor_inertia;
    int breaker;
    double breaker_rating, breaker_cooling;
    ib_Table breaker_trip;
    int air, compressor;
    double air_volume, air_switch[2], compressor_cutoff;
    ib_Table compressor_points;
    int cylinder_count;
    SampleCylinder cylinders[SAMPLE_CYLINDERS];
    int guard; ///< behind the last item: must never change
} Sample;

static const ib_PresetDef sample_motors = {.file = "motors"},
                          sample_breakers = {.file = "breakers", .off = true},
                          sample_airs = {.file = "airs", .off = true},
                          sample_compressors = {.file = "compressors"};
static const ib_TableDef sample_trip = {2, {"A", "s", NULL}, 2};
static const ib_TableDef sample_points = {3, {"Pa", "m^3/s", "A"}, 1};

static const ib_Param sample_cylinder_params[] = {
    {"bore", IB_PARAM_NUMBER, "m", NULL, 1e-3, 1, NULL, offsetof(SampleCylinder, bore), false, "."},
    {"stroke", IB_PARAM_NUMBER, "m", "10 cm", 1e-3, 1, NULL, offsetof(SampleCylinder, stroke),
     false, "."},
    {"valve.C", IB_PARAM_NUMBER, "m^3/(s*Pa)", "1 dm^3/(s*bar)", 0, 1, NULL,
     offsetof(SampleCylinder, valve_C), false, "."},
};
static const ib_Schema sample_cylinder_schema = {.params = sample_cylinder_params, .count = 3};
static const ib_NamedDef sample_cylinders = {
    &sample_cylinder_schema, offsetof(Sample, cylinders) - offsetof(Sample, cylinder_count),
    sizeof(SampleCylinder), SAMPLE_CYLINDERS, NULL};

#define SAMPLE(key, type, unit, fallback, min, max, detail, field)                                 \
    {                                                                                              \
        key, IB_PARAM_##type, unit, fallback, min, max, detail, offsetof(Sample, field), false,    \
            "of the sample"                                                                        \
    }

static const ib_Param sample_params[] = {
    SAMPLE("mass", NUMBER, "kg", "50 kg", 1, 100, NULL, mass),
    SAMPLE("limit", LIMIT, "A", "off", 0, 1000, NULL, limit),
    SAMPLE("droop", NUMBER, "delta Pa", "5 psi", 0, 1e6, NULL, droop),
    SAMPLE("drive.motor", PRESET, "1", "cim", 0, 0, &sample_motors, motor),
    SAMPLE("drive.motor.voltage", NUMBER, "V", NULL, 1, 100, NULL, motor_voltage),
    SAMPLE("drive.motor.torque", NUMBER, "N*m", NULL, 0, 100, NULL, motor_torque),
    SAMPLE("drive.motor.inertia", NUMBER, "kg*m^2", "0 kg*m^2", 0, 1, NULL, motor_inertia),
    SAMPLE("drive.motors", COUNT, "1", "2", 1, 4, NULL, motors),
    SAMPLE("breaker", PRESET, "1", "off", 0, 0, &sample_breakers, breaker),
    SAMPLE("breaker.rating", NUMBER, "A", NULL, 1, 1000, NULL, breaker_rating),
    SAMPLE("breaker.cooling", NUMBER, "s", "200 s", 1, 1e4, NULL, breaker_cooling),
    SAMPLE("breaker.trip", TABLE, "1", "200 A 40 s, 400 A 5 s", 0, 1e4, &sample_trip, breaker_trip),
    SAMPLE("air", PRESET, "1", NULL, 0, 0, &sample_airs, air),
    SAMPLE("air.volume", NUMBER, "m^3", "0.574 L", 0, 1, NULL, air_volume),
    SAMPLE("air.switch", PAIR, "Pa", "95 psig, 115 psig", 0, 1e6, NULL, air_switch),
    SAMPLE("air.compressor", PRESET, "1", "viair", 0, 0, &sample_compressors, compressor),
    SAMPLE("air.compressor.cutoff", NUMBER, "V", "6 V", 0, 20, NULL, compressor_cutoff),
    SAMPLE("air.compressor.points", TABLE, "1", NULL, 0, 0, &sample_points, compressor_points),
    SAMPLE("air.cylinders", NAMED, "1", NULL, 0, 0, &sample_cylinders, cylinder_count),
};

static const ib_Schema sample_schema = IB_SCHEMA(sample_params);

#define SAMPLE_FILE(name, text)                                                                    \
    {                                                                                              \
        name, "data/" name ".yaml", text, sizeof text - 1                                          \
    }

static const char sample_motors_text[] =
    "# motors\n"
    "cim: {voltage: 12 V, torque: 2.4 N*m,\n"
    "  source: \"a data sheet\", sure: \"as printed\"}\n"
    "\n"
    "neo:\n"
    "  voltage: 11 V\n"
    "  torque: 3 N*m\n"
    "  source: somewhere\n"
    "neo-heavy: {preset: neo, inertia: 0.01 kg*m^2, note: a neo with a flywheel}\n"
    "775pro: {voltage: 12 V, torque: 0.7 N*m}\n"
    "wrong-unit: {voltage: 12 A, torque: 1 N*m}\n"
    "wrong-key: {voltage: 12 V, torqe: 1 N*m, torque: 1 N*m}\n"
    "wrong-base: {preset: nobody}\n"
    "circle: {preset: circle}\n"
    "not-yaml: {voltage: 12 V\n"
    "no-map: 12 V\n";
static const char sample_breakers_text[] = "cb185: {rating: 120 A, trip: [[150 A, 100 s], [240 A, "
                                           "20 s], [600 A, 1 s]], sure: estimate}\n";
static const char sample_compressors_text[] =
    "viair:\n  cutoff: 7 V\n  points: [[0 psig, 0.9 cfm, 7 A], [115 psig, 0.3 cfm, 10 A]]\n"
    "big: {points: [[0 psig, 2 cfm, 20 A]]}\n";
static const char sample_airs_text[] = "small: {volume: 0.3 L, compressor: big}\n"
                                       "own: {compressor: {preset: big, cutoff: 5 V}}\n";

static const ib_DataFile sample_files[] = {SAMPLE_FILE("airs", sample_airs_text),
                                           SAMPLE_FILE("breakers", sample_breakers_text),
                                           SAMPLE_FILE("compressors", sample_compressors_text),
                                           SAMPLE_FILE("motors", sample_motors_text),
                                           {NULL, NULL, NULL, 0}};

#endif
