// Tests of feed-forward: exact where it can be, least squares where not, rests by closed forms.
#include "base/matrix.h"
#include "cmocka_all.h"
#include "design/feedforward.h"
#include "linear/discretise.h"
#include "linear/drivetrain_rig.h"
#include "spread.h"

#include <float.h>
#include <math.h>
#include <string.h>

static ib_Error error;

// A random plant, elements within +-1, discrete.
static ib_StateSpace random_plant(int states, int inputs, uint64_t seed)
{
    ib_StateSpace plant = ib_state_space_default(states, inputs, 0);
    for (int i = 0; i < states * states; i++)
        plant.A[i] = 2 * chance_uniform(seed, 1, (uint64_t)i) - 1;
    for (int i = 0; i < states * inputs; i++)
        plant.B[i] = 2 * chance_uniform(seed, 2, (uint64_t)i) - 1;
    plant.period = 0.01;
    return plant;
}

// Goal: with as many inputs as states, any wanted motion is followed. Method: 20 random plants,
// the motion sines; A may be unstable and let an error grow, so each step starts anew from the
// wanted state. F = B^-1 comes from the normal equations, whose condition is the square of B's, k =
// |B| |F|: |B u - asked| <= 9 eps k^2 |asked| for three states, and |asked| = |next - A r| is at
// most sqrt(3) (1 + 3). The plants have k of up to some 1e3.
static void square_plants_follow_exactly(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ib_StateSpace plant = random_plant(3, 3, seed);
        double F[9], r[3], next[3], u[3];
        assert_int_equal(ib_feedforward(&plant, NULL, F, &error), IB_OK);
        double k = ib_matrix_norm(3, 3, plant.B) * ib_matrix_norm(3, 3, F);
        double bound = 9 * DBL_EPSILON * k * k * sqrt(3) * 4;
        for (int step = 0; step < 100; step++) {
            for (int i = 0; i < 3; i++) {
                r[i] = sin(0.1 * step * (i + 1));
                next[i] = sin(0.1 * (step + 1) * (i + 1));
            }
            assert_close(ib_feedforward_step(&plant, F, r, next, u), 0, bound);
        }
    }
}

// Goal: with fewer inputs, what is left is as small as it can be: orthogonal to all that the inputs
// can do, B' W rest = 0. Method: 50 random plants and weights W = V'V; 1e-11: condition 1e5.
static void tall_plants_leave_the_least(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        ib_StateSpace plant = random_plant(5, 2, seed);
        double V[25], Vt[25], W[25], F[10], r[5], next[5], u[2], rest[5], done[5], weighed[5];
        for (int i = 0; i < 25; i++) V[i] = 2 * chance_uniform(seed, 3, (uint64_t)i) - 1;
        ib_matrix_transpose(5, 5, V, Vt);
        ib_matrix_multiply(5, 5, 5, Vt, V, W);
        for (int i = 0; i < 5; i++) {
            r[i] = chance_uniform(seed, 4, (uint64_t)i);
            next[i] = chance_uniform(seed, 5, (uint64_t)i);
        }
        assert_int_equal(ib_feedforward(&plant, W, F, &error), IB_OK);
        assert_true(ib_feedforward_step(&plant, F, r, next, u) > 0);
        ib_matrix_multiply(5, 5, 1, plant.A, r, rest);
        ib_matrix_multiply(5, 2, 1, plant.B, u, done);
        for (int i = 0; i < 5; i++) rest[i] = next[i] - rest[i] - done[i];
        ib_matrix_multiply(5, 5, 1, W, rest, weighed);
        for (int j = 0; j < 2; j++) {
            double sum = 0;
            for (int i = 0; i < 5; i++) sum += plant.B[i * 2 + j] * weighed[i];
            assert_close(sum, 0, 1e-11);
        }
    }
}

// Goal: a weight on the velocities alone makes these exact. Method: the drivetrain accelerates by
// 2 m/s^2 on both sides at 1 m/s; both inputs by hand from row 2, u (b + d) = v+ - (a + c) v.
static void weighted_states_come_first(void **state)
{
    (void)state;
    ib_StateSpace plant = rig_sampled_drivetrain();
    double W[16] = {0}, F[8], u[2];
    const double r[4] = {0, 1, 0, 1}, next[4] = {0.00505, 1.01, 0.00505, 1.01};
    W[5] = W[15] = 1;
    assert_int_equal(ib_feedforward(&plant, W, F, &error), IB_OK);
    ib_feedforward_step(&plant, F, r, next, u);
    double wanted = (1.01 - plant.A[5] - plant.A[7]) / (plant.B[2] + plant.B[3]);
    assert_close(u[0], wanted, 1e-12);
    assert_close(u[1], wanted, 1e-12);
    // A wanted motion that is the plant's own needs no input.
    double own[4], none[2];
    ib_matrix_multiply(4, 4, 1, plant.A, r, own);
    assert_close(ib_feedforward_step(&plant, F, r, own, none), 0, 0);
    assert_close(none[0], 0, 0);
}

// Goal: the unit of an input does not matter. Method: one input in microvolts: its row of F is 1e6
// times larger, the rest the same, to rounding.
static void units_of_inputs_do_not_matter(void **state)
{
    (void)state;
    ib_StateSpace plant = random_plant(4, 2, 7), small = plant;
    double F[8], G[8];
    for (int i = 0; i < 4; i++) small.B[i * 2 + 1] *= 1e-6;
    assert_int_equal(ib_feedforward(&plant, NULL, F, &error), IB_OK);
    assert_int_equal(ib_feedforward(&small, NULL, G, &error), IB_OK);
    for (int j = 0; j < 4; j++) {
        assert_close(G[j], F[j], 1e-13);
        assert_close(G[4 + j] * 1e-6, F[4 + j], 1e-13);
    }
}

// -------------------------------------------------------------------------------------------- rest

// Goal: the rest of a flywheel, continuous and discrete. Method: v' = -2 v + 3 u rests at u = 2v/3
// however it is sampled; an axis with position rests anywhere with u = 0.
static void rests_have_their_closed_forms(void **state)
{
    (void)state;
    ib_StateSpace wheel = ib_state_space_default(1, 1, 1), axis = ib_state_space_default(2, 1, 1);
    ib_StateSpace sampled;
    const double wanted = 60;
    double x[2], u;
    wheel.A[0] = -2;
    wheel.B[0] = 3;
    wheel.C[0] = 10; // the output is ten times the speed
    assert_int_equal(ib_feedforward_rest(&wheel, &wanted, x, &u, &error), IB_OK);
    assert_close(x[0], 6, 1e-14);
    assert_close(u, 4, 1e-14);
    assert_int_equal(ib_discretise(&wheel, 1e-3, &sampled, &error), IB_OK);
    assert_int_equal(ib_feedforward_rest(&sampled, &wanted, x, &u, &error), IB_OK);
    assert_close(x[0], 6, 1e-14);
    assert_close(u, 4, 1e-11); // A - 1 is 2e-3 and keeps 13 digits
    axis.A[1] = 1;
    axis.A[3] = -2;
    axis.B[1] = 3;
    axis.C[0] = 1;
    assert_int_equal(ib_feedforward_rest(&axis, &wanted, x, &u, &error), IB_OK);
    assert_close(x[0], 60, 1e-13);
    assert_close(x[1], 0, 1e-14);
    assert_close(u, 0, 1e-14);
    axis.C[0] = 0;
    axis.C[1] = 1; // moving is no rest
    assert_int_equal(ib_feedforward_rest(&axis, &wanted, x, &u, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "no single rest"));
}

// Goal: a rest is one, with several inputs. Method: 20 random plants 4/2/2 with D; A x + B u = x
// and C x + D u = y to 1e-10 (condition some 1e4).
static void random_rests_stay(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ib_StateSpace plant = random_plant(4, 2, seed);
        const double y[2] = {1, -2};
        double x[4], u[2], ax[4], bu[4];
        plant.outputs = 2;
        for (int i = 0; i < 8; i++) plant.C[i] = chance_uniform(seed, 6, (uint64_t)i);
        for (int i = 0; i < 4; i++) plant.D[i] = chance_uniform(seed, 7, (uint64_t)i);
        strcpy(plant.output[0], "y1");
        strcpy(plant.output[1], "y2");
        assert_int_equal(ib_feedforward_rest(&plant, y, x, u, &error), IB_OK);
        ib_matrix_multiply(4, 4, 1, plant.A, x, ax);
        ib_matrix_multiply(4, 2, 1, plant.B, u, bu);
        for (int i = 0; i < 4; i++) assert_close(ax[i] + bu[i], x[i], 1e-10);
        ib_matrix_multiply(2, 4, 1, plant.C, x, ax);
        ib_matrix_multiply(2, 2, 1, plant.D, u, bu);
        for (int i = 0; i < 2; i++) assert_close(ax[i] + bu[i], y[i], 1e-10);
    }
}

// Goal: what cannot be inverted is refused, with the input's name. Method: one call each.
static void bad_questions_are_refused(void **state)
{
    (void)state;
    ib_StateSpace plant = rig_sampled_drivetrain(), none = ib_state_space_default(2, 0, 0);
    double F[8], W[16] = {0}, x[4], u[2];
    strcpy(plant.input[1], "right");
    for (int i = 0; i < 4; i++) plant.B[i * 2 + 1] = 2 * plant.B[i * 2];
    assert_int_equal(ib_feedforward(&plant, NULL, F, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "'right' does nothing that the inputs before it do not"));
    for (int i = 0; i < 4; i++) plant.B[i * 2 + 1] = 0;
    assert_int_equal(ib_feedforward(&plant, NULL, F, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "'right' moves no state"));
    plant = rig_sampled_drivetrain();
    assert_int_equal(ib_feedforward(&plant, W, F, &error), IB_BAD_INPUT);
    W[1] = 1;
    assert_int_equal(ib_feedforward(&plant, W, F, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "row 2, column 1"));
    W[1] = NAN;
    assert_int_equal(ib_feedforward(&plant, W, F, &error), IB_BAD_INPUT);
    assert_int_equal(ib_feedforward(&none, NULL, F, &error), IB_BAD_INPUT);
    plant.outputs = 1;
    assert_int_equal(ib_feedforward_rest(&plant, x, x, u, &error), IB_BAD_INPUT);
    assert_non_null(strstr(error.text, "1 outputs and 2 inputs"));
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_plants_follow_exactly),
        cmocka_unit_test(tall_plants_leave_the_least),
        cmocka_unit_test(weighted_states_come_first),
        cmocka_unit_test(units_of_inputs_do_not_matter),
        cmocka_unit_test(rests_have_their_closed_forms),
        cmocka_unit_test(random_rests_stay),
        cmocka_unit_test(bad_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
