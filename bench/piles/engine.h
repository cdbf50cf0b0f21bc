// bench/piles/engine.h: who moves the bodies of a scene, and what is asked of him.
// Read by C++ too.
#ifndef IB_BENCH_ENGINE_H
#define IB_BENCH_ENGINE_H

#include "scene.h"

#include <stdbool.h>

typedef struct EnginePose {
    double x, y, heading; ///< [m, m, rad]
} EnginePose;

// Two that touch, as the engine sees it: a body of the scene, and another one or, from body_count
// on, a wall.
typedef struct EngineTouch {
    int body, other;
} EngineTouch;

typedef struct Engine {
    const char *name;
    // NULL, with the reason on stderr: it cannot.
    void *(*create)(const Scene *scene);
    // Makes so many steps of SCENE_STEP. False, with the reason on stderr: it failed.
    bool (*advance)(void *self, int steps);
    void (*look)(void *self, EnginePose *poses);
    // How many touch; of them the first `most` are written.
    int (*touches)(void *self, EngineTouch *touches, int most);
    void (*destroy)(void *self);
} Engine;

extern const Engine engine_ironbird;
#ifdef IB_HAVE_BOX2D
extern const Engine engine_box2d;          ///< nobody sleeps
extern const Engine engine_box2d_sleeping; ///< bodies that have come to rest do
#endif

#endif
