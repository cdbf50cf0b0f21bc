// bench/bench_piles.c: what many bodies in contact cost, beside Box2D, and how far apart or deep in
// each other they rest; and a robot that leans on a wall beside the same robot driving.
//
// The engines take turns through the same scene, a few steps at a time. All rounds are alike, so of
// each turn the fastest counts: other work on the machine is only ever in the way. Gaps are found
// from the poses, by the same code for all. Each scene is a process of its own: one that fails or
// takes too long is told, and the others go on. Prints one figure a line, "key value unit", for
// bench/run.sh; bench/results.md says what was learnt.
//   bench_piles [SCENE]                  all of them, or one: row.32
//   bench_piles --count ENGINE.SCENE N   runs one scene in one engine N times: box2d.row.32; or one
//                                        of lean.leaning, lean.driving; for bench/count_piles.sh
#include "piles/clock.h"
#include "piles/engine.h"
#include "piles/lean.h"
#include "robot/kind.h"
#include "world/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TURN = 20,       ///< steps that an engine makes at a time
    ROUNDS = 5,      ///< at most
    LEAN_ROUNDS = 50 ///< they are short
};
static const double rest_length = 1; // at the end of a scene [s]
static const double enough = 20;     // no round begins after so many seconds
static const double limit = 60;      // seconds that an engine has for a scene
enum { KILLED_AFTER = 200 };         // seconds, where a single step does not come to its end

static const Engine *const engines[] = {
    &engine_ironbird,
#ifdef IB_HAVE_BOX2D
    &engine_box2d,
    &engine_box2d_sleeping,
#endif
};
enum { ENGINES = sizeof engines / sizeof engines[0] };

static void print(const char *scene, const char *who, const char *figure, double value,
                  const char *unit)
{
    printf("piles.%s.%s.%s %.6g %s\n", scene, who, figure, value, unit);
}

// -------------------------------------------------------------------------------------------- gaps

// How they lie: of all that an engine says to touch the farthest apart, of all pairs the deepest.
typedef struct Lie {
    int contacts;
    double gap, overlap; // [m], >= 0
} Lie;

static ib_Shape shape_of(const SceneBody *body)
{
    return body->form == SCENE_BALL ? ib_shape_disc(body->length / 2)
                                    : ib_shape_box(body->length, body->width);
}

static void place_all(const Scene *scene, const EnginePose *poses, ib_Placed *placed)
{
    for (int i = 0; i < scene->body_count; i++) {
        ib_Shape shape = shape_of(&scene->bodies[i]);
        ib_shape_place(&shape, poses[i].x, poses[i].y, poses[i].heading, &placed[i]);
    }
    for (int i = 0; i < SCENE_WALLS; i++) {
        ib_Shape shape;
        ib_Error error;
        if (ib_shape_polygon(4, scene->wall_x[i], scene->wall_y[i], 0, &shape, &error) != IB_OK)
            abort();
        ib_shape_place(&shape, 0, 0, 0, &placed[scene->body_count + i]);
    }
}

static Lie look(const Scene *scene, const Engine *engine, void *self)
{
    int count = scene->body_count, all = count + SCENE_WALLS, most = 8 * all;
    EnginePose *poses = calloc((size_t)count, sizeof *poses);
    ib_Placed *placed = calloc((size_t)all, sizeof *placed);
    EngineTouch *touches = calloc((size_t)most, sizeof *touches);
    if (!poses || !placed || !touches) abort();
    engine->look(self, poses);
    place_all(scene, poses, placed);
    Lie lie = {.contacts = engine->touches(self, touches, most)};
    for (int i = 0; i < lie.contacts && i < most; i++)
        lie.gap = fmax(
            lie.gap, ib_shape_separation(&placed[touches[i].body], &placed[touches[i].other]).gap);
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < all; k++)
            lie.overlap = fmax(lie.overlap, -ib_shape_separation(&placed[i], &placed[k]).gap);
    free(poses);
    free(placed);
    free(touches);
    return lie;
}

// --------------------------------------------------------------------------------------- measuring

// A scene in one engine.
typedef struct Course {
    const Engine *engine;
    void *self;
    bool failed;
    int turns;    // of this round so far
    double *took; // seconds of each turn, in its fastest round
    double spent; // seconds of this round so far
    Lie lie;      // the worst of the last second
} Course;

static int steps_of(double seconds)
{
    return (int)lround(seconds / SCENE_STEP);
}

// The next turn of one engine.
static void take_turn(const Scene *scene, Course *course)
{
    double begin = clock_now();
    course->failed = !course->engine->advance(course->self, TURN);
    double took = clock_now() - begin;
    course->took[course->turns] = fmin(course->took[course->turns], took);
    course->turns++;
    course->spent += took;
    int step = course->turns * TURN;
    if (course->spent > limit) {
        fprintf(stderr, "bench_piles: %s: %s has come to %.3g s in %g s\n", scene->key,
                course->engine->name, step * SCENE_STEP, limit);
        course->failed = true;
    }
    if (course->failed || step <= steps_of(scene->duration - rest_length)) return;
    Lie lie = look(scene, course->engine, course->self);
    course->lie.contacts = lie.contacts;
    course->lie.gap = fmax(course->lie.gap, lie.gap);
    course->lie.overlap = fmax(course->lie.overlap, lie.overlap);
}

// All engines through the scene, in turns.
static void run_round(const Scene *scene, Course *courses)
{
    for (int i = 0; i < ENGINES; i++) {
        courses[i].turns = 0;
        courses[i].spent = 0;
        if (courses[i].failed) continue;
        courses[i].self = courses[i].engine->create(scene);
        courses[i].failed = !courses[i].self;
    }
    for (int step = 0; step < steps_of(scene->duration); step += TURN)
        for (int i = 0; i < ENGINES; i++)
            if (!courses[i].failed) take_turn(scene, &courses[i]);
    for (int i = 0; i < ENGINES; i++) {
        if (courses[i].self) courses[i].engine->destroy(courses[i].self);
        courses[i].self = NULL;
    }
}

// Microseconds a step from one time of the scene to another.
static double cost(const Course *course, double from, double to)
{
    double sum = 0;
    for (int i = steps_of(from) / TURN; i < steps_of(to) / TURN; i++) sum += course->took[i];
    return sum * 1e6 / steps_of(to - from);
}

static double cost_of_way(const Scene *scene, const Course *course)
{
    return cost(course, 0, scene->way);
}

static double cost_of_rest(const Scene *scene, const Course *course)
{
    return cost(course, scene->duration - rest_length, scene->duration);
}

static double cost_of_all(const Scene *scene, const Course *course)
{
    return cost(course, 0, scene->duration);
}

// Of its slowest turn.
static double cost_of_peak(const Scene *scene, const Course *course)
{
    double most = 0;
    for (int i = 0; i < steps_of(scene->duration) / TURN; i++) most = fmax(most, course->took[i]);
    return most * 1e6 / TURN;
}

static const struct {
    const char *name;
    double (*of)(const Scene *, const Course *);
} costs[] = {
    {"way", cost_of_way}, {"peak", cost_of_peak}, {"rest", cost_of_rest}, {"total", cost_of_all}};
enum { COSTS = sizeof costs / sizeof costs[0] };

static void print_course(const Scene *scene, const Course *course)
{
    const char *name = course->engine->name;
    print(scene->key, name, "failed", course->failed, "1");
    if (course->failed) return;
    for (int i = 0; i < COSTS; i++)
        print(scene->key, name, costs[i].name, costs[i].of(scene, course), "us");
    print(scene->key, name, "contacts", course->lie.contacts, "1");
    print(scene->key, name, "gap", course->lie.gap, "m");
    print(scene->key, name, "overlap", course->lie.overlap, "m");
}

static void print_ratio(const Scene *scene, const Course *own, const Course *peer)
{
    char name[48];
    if (own->failed || peer->failed) return;
    snprintf(name, sizeof name, "over_%s", peer->engine->name);
    for (int i = 0; i < COSTS; i++)
        print(scene->key, name, costs[i].name, costs[i].of(scene, own) / costs[i].of(scene, peer),
              "1");
}

static void measure(const Scene *scene)
{
    Course courses[ENGINES];
    int turns = steps_of(scene->duration) / TURN;
    for (int i = 0; i < ENGINES; i++) {
        courses[i] =
            (Course){.engine = engines[i], .took = malloc((size_t)turns * sizeof *courses[i].took)};
        if (!courses[i].took) abort();
        for (int k = 0; k < turns; k++) courses[i].took[k] = INFINITY;
    }
    double begin = clock_now();
    for (int round = 0; round < ROUNDS && clock_now() - begin < enough; round++)
        run_round(scene, courses);
    print("scene", scene->key, "bodies", scene->body_count, "1");
    for (int i = 0; i < ENGINES; i++) print_course(scene, &courses[i]);
    for (int i = 1; i < ENGINES; i++) print_ratio(scene, &courses[0], &courses[i]);
    for (int i = 0; i < ENGINES; i++) free(courses[i].took);
}

// In a process of its own, which is ended where a step does not end.
static void measure_apart(const Scene *scene)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){KILLED_AFTER, KILLED_AFTER});
        measure(scene);
        fflush(stdout);
        _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child) abort();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    fprintf(stderr, "bench_piles: %s: ended by signal %d\n", scene->key,
            WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    print("scene", scene->key, "bodies", scene->body_count, "1");
    print(scene->key, "ironbird", "failed", 1, "1");
}

static void measure_leaning(void)
{
    double step[LEAN_CASES];
    lean_measure(LEAN_ROUNDS, step);
    for (int i = 0; i < LEAN_CASES; i++) print("lean", lean_names[i], "step", step[i] * 1e9, "ns");
    print("lean", "leaning", "over_driving", step[LEAN_LEANING] / step[LEAN_DRIVING], "1");
}

// -------------------------------------------------------------------------------------------- main

// Cubes stand in for balls where there is no such kind yet.
static bool have_balls(void)
{
    return ib_robot_kind_find("ball") != NULL;
}

static bool run_in(const Engine *engine, const char *key)
{
    size_t length = strlen(engine->name);
    if (strncmp(key, engine->name, length) != 0 || key[length] != '.') return false;
    for (int number = 0;; number++) {
        Scene scene = scene_make(number, have_balls());
        bool found = scene.body_count > 0 && strcmp(scene.key, key + length + 1) == 0;
        if (found) {
            void *self = engine->create(&scene);
            if (!self || !engine->advance(self, steps_of(scene.duration))) abort();
            engine->destroy(self);
        }
        bool last = scene.body_count == 0;
        scene_free(&scene);
        if (found || last) return found;
    }
}

static bool run_row(const char *key)
{
    for (int i = 0; i < LEAN_CASES; i++) {
        if (strncmp(key, "lean.", 5) != 0 || strcmp(key + 5, lean_names[i]) != 0) continue;
        lean_run((LeanCase)i);
        return true;
    }
    for (int i = 0; i < ENGINES; i++)
        if (run_in(engines[i], key)) return true;
    return false;
}

static int count_row(int argc, char **argv)
{
    int times = argc > 3 ? atoi(argv[3]) : 0;
    for (int i = 0; i < times; i++)
        if (!run_row(argv[2])) return 2;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--count") == 0) return count_row(argc, argv);
    if (ENGINES == 1) fprintf(stderr, "bench_piles: Box2D was not there to compare with\n");
    for (int number = 0;; number++) {
        Scene scene = scene_make(number, have_balls());
        if (scene.body_count == 0) break;
        if (argc < 2 || strcmp(argv[1], scene.key) == 0) measure_apart(&scene);
        scene_free(&scene);
    }
    if (argc < 2 || strcmp(argv[1], "lean") == 0) measure_leaning();
    return 0;
}
