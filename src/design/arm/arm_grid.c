// design/arm/arm_grid.c: A* over the places of a grid in joint space.
#include "design/arm/arm_grid.h"

#include "base/extreme.h"

#include <math.h>

enum {
    SIDE = IB_ARM_GRID_SIDE,
    PLACES = SIDE * SIDE,
};

static void place_of(const ib_ArmGrid *grid, int place, double th[2])
{
    th[0] = grid->low[0] + grid->step[0] * (place / SIDE);
    th[1] = grid->low[1] + grid->step[1] * (place % SIDE);
}

static double apart(const double a[2], const double b[2])
{
    double d[2] = {a[0] - b[0], a[1] - b[1]};
    return sqrt(d[0] * d[0] + d[1] * d[1]);
}

// ------------------------------------------------------------------------------------------ pieces

// All blocked places connected with `first`, by a stack; marks them in grid->from.
static ib_ArmPiece gather(ib_ArmGrid *grid, int first)
{
    ib_ArmPiece piece = {0};
    int *stack = grid->heap, height = 0;
    stack[height++] = first;
    grid->from[first] = 1;
    while (height > 0) {
        int place = stack[--height], row = place / SIDE, column = place % SIDE;
        double depth = grid->margin - grid->distance[place];
        if (depth > piece.depth) {
            piece.depth = depth;
            place_of(grid, place, piece.deepest);
        }
        if (row == 0 || column == 0 || row == SIDE - 1 || column == SIDE - 1) piece.edge = true;
        const int next[4][2] = {
            {row - 1, column}, {row + 1, column}, {row, column - 1}, {row, column + 1}};
        for (int k = 0; k < 4; k++) {
            int r = next[k][0], c = next[k][1], other = r * SIDE + c;
            if (r < 0 || c < 0 || r >= SIDE || c >= SIDE || grid->from[other]) continue;
            if (grid->distance[other] >= grid->margin) continue;
            grid->from[other] = 1;
            stack[height++] = other;
        }
    }
    return piece;
}

ib_Status ib__arm_grid_init(const ib_ArmScene *scene, double margin, const double low[2],
                            const double high[2], ib_Arena *arena, ib_ArmGrid *grid,
                            ib_Error *error)
{
    *grid = (ib_ArmGrid){.scene = scene, .margin = margin};
    for (int i = 0; i < 2; i++) {
        grid->low[i] = low[i];
        grid->step[i] = (high[i] - low[i]) / (SIDE - 1);
    }
    grid->distance = ib_arena_array(arena, PLACES, sizeof(double));
    grid->cost = ib_arena_array(arena, PLACES, sizeof(double));
    grid->from = ib_arena_array(arena, PLACES, sizeof(int));
    grid->heap = ib_arena_array(arena, PLACES, sizeof(int));
    grid->seat = ib_arena_array(arena, PLACES, sizeof(int));
    if (!grid->distance || !grid->cost || !grid->from || !grid->heap || !grid->seat)
        return ib_error_set(error, IB_FAILED, "no memory for the grid of an arm's joint space");
    for (int place = 0; place < PLACES; place++) {
        double th[2];
        place_of(grid, place, th);
        grid->distance[place] = ib_arm_scene_near(scene, th).distance;
        grid->from[place] = 0;
    }
    for (int place = 0; place < PLACES && grid->pieces < IB_ARM_GRID_PIECES; place++)
        if (grid->distance[place] < margin && !grid->from[place])
            grid->piece[grid->pieces++] = gather(grid, place);
    return IB_OK;
}

// ------------------------------------------------------------------------------------------- walls

// Twice the area of the triangle a b c; its sign is the side of a b on which c lies.
static double side_of(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool crosses(const ib_ArmWall *wall, const double from[2], const double to[2])
{
    bool apart_from = side_of(wall->from, wall->to, from) > 0;
    bool apart_to = side_of(wall->from, wall->to, to) > 0;
    bool end_from = side_of(from, to, wall->from) > 0, end_to = side_of(from, to, wall->to) > 0;
    return apart_from != apart_to && end_from != end_to;
}

static bool crosses_any(const ib_ArmWall *walls, int count, const double from[2],
                        const double to[2])
{
    for (int k = 0; k < count; k++)
        if (crosses(&walls[k], from, to)) return true;
    return false;
}

bool ib__arm_grid_sees(const ib_ArmGrid *grid, const ib_ArmWall *walls, int count,
                       const double from[2], const double to[2])
{
    return !crosses_any(walls, count, from, to) &&
           ib_arm_scene_line_clear(grid->scene, from, to, grid->margin);
}

// -------------------------------------------------------------------------------------------- heap

// Places in the order of cost so far plus straight way to the goal; `seat`: position of a place in
// the heap, from 1; 0: not yet in it, -1: done.
typedef struct Search {
    ib_ArmGrid *grid;
    const double *goal;
    int count;
} Search;

static double rank(const Search *search, int place)
{
    double th[2];
    place_of(search->grid, place, th);
    return search->grid->cost[place] + apart(th, search->goal);
}

static void sit(Search *search, int seat, int place)
{
    search->grid->heap[seat - 1] = place;
    search->grid->seat[place] = seat;
}

static void rise(Search *search, int place)
{
    int seat = search->grid->seat[place];
    double own = rank(search, place);
    while (seat > 1) {
        int above = search->grid->heap[seat / 2 - 1];
        if (rank(search, above) <= own) break;
        sit(search, seat, above);
        seat /= 2;
    }
    sit(search, seat, place);
}

static int take_first(Search *search)
{
    int *heap = search->grid->heap, first = heap[0], last = heap[--search->count], seat = 1;
    search->grid->seat[first] = -1;
    if (search->count == 0) return first;
    double own = rank(search, last);
    for (int below = 2; below <= search->count; below = 2 * seat) {
        if (below < search->count && rank(search, heap[below]) < rank(search, heap[below - 1]))
            below++;
        if (own <= rank(search, heap[below - 1])) break;
        sit(search, seat, heap[below - 1]);
        seat = below;
    }
    sit(search, seat, last);
    return first;
}

static void offer(Search *search, int place, int from, double cost)
{
    ib_ArmGrid *grid = search->grid;
    if (grid->seat[place] < 0 || (grid->seat[place] > 0 && grid->cost[place] <= cost)) return;
    grid->cost[place] = cost;
    grid->from[place] = from;
    if (grid->seat[place] == 0) sit(search, ++search->count, place);
    rise(search, place);
}

// --------------------------------------------------------------------------------------------- way

// True if the line between two places with known distances is clear. A point of it is no further
// from an end than that part of the line, so its distance is at least (da + db - moved)/2.
static bool passes(const ib_ArmGrid *grid, const ib_ArmWall *walls, int count, int a, int b,
                   const double from[2], const double to[2])
{
    double d[2] = {fabs(to[0] - from[0]), fabs(to[1] - from[1])};
    double moved = grid->scene->length[0] * d[0] + grid->scene->length[1] * d[1];
    double known = grid->distance[a] + grid->distance[b] - ib_max(moved, d[0] + d[1]);
    if (crosses_any(walls, count, from, to)) return false;
    return known >= 2 * grid->margin ||
           ib_arm_scene_line_clear(grid->scene, from, to, grid->margin);
}

// One of the four places about `th`, some of which it sees.
static int corner_of(const ib_ArmGrid *grid, const double th[2], int k)
{
    int at[2];
    for (int i = 0; i < 2; i++) {
        double cells = (th[i] - grid->low[i]) / grid->step[i];
        at[i] = (int)ib_min(ib_max(cells, 0), SIDE - 2);
    }
    return (at[0] + (k >> 1)) * SIDE + at[1] + (k & 1);
}

static void spread(Search *search, const ib_ArmWall *walls, int count, int place)
{
    ib_ArmGrid *grid = search->grid;
    int row = place / SIDE, column = place % SIDE;
    double from[2], to[2];
    place_of(grid, place, from);
    for (int r = row - 1; r <= row + 1; r++)
        for (int c = column - 1; c <= column + 1; c++) {
            int other = r * SIDE + c;
            if (r < 0 || c < 0 || r >= SIDE || c >= SIDE || grid->seat[other] < 0) continue;
            if (grid->distance[other] < grid->margin) continue;
            place_of(grid, other, to);
            if (passes(grid, walls, count, place, other, from, to))
                offer(search, other, place, grid->cost[place] + apart(from, to));
        }
}

// Writes the way from the goal's place back to the start into `way`, reversed.
static int trace(const ib_ArmGrid *grid, int last, const double start[2], const double goal[2],
                 double (*way)[2], int most)
{
    int count = 2, k;
    for (int place = last; place >= 0; place = grid->from[place]) count++;
    if (count > most) return 0;
    k = count - 1;
    for (int i = 0; i < 2; i++) way[0][i] = start[i], way[k][i] = goal[i];
    for (int place = last; place >= 0; place = grid->from[place]) place_of(grid, place, way[--k]);
    return count;
}

int ib__arm_grid_way(ib_ArmGrid *grid, const ib_ArmWall *walls, int count, const double start[2],
                     const double goal[2], double (*way)[2], int most)
{
    Search search = {.grid = grid, .goal = goal};
    for (int place = 0; place < PLACES; place++) grid->seat[place] = 0;
    for (int k = 0; k < 4; k++) {
        double th[2];
        int place = corner_of(grid, start, k);
        place_of(grid, place, th);
        if (ib__arm_grid_sees(grid, walls, count, start, th))
            offer(&search, place, -1, apart(start, th));
    }
    while (search.count > 0) {
        int place = take_first(&search);
        for (int k = 0; k < 4; k++) {
            double th[2];
            if (place != corner_of(grid, goal, k)) continue;
            place_of(grid, place, th);
            if (ib__arm_grid_sees(grid, walls, count, th, goal))
                return trace(grid, place, start, goal, way, most);
        }
        spread(&search, walls, count, place);
    }
    return 0;
}
