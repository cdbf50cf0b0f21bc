// bench/piles/scene.h: bodies that are pushed together, the same for every engine.
//
// The floor has no friction, and what meets has that of the scene. The field is a rectangle with
// one corner at the origin. Read by C++ too.
#ifndef IB_BENCH_SCENE_H
#define IB_BENCH_SCENE_H

#define SCENE_STEP 1e-3 ///< of every engine [s]

enum { SCENE_WALLS = 4 };

typedef enum SceneForm { SCENE_BOX, SCENE_BALL, SCENE_ROBOT } SceneForm;

typedef struct SceneBody {
    SceneForm form;
    double length, width; ///< [m]; of a ball both are its diameter
    double mass, inertia; ///< [kg, kg m^2]
    double x, y, heading; ///< at the start [m, m, rad]
    double fx, fy;        ///< pushes its centre all the time, field frame [N]
} SceneBody;

// What drives each robot, along its own axes: forward `push - drag u`, to the left `-side n`, and a
// torque `-turn w`. This is the tank robot on viscous wheels and a stiff supply.
typedef struct SceneDrive {
    double volts;            ///< of both sides [V]
    double push;             ///< [N]
    double drag, side, turn; ///< [N s/m, N s/m, N m s]
} SceneDrive;

typedef struct Scene {
    char key[24];
    int body_count;
    SceneBody *bodies;
    SceneDrive drive;
    double length, width;          ///< of the field [m]
    double wall_x[SCENE_WALLS][4]; ///< corners of its walls [m]
    double wall_y[SCENE_WALLS][4]; ///< the same [m]
    double friction, restitution;  ///< of all bodies and walls
    double way;                    ///< they have come together after this time, about [s]
    double duration;               ///< [s]; the last second is rest
} Scene;

// The scene with this number, 0, 1, …; a body_count of 0: there is none. Ends without memory.
// `balls`: there are some; false: cubes of the same size stand in for them.
Scene scene_make(int number, int balls);
void scene_free(Scene *scene);

#endif
