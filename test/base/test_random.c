// Random numbers: the published Philox vectors, then the statistics a simulation relies on.
//
// The draws are fixed by their seeds, so a statistical test passes or fails for good. Limits are
// five standard deviations of the estimate: a sound generator would fail one of these dozen tests
// once in 100 000 seeds.
#include "base/random.h"

#include "cmocka_all.h"

#include <math.h>
#include <string.h>

enum { DRAWS = 200000 };

static const double SIGMAS = 5;

// Goal: this is Philox4x32-10. Method: the three known answers published with Random123.
static void philox_gives_the_published_vectors(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t words[4];
        memcpy(words, cases[i].counter, sizeof words);
        ib_random_philox(words, cases[i].key[0], cases[i].key[1]);
        assert_memory_equal(words, cases[i].answer, sizeof words);
    }
}

// Goal: seed, stream and index go where they belong. Method: the third vector, split into them.
static void seed_stream_and_index_fill_key_and_counter(void **state)
{
    (void)state;
    uint64_t bits[2];
    ib_random_pair(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88, bits);
    assert_true(bits[0] == 0x94fdccebd16cfe09 && bits[1] == 0x24126ea15001e420);
    assert_true(ib_random_bits(0, 0, 0) == 0xe169c58d6627e8d5);
}

// Goal: uniform draws are even over [0, 1). Method: mean 1/2 (sd of the estimate sqrt(1/12 n)),
// variance 1/12 (sd sqrt(1/180 n)), and chi squared over 100 bins (99 +- 5 sqrt(2 * 99)).
static void uniform_draws_are_even(void **state)
{
    (void)state;
    enum { BINS = 100 };
    double sum = 0, squares = 0;
    int bins[BINS] = {0};
    for (int i = 0; i < DRAWS; i++) {
        double u = ib_random_uniform(1, 2, (uint64_t)i);
        assert_true(u >= 0 && u < 1);
        sum += u;
        squares += (u - 0.5) * (u - 0.5);
        bins[(int)(u * BINS)]++;
    }
    double chi = 0, each = (double)DRAWS / BINS;
    for (int i = 0; i < BINS; i++) chi += (bins[i] - each) * (bins[i] - each) / each;
    assert_true(fabs(sum / DRAWS - 0.5) < SIGMAS * sqrt(1.0 / 12 / DRAWS));
    assert_true(fabs(squares / DRAWS - 1.0 / 12) < SIGMAS * sqrt(1.0 / 180 / DRAWS));
    assert_true(fabs(chi - (BINS - 1)) < SIGMAS * sqrt(2.0 * (BINS - 1)));
}

// Goal: normal draws have the moments 0, 1, 0, 3 and normal tails. Method: the estimates' standard
// deviations are sqrt(1/n), sqrt(2/n), sqrt(15/n), sqrt(96/n); P(|z| > 2) = 0.04550.
static void normal_draws_have_normal_moments(void **state)
{
    (void)state;
    double moments[5] = {0};
    int beyond = 0;
    for (int i = 0; i < DRAWS; i++) {
        double z = ib_random_normal(7, 3, (uint64_t)i);
        assert_true(fabs(z) < 8.6);
        double power = 1;
        for (int k = 1; k <= 4; k++) moments[k] += (power *= z) / DRAWS;
        beyond += fabs(z) > 2;
    }
    const double tail = 0.0455002638963584; // erfc(sqrt(2))
    assert_true(fabs(moments[1]) < SIGMAS * sqrt(1.0 / DRAWS));
    assert_true(fabs(moments[2] - 1) < SIGMAS * sqrt(2.0 / DRAWS));
    assert_true(fabs(moments[3]) < SIGMAS * sqrt(15.0 / DRAWS));
    assert_true(fabs(moments[4] - 3) < SIGMAS * sqrt(96.0 / DRAWS));
    assert_true(fabs((double)beyond / DRAWS - tail) < SIGMAS * sqrt(tail * (1 - tail) / DRAWS));
}

// Goal: the ends of the range are safe. Method: the formula at the extreme bits, by hand.
static void extreme_bits_stay_in_range(void **state)
{
    (void)state;
    assert_true(ib__random_fraction(0) == 0);
    assert_true(ib__random_fraction(UINT64_MAX) == 1 - 0x1p-53);
    // sqrt(2 * 53 ln 2) = 8.5717: the largest normal there can be.
    double largest = sqrt(-2 * ib_log(1 - ib__random_fraction(UINT64_MAX)));
    assert_true(fabs(largest - 8.571674348652905) < 1e-12); // a few ulp of the logarithm
}

typedef double Draw(uint64_t seed, uint64_t stream, uint64_t index);

// The correlation of two sequences of normal draws, whose estimate has the sd sqrt(1/n).
static double correlation(const uint64_t a[3], const uint64_t b[3])
{
    Draw *draw = ib_random_normal;
    double sum = 0;
    for (uint64_t i = 0; i < DRAWS; i++)
        sum += draw(a[0], a[1], a[2] + i) * draw(b[0], b[1], b[2] + i);
    return sum / DRAWS;
}

// Goal: neighbours in stream, seed and index know nothing of each other. Method: correlations
// within five standard deviations of zero, also of streams that differ in one high bit.
static void neighbours_are_uncorrelated(void **state)
{
    (void)state;
    static const uint64_t origin[3] = {1, 0, 0};
    static const uint64_t others[][3] = {
        {1, 1, 0}, {2, 0, 0},          {1, 0, 1},          {1, 0, 1000},
        {0, 1, 0}, {1, 1ULL << 63, 0}, {1ULL << 63, 0, 0}, {1, 0, 1ULL << 63},
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_true(fabs(correlation(origin, others[i])) < SIGMAS * sqrt(1.0 / DRAWS));
}

// Goal: every input bit reaches every output bit. Method: flip one of 192 input bits; of 64 output
// bits 32 must change on average over 100 draws (sd of the mean 4 / sqrt(100)).
static void every_input_bit_matters(void **state)
{
    (void)state;
    for (int bit = 0; bit < 192; bit++) {
        int changed = 0;
        for (uint64_t i = 0; i < 100; i++) {
            uint64_t input[3] = {i * 77, i * 13, i}, before;
            before = ib_random_bits(input[0], input[1], input[2]);
            input[bit / 64] ^= 1ULL << (bit % 64);
            changed += __builtin_popcountll(before ^ ib_random_bits(input[0], input[1], input[2]));
        }
        assert_true(fabs(changed / 100.0 - 32) < SIGMAS * 0.4);
    }
}

int IB_TEST_GROUP(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_vectors),
        cmocka_unit_test(seed_stream_and_index_fill_key_and_counter),
        cmocka_unit_test(uniform_draws_are_even),
        cmocka_unit_test(normal_draws_have_normal_moments),
        cmocka_unit_test(extreme_bits_stay_in_range),
        ib_plain_test(neighbours_are_uncorrelated),
        cmocka_unit_test(every_input_bit_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
