// plant/feed.h: the supplies of a robot's parts: its battery with all bridges on one bus, and its
// air. Electrics: plant/electric/power.h; compressor, tanks, named cylinders: plant/air/air.h.
//
// Bus and air are solved once an instant, behind all offers. The compressor is a load on the bus
// that follows its voltage.
#ifndef IB_PLANT_FEED_H
#define IB_PLANT_FEED_H

#include "plant/air/air.h"
#include "plant/part.h"

typedef struct ib_Feed {
    bool powered;  ///< it has a battery
    bool breathes; ///< it has air
    bool shared;   ///< and parts that drink from it: ib_Wires.air
    ib_PowerModel power;
    ib_AirModel air;
    const ib_AirConfig *air_config;
    int bridges;
    bool free; ///< bridges without limits and inductance that only a breaker opens: ib_bus_free
    // Places of its parts among the robot's.
    int power_signal, air_signal; ///< ib_power_signals, ib_air_signals and later ones
    int source_signal;            ///< ib_air_source_signals
    int compressor, solenoids;    ///< inputs: the compressor's; the first of the cylinders'
    int air_state, air_guard;
    int compressor_energy; ///< sum [J]
} ib_Feed;

extern const char *const ib_compressor_words[]; ///< of its input

// A feed that is never made has neither battery nor air.
void ib_feed_init(const ib_PowerConfig *power, ib_Feed *feed);
void ib_feed_add_air(const ib_AirConfig *air, ib_Feed *feed);

// Declarations in the order of a robot's signals: the battery; entries of a declared book; breakers
// of bridges, if any; the air with its inputs.
void ib_feed_declare_power(const ib_PowerConfig *config, ib_Feed *feed, ib_Declarations *d);
void ib_feed_declare_book(ib_Feed *feed, ib_Declarations *d);
void ib_feed_declare_branch(const ib_PowerConfig *config, ib_Feed *feed, int bridge,
                            const char *part, ib_Declarations *d);
void ib_feed_declare_compressor(ib_Feed *feed, ib_Declarations *d);
void ib_feed_declare_solenoids(ib_Feed *feed, ib_Declarations *d);
void ib_feed_declare_air(ib_Feed *feed, ib_Declarations *d);

void ib_feed_reset(const ib_Feed *feed, double *x);
// Before the offers: whether outputs follow their commands. After them: bus and air.
void ib_feed_begin(const ib_Feed *feed, ib_Wires *wires);
void ib_feed_solve(const ib_Feed *feed, ib_Wires *wires);
void ib_feed_rate(const ib_Feed *feed, const ib_Wires *wires, double *dx);
void ib_feed_guards(const ib_Feed *feed, const ib_Wires *wires, double *guards);
void ib_feed_output(const ib_Feed *feed, const ib_Wires *wires, double *signals);

// Modes that follow the state alone, and the brownout, which follows the bus.
bool ib_feed_settle(const ib_Feed *feed, const double *input, double *x);
bool ib_feed_settle_brownout(const ib_Feed *feed, const ib_Wires *wires, double *x);

#endif
