#include "world/skyline.h"

#include <math.h>
#include <string.h>

bool ib__skyline_workspace_init(ib__SkylineWorkspace *workspace, int row_room, size_t block_room,
                                ib_Arena *arena)
{
    size_t rows = (size_t)row_room;
    ib__Skyline *all = &workspace->all;
    *workspace = (ib__SkylineWorkspace){.block_room = block_room};
    all->first = ib_arena_array(arena, rows, sizeof *all->first);
    all->start = ib_arena_array(arena, 2 * rows, sizeof *all->start);
    all->diagonal = ib_arena_array(arena, rows, sizeof *all->diagonal);
    all->pivots = ib_arena_array(arena, rows, sizeof *all->pivots);
    all->lower = ib_arena_array(arena, block_room, sizeof *all->lower);
    all->upper = ib_arena_array(arena, block_room, sizeof *all->upper);
    return all->first && all->start && all->diagonal && all->pivots && all->lower && all->upper;
}

void ib__skyline_workspace_clear(ib__SkylineWorkspace *workspace)
{
    workspace->used_rows = workspace->used_systems = 0;
    workspace->used_blocks = 0;
}

ib__Skyline ib__skyline_take(ib__SkylineWorkspace *workspace, int count)
{
    ib__Skyline s = workspace->all;
    s.count = count;
    s.first += workspace->used_rows;
    s.start += workspace->used_rows + workspace->used_systems;
    s.diagonal += workspace->used_rows;
    s.pivots += workspace->used_rows;
    s.lower += workspace->used_blocks;
    s.upper += workspace->used_blocks;
    workspace->used_rows += count;
    workspace->used_systems++;
    return s;
}

bool ib__skyline_lay_out(ib__SkylineWorkspace *workspace, ib__Skyline *s)
{
    size_t blocks = 0;
    for (int i = 0; i < s->count; i++) {
        s->start[i] = (int)blocks;
        blocks += (size_t)(i - s->first[i]);
    }
    s->start[s->count] = (int)blocks;
    if (workspace->used_blocks + blocks > workspace->block_room) return false;
    workspace->used_blocks += blocks;
    return true;
}

void ib__skyline_clear(ib__Skyline *s)
{
    size_t blocks = (size_t)s->start[s->count];
    memset(s->lower, 0, blocks * sizeof *s->lower);
    memset(s->upper, 0, blocks * sizeof *s->upper);
    for (int i = 0; i < s->count; i++)
        s->diagonal[i] = (ib__Block){.m = {[0] = 1, [4] = 1, [8] = 1}};
}

void ib__skyline_add(ib__Skyline *s, int i, int k, double size, const double *x, const double *y)
{
    ib__Block *block = i == k  ? &s->diagonal[i]
                       : i > k ? &s->lower[s->start[i] + k - s->first[i]]
                               : &s->upper[s->start[k] + i - s->first[k]];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) block->m[3 * r + c] += size * x[r] * y[c];
}

// to -= a b
static inline void take(double *restrict to, const double *restrict a, const double *restrict b)
{
    for (int r = 0; r < 3; r++) {
        double x = a[3 * r], y = a[3 * r + 1], z = a[3 * r + 2];
        for (int c = 0; c < 3; c++) to[3 * r + c] -= x * b[c] + y * b[3 + c] + z * b[6 + c];
    }
}

// A diagonal block as the product of its factors: rows exchanged for the largest pivots, below the
// diagonal the multipliers of each row above, on it the inverses of the pivots. An inverse would
// lose small stiffnesses beside large ones.
static void split(double *m, int *row)
{
    for (int k = 0; k < 3; k++) row[k] = k;
    for (int k = 0; k < 3; k++) {
        int best = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(m[3 * i + k]) > fabs(m[3 * best + k])) best = i;
        for (int j = 0; j < 3 && best != k; j++) {
            double held = m[3 * k + j];
            m[3 * k + j] = m[3 * best + j], m[3 * best + j] = held;
        }
        int held = row[k];
        row[k] = row[best], row[best] = held;
        m[4 * k] = 1 / m[4 * k];
        for (int i = k + 1; i < 3; i++) {
            m[3 * i + k] *= m[4 * k];
            for (int j = k + 1; j < 3; j++) m[3 * i + j] -= m[3 * i + k] * m[3 * k + j];
        }
    }
}

// x of  D x = b, in the place of b.
static inline void divide(const double *m, const int *row, double *b)
{
    double x = b[row[0]], y = b[row[1]] - m[3] * x;
    double z = (b[row[2]] - m[6] * x - m[7] * y) * m[8];
    y = (y - m[5] * z) * m[4];
    b[0] = (x - m[1] * y - m[2] * z) * m[0];
    b[1] = y;
    b[2] = z;
}

// X of  X D = B, in the place of B, row by row.
static inline void divide_right(double *B, const double *m, const int *row)
{
    for (int r = 0; r < 3; r++) {
        double *b = B + 3 * r;
        double x = b[0] * m[0], y = (b[1] - x * m[1]) * m[4];
        double z = (b[2] - x * m[2] - y * m[5]) * m[8];
        y -= z * m[7];
        x -= y * m[3] + z * m[6];
        b[row[0]] = x;
        b[row[1]] = y;
        b[row[2]] = z;
    }
}

// to = a^T
static inline void mirror(double *restrict to, const double *restrict a)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) to[3 * r + c] = a[3 * c + r];
}

void ib__skyline_factor(ib__Skyline *s, bool symmetric)
{
    for (int i = 0; i < s->count; i++) {
        int from = s->first[i];
        ib__Block *low = s->lower + s->start[i] - from, *up = s->upper + s->start[i] - from;
        for (int j = from; j < i; j++) {
            const ib__Block *low_j = s->lower + s->start[j] - s->first[j];
            const ib__Block *up_j = s->upper + s->start[j] - s->first[j];
            int k0 = from > s->first[j] ? from : s->first[j];
            for (int k = k0; k < j; k++) take(low[j].m, low[k].m, up_j[k].m);
            for (int k = k0; k < j && !symmetric; k++) take(up[j].m, low_j[k].m, up[k].m);
            if (symmetric) mirror(up[j].m, low[j].m);
            divide_right(low[j].m, s->diagonal[j].m, s->pivots[j]);
        }
        for (int j = from; j < i; j++) take(s->diagonal[i].m, low[j].m, up[j].m);
        split(s->diagonal[i].m, s->pivots[i]);
    }
}

// Each pivot below 0 turns the sign around, and so do two rows that were exchanged.
bool ib__skyline_is_positive(const ib__Skyline *s)
{
    bool positive = true;
    for (int i = 0; i < s->count; i++) {
        const double *m = s->diagonal[i].m;
        const int *row = s->pivots[i];
        for (int k = 0; k < 3; k++) {
            if (m[4 * k] < 0) positive = !positive;
            for (int j = 0; j < k; j++)
                if (row[j] > row[k]) positive = !positive;
        }
    }
    return positive;
}

static inline void take_vector(double *restrict to, const double *restrict m,
                               const double *restrict x)
{
    for (int r = 0; r < 3; r++)
        to[r] -= m[3 * r] * x[0] + m[3 * r + 1] * x[1] + m[3 * r + 2] * x[2];
}

void ib__skyline_solve(const ib__Skyline *s, double *b)
{
    for (int i = 0; i < s->count; i++) {
        const ib__Block *low = s->lower + s->start[i] - s->first[i];
        for (int j = s->first[i]; j < i; j++) take_vector(b + 3 * i, low[j].m, b + 3 * j);
    }
    for (int i = s->count - 1; i >= 0; i--) {
        const ib__Block *up = s->upper + s->start[i] - s->first[i];
        divide(s->diagonal[i].m, s->pivots[i], b + 3 * i);
        for (int j = s->first[i]; j < i; j++) take_vector(b + 3 * j, up[j].m, b + 3 * i);
    }
}
