// Grounds of boxes, against plane geometry.
#include "cmocka_all.h"
#include "world/terrain.h"

#include "base/geometry.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static ib_TerrainPiece default_of(int kind)
{
    return ib_terrain_piece(kind);
}

static ib_Status check(const ib_TerrainPiece *piece, ib_Error *error)
{
    const ib_TerrainConfig config = {1, {*piece}};
    return ib_terrain_check(&config, error);
}

static int count_of(const ib_TerrainPiece *piece)
{
    ib_TerrainBox boxes[IB_TERRAIN_BOXES];
    const ib_TerrainConfig config = {1, {*piece}};
    assert_int_equal(ib_terrain_check(&config, NULL), IB_OK);
    return ib_terrain_boxes(&config, boxes);
}

static ib_TerrainBox box_of(const ib_TerrainPiece *piece, int index)
{
    ib_TerrainBox boxes[IB_TERRAIN_BOXES];
    const ib_TerrainConfig config = {1, {*piece}};
    assert_in_range(index, 0, ib_terrain_boxes(&config, boxes) - 1);
    return boxes[index];
}

static double rest(const ib_TerrainPiece *piece, double x, double y, double radius)
{
    const ib_TerrainConfig config = {1, {*piece}};
    return ib_terrain_rest(&config, x, y, radius);
}

#define DEG (3.14159265358979323846 / 180)

// Goal: a ramp is the thesis's plate, and its upper side leaves the ground where it says.
// Method: corners of its upper side, by the pose of the box; slope 20 deg towards the left (+y).
static void a_ramp_rises_from_its_place(void **state)
{
    (void)state;
    ib_TerrainPiece ramp = default_of(IB_TERRAIN_RAMP);
    ramp.slope = 20 * DEG, ramp.heading = 90 * DEG, ramp.x = 0.3, ramp.y = -0.2;
    assert_int_equal(count_of(&ramp), 1);
    ib_TerrainBox box = box_of(&ramp, 0);
    const double size[3] = {1.2, 1.2, 0.019}; // C.2: SetDimension(1.2, 1.2, 0.019)
    for (int i = 0; i < 3; i++) assert_close(box.size[i], size[i], 0);
    ib_Pose field = ib_pose_field(), pose = ib_pose_in(&field, box.place, box.attitude);
    double low[3], high[3];
    ib_pose_point(&pose, (double[]){-0.6, 0, 0.0095}, low);
    ib_pose_point(&pose, (double[]){0.6, 0, 0.0095}, high);
    assert_close(low[0], 0.3, 1e-15);
    assert_close(low[1], -0.2, 1e-15);
    assert_close(low[2], 0, 1e-15);
    assert_close(high[0], 0.3, 1e-15);
    assert_close(high[1], -0.2 + 1.2 * cos(20 * DEG), 1e-15);
    assert_close(high[2], 1.2 * sin(20 * DEG), 1e-15);
}

// Goal: a ball rests where a plane says. Method: r/cos(slope) above the upper side, which is
// tan(slope) times the way from the ramp's edge; before the ramp r above the ground.
static void a_ball_rests_on_a_ramp_as_on_a_plane(void **state)
{
    (void)state;
    const double r = 0.0075;
    for (int slope = 0; slope <= 80; slope += 10) {
        ib_TerrainPiece ramp = default_of(IB_TERRAIN_RAMP);
        ramp.slope = slope * DEG, ramp.x = 0;
        double x = 0.5 * cos(ramp.slope);
        double height = x * tan(ramp.slope) + r / cos(ramp.slope);
        // The way down ends 1e-12 m before the plate; seen along the vertical, that much more.
        assert_close(rest(&ramp, x, 0.3, r), height, 1e-11 / cos(ramp.slope));
        assert_close(rest(&ramp, -0.1, 0, r), r, 0);
        assert_close(rest(&ramp, x, 0.7, r), r, 0); // beside it
    }
}

// Goal: steps rise one by one, and a ball near an edge rests on it by a circle.
// Method: heights over the middles of steps; beside one, z = top + sqrt(r^2 - d^2).
static void steps_rise_one_by_one(void **state)
{
    (void)state;
    ib_TerrainPiece steps = default_of(IB_TERRAIN_STEPS);
    steps.x = 1, steps.count = 5, steps.rise = 0.04, steps.run = 0.25;
    assert_int_equal(count_of(&steps), 5);
    for (int i = 0; i < 5; i++)
        assert_close(rest(&steps, 1.125 + 0.25 * i, 0, 0.01), 0.04 * (i + 1) + 0.01, 1e-11);
    double edge = 0.04 + sqrt(1e-4 - 0.006 * 0.006);
    assert_close(rest(&steps, 1 - 0.006, 0, 0.01), edge, 1e-9);
    assert_close(rest(&steps, 1 - 0.011, 0, 0.01), 0.01, 0);
    assert_close(rest(&steps, 1 + 1.3, 0, 0.01), 0.01, 0);
}

// Goal: blocks are by chance, evenly over their range, and the same for the same seed.
// Method: 1024 of them; mean and variance of an even distribution within four standard errors.
static void blocks_are_even_by_chance(void **state)
{
    (void)state;
    ib_TerrainPiece blocks = default_of(IB_TERRAIN_BLOCKS), other = blocks;
    blocks.rows = other.rows = 32, blocks.columns = other.columns = 32;
    blocks.lowest = other.lowest = 0.01, blocks.height = other.height = 0.05;
    other.seed = blocks.seed + 1;
    double sum = 0, squares = 0;
    int same = 0, n = count_of(&blocks);
    assert_int_equal(n, IB_TERRAIN_BOXES);
    for (int i = 0; i < n; i++) {
        ib_TerrainBox box = box_of(&blocks, i), again = box_of(&blocks, i);
        assert_memory_equal(&box, &again, offsetof(ib_TerrainBox, slippery));
        double part = (box.size[2] - 0.01) / 0.04;
        assert_in_range((int)(1e6 * part), 0, 1000000);
        assert_close(box.place[2], 0.5 * box.size[2], 0);
        sum += part, squares += part * part;
        same += box_of(&other, i).size[2] == box.size[2];
    }
    double mean = sum / n, variance = squares / n - mean * mean;
    assert_close(mean, 0.5, 4 * sqrt(1.0 / 12 / n));
    assert_close(variance, 1.0 / 12, 4 * sqrt(1.0 / 180 / n));
    assert_int_equal(same, 0);
}

// Goal: a longer ground begins as the shorter one does. Method: every block of the shorter one.
static void a_longer_ground_begins_as_the_shorter(void **state)
{
    (void)state;
    for (int kind = IB_TERRAIN_BLOCKS; kind <= IB_TERRAIN_HILLS; kind++) {
        ib_TerrainPiece shorter = default_of(kind), longer = shorter;
        longer.rows += 5;
        for (int i = 0; i < count_of(&shorter); i++) {
            ib_TerrainBox a = box_of(&shorter, i), b = box_of(&longer, i);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
}

// Goal: neighbours of hills differ by no more than their waves can.
// Method: between two corners of half a wave, s(u) = 3 u^2 - 2 u^3 is at most 1.5 steep: a block
// of a twelfth of a wave differs from the next by at most 1.5/6 of the range.
static void hills_are_smooth(void **state)
{
    (void)state;
    ib_TerrainPiece hills = default_of(IB_TERRAIN_HILLS), blocks = hills;
    hills.rows = 30, hills.columns = 30, hills.square = 0.05, hills.wave = 0.6;
    blocks = hills;
    blocks.kind = IB_TERRAIN_BLOCKS;
    double range = hills.height - hills.lowest, most = 0, rough = 0;
    for (int i = 0; i < 29 * 30; i++) {
        most = fmax(most, fabs(box_of(&hills, i).size[2] - box_of(&hills, i + 30).size[2]));
        rough = fmax(rough, fabs(box_of(&blocks, i).size[2] - box_of(&blocks, i + 30).size[2]));
    }
    assert_true(most <= 0.25 * range);
    assert_true(most > 0.05 * range); // they are hills
    assert_true(rough > 0.5 * range); // and blocks are not
}

// Goal: blocks lie side by side, with neither gaps nor overlap, whatever their heading.
// Method: the middles of neighbours are an edge apart, and those across from them, too.
static void blocks_lie_side_by_side(void **state)
{
    (void)state;
    ib_TerrainPiece blocks = default_of(IB_TERRAIN_BLOCKS);
    blocks.heading = 0.7, blocks.rows = 6, blocks.columns = 5;
    for (int row = 0; row < 5; row++)
        for (int column = 0; column < 4; column++) {
            ib_TerrainBox a = box_of(&blocks, row * 5 + column);
            ib_TerrainBox b = box_of(&blocks, row * 5 + column + 1);
            ib_TerrainBox c = box_of(&blocks, (row + 1) * 5 + column);
            double ab[2] = {b.place[0] - a.place[0], b.place[1] - a.place[1]};
            double ac[2] = {c.place[0] - a.place[0], c.place[1] - a.place[1]};
            assert_close(hypot(ab[0], ab[1]), blocks.square, 1e-14);
            assert_close(hypot(ac[0], ac[1]), blocks.square, 1e-14);
            assert_close(ab[0] * ac[0] + ab[1] * ac[1], 0, 1e-15);
        }
}

static void refuses_what_is_no_ground(void **state)
{
    (void)state;
    ib_Error error;
    ib_TerrainPiece many = default_of(IB_TERRAIN_BLOCKS), low = many,
                    short_waves = default_of(IB_TERRAIN_HILLS);
    many.rows = 40, many.columns = 30;
    assert_int_equal(check(&many, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "terrain.rows: 40 x 30"));
    low.lowest = 1.01 * low.height;
    assert_int_equal(check(&low, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "terrain.lowest: "));
    short_waves.wave = 0.2;
    assert_int_equal(check(&short_waves, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "terrain.wave: "));
    many.kind = IB_TERRAIN_STEPS; // whose rows do nothing
    assert_int_equal(check(&many, NULL), IB_OK);
}

// Goal: each key acts in just the grounds that have it. Method: a change of it changes a box
// there, and only there; the seed and the place of all boxes included.
static void every_key_acts_or_is_idle(void **state)
{
    (void)state;
    const ib_Schema *schema = ib_terrain_pieces.items;
    for (int kind = IB_TERRAIN_FLAT; kind <= IB_TERRAIN_HILLS; kind++)
        for (int i = 1; i < schema->count; i++) {
            const ib_Param *param = &schema->params[i];
            ib_TerrainPiece piece = default_of(kind), changed = piece;
            void *field = (char *)&changed + param->offset;
            if (param->type == IB_PARAM_COUNT)
                *(int *)field += 1;
            else if (param->type == IB_PARAM_FLAG)
                *(bool *)field = !*(bool *)field;
            else if (strcmp(param->key, "share") == 0)
                *(double *)field = 0.5;
            else
                *(double *)field *= 1.25, *(double *)field += 0.01;
            int a = count_of(&piece), b = count_of(&changed);
            bool differs = a != b;
            for (int k = 0; k < a && k < b; k++) {
                ib_TerrainBox one = box_of(&piece, k), other = box_of(&changed, k);
                differs |= memcmp(&one, &other, offsetof(ib_TerrainBox, slippery)) != 0;
                differs |= one.slippery != other.slippery;
            }
            assert_int_equal(schema->idle(&piece, param->key) == NULL, differs);
        }
}

// Goal: a block is one box, 5 cm high, and a list of pieces is all of them: a ball rests on the
// highest that it is over. Method: the block's corners; a block on the way up a ramp, whose upper
// side is the higher one from x = 0.05 m/tan(10 deg) on; the count of both.
static void pieces_add_up(void **state)
{
    (void)state;
    ib_TerrainPiece block = default_of(IB_TERRAIN_BLOCK), ramp = default_of(IB_TERRAIN_RAMP);
    block.x = ramp.x = 0;
    block.height = 0.05, block.length = 0.8, block.width = 0.3;
    ib_TerrainBox box = box_of(&block, 0);
    assert_close(box.place[0], 0.4, 1e-15);
    assert_close(box.place[2], 0.025, 1e-15);
    assert_close(box.size[2], 0.05, 0);
    const ib_TerrainConfig both = {2, {block, ramp}};
    ib_TerrainBox boxes[IB_TERRAIN_BOXES];
    assert_int_equal(ib_terrain_boxes(&both, boxes), 2);
    assert_memory_equal(&boxes[0], &box, offsetof(ib_TerrainBox, slippery));
    const double r = 0.0075, meet = 0.05 / tan(10 * DEG);
    assert_close(ib_terrain_rest(&both, 0.5 * meet, 0, r), 0.05 + r, 1e-11);
    double up = 2 * meet * tan(10 * DEG) + r / cos(10 * DEG);
    assert_close(ib_terrain_rest(&both, 2 * meet, 0, r), up, 1e-11);
    // Behind its beginning, the block is the nearest; beside the block, the wider ramp is.
    assert_close(ib_terrain_distance(&both, (double[]){-0.2, 0, 0.05}), 0.2, 1e-15);
    assert_close(ib_terrain_distance(&both, (double[]){0.05, 0.9, 0}), 0.3, 1e-3);
    // Together they have room for so many boxes, and one piece too many is refused.
    ib_TerrainConfig full = {2, {default_of(IB_TERRAIN_BLOCKS), block}};
    full.pieces[0].rows = full.pieces[0].columns = 32;
    ib_Error error;
    assert_int_equal(ib_terrain_check(&full, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "1025 boxes"));
    full.count = 1;
    assert_int_equal(ib_terrain_check(&full, NULL), IB_OK);
}

// Goal: squares of next to no height are no boxes, nor those beyond the share that stands.
// Method: heights from 0 to 1 mm are even, so that of 1024 squares a tenth are below 0.1 mm, and
// of a share of a quarter a quarter stand, each within four standard errors.
static void low_squares_and_those_beyond_the_share_are_left_out(void **state)
{
    (void)state;
    ib_TerrainPiece low = default_of(IB_TERRAIN_BLOCKS), few = low;
    low.rows = few.rows = 32, low.columns = few.columns = 32;
    low.lowest = 0, low.height = 1e-3, few.share = 0.25;
    const double n = 1024;
    assert_close(count_of(&low), 0.9 * n, 4 * sqrt(0.1 * 0.9 * n));
    assert_close(count_of(&few), 0.25 * n, 4 * sqrt(0.25 * 0.75 * n));
    for (int i = 0; i < count_of(&low); i += 50)
        assert_true(box_of(&low, i).size[2] >= IB_TERRAIN_LEAST);
    few.share = 0;
    assert_int_equal(count_of(&few), 0);
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ramp_rises_from_its_place),
        cmocka_unit_test(a_ball_rests_on_a_ramp_as_on_a_plane),
        cmocka_unit_test(steps_rise_one_by_one),
        cmocka_unit_test(blocks_are_even_by_chance),
        cmocka_unit_test(a_longer_ground_begins_as_the_shorter),
        cmocka_unit_test(hills_are_smooth),
        cmocka_unit_test(blocks_lie_side_by_side),
        cmocka_unit_test(refuses_what_is_no_ground),
        cmocka_unit_test(every_key_acts_or_is_idle),
        cmocka_unit_test(pieces_add_up),
        cmocka_unit_test(low_squares_and_those_beyond_the_share_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
