#include "odd_models.h"

#include "base/arena.h"
#include "file/reader.h"
#include "robot/mjcf/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

// ------------------------------------------------------------------------------------ whole models

// Every section of MJCF, and most of what stands in them.
static const char *const mjcf[] = {
    "<mujoco model='all'>\n",
    "<compiler angle='radian' autolimits='true' boundmass='0.001' boundinertia='1e-6' "
    "settotalmass='9' balanceinertia='true' coordinate='local' fitaabb='false' eulerseq='xyz' "
    "discardvisual='false' convexhull='true' fusestatic='false' inertiafromgeom='auto' "
    "inertiagrouprange='0 5' exactmeshinertia='false'><lengthrange mode='muscle' "
    "useexisting='true' uselimit='true' accel='20' maxforce='0' timeconst='1' timestep='0.01' "
    "inttotal='1' inteval='0.2' tolrange='0.5'/></compiler>\n",
    "<option timestep='0.002' impratio='1' tolerance='1e-8' gravity='0 0 -9.81' wind='1 0 0' "
    "density='1.2' viscosity='1e-5' o_margin='0' integrator='Euler' collision='all' "
    "cone='pyramidal' jacobian='auto' solver='Newton' iterations='50' noslip_iterations='2' "
    "mpr_iterations='50'><flag contact='enable' energy='disable' multiccd='disable' "
    "override='disable' warmstart='enable'/></option>\n",
    "<size njmax='500' nconmax='100' nstack='300000' nuserdata='2' nkey='2' nuser_body='1' "
    "nuser_jnt='1' nuser_geom='1' nuser_site='1' nuser_tendon='1' nuser_actuator='1' "
    "nuser_sensor='1'/>\n",
    "<visual><global fovy='45' offwidth='640'/><quality shadowsize='1024' numslices='28'/>"
    "<map znear='0.01'/></visual><statistic extent='2' center='0 0 1' meanmass='1'/>\n",
    "<default><geom density='500' margin='0.001'/><default class='one'><joint damping='0.1' "
    "armature='0.01'/><geom rgba='1 0 0 1' friction='1 0.005 0.0001'/></default></default>\n",
    "<custom><numeric name='n' size='3' data='1 2 3'/><text name='t' data='words'/>"
    "<tuple name='u'><element objtype='body' objname='base' prm='1'/></tuple></custom>\n",
    "<asset><texture name='x' type='cube' builtin='checker' width='16' height='16' "
    "gridsize='1 1' gridlayout='.'/><material name='m' texture='x' texrepeat='1 1'/>"
    "<hfield name='h' nrow='8' ncol='9' size='4 4 0.1 0.1'/>"
    "<mesh name='tet' vertex='0 0 0 .2 0 0 0 .2 0 0 0 .2' face='0 2 1 0 1 3 0 3 2 1 2 3' "
    "scale='1 1 1' refpos='0 0 0' refquat='1 0 0 0'/>"
    "<mesh name='hull' vertex='0 0 0 .2 0 0 0 .2 0 0 0 .2 .1 .1 .1' "
    "normal='1 0 0 1 0 0 1 0 0 1 0 0 1 0 0' texcoord='0 0 0 0 0 0 0 0 0 0'/></asset>\n",
    "<worldbody><light pos='0 0 3' dir='0 0 -1' cutoff='45' exponent='10'/><camera name='c' "
    "pos='0 -3 1' fovy='45' mode='targetbody' target='base' ipd='0.06'/>"
    "<geom name='floor' type='plane' size='5 5 1' condim='3' solref='0.02 1' "
    "solimp='0.9 0.95 0.001 0.5 2'/><geom name='hills' type='hfield' hfield='h' pos='9 0 0'/>"
    "<body name='base' pos='0 0 1' euler='0 0 0.1' childclass='one' user='1'>"
    "<freejoint name='free' group='1'/><geom name='box' type='box' size='.2 .15 .1' mass='2' "
    "contype='1' conaffinity='1' priority='0' solmix='1' gap='0' fluidshape='ellipsoid' "
    "fluidcoef='0.5 0.25 1.5 1 1' user='3'/><site name='s0' pos='.2 0 0' size='.01' "
    "type='sphere'/><body name='leg' pos='.2 0 0'><inertial pos='0 0 -.1' mass='.5' "
    "diaginertia='.01 .01 .001'/><joint name='hip' type='hinge' axis='0 1 0' pos='0 0 0' "
    "range='-1 1' limited='true' stiffness='1' springref='0' ref='0' frictionloss='.01' "
    "springdamper='0 0' solreflimit='.02 1' margin='0' user='2'/><geom name='thigh' "
    "type='capsule' fromto='0 0 0 0 0 -.3' size='.03'/><site name='s1' pos='0 0 -.2'/>"
    "<body name='foot' pos='0 0 -.3'><joint name='knee' type='slide' axis='0 0 1' "
    "range='-.1 .1'/><geom name='toe' type='sphere' size='.04'/><site name='s2'/></body></body>"
    "<body name='tail' pos='-.3 0 0'><joint name='ball' type='ball' range='0 1' limited='true'/>"
    "<geom name='end' type='ellipsoid' size='.05 .04 .03' axisangle='0 0 1 .3'/></body></body>\n",
    "<body name='lump' pos='1 0 1'><joint name='f2' type='free'/><geom name='stone' type='mesh' "
    "mesh='tet' shellinertia='false'/></body><body name='drum' pos='2 0 1'><joint name='f3' "
    "type='free'/><geom name='can' type='cylinder' size='.1 .1' zaxis='0 1 1'/><geom name='fit' "
    "type='sphere' mesh='hull' fitscale='1'/></body><body name='ghost' mocap='true' pos='3 3 3'>"
    "<geom type='box' size='.1 .1 .1' contype='0' conaffinity='0'/></body></worldbody>\n",
    "<contact><pair name='p' geom1='toe' geom2='floor' condim='4' friction='1 1 .1 .01 .01'/>"
    "<exclude body1='base' body2='foot'/></contact>\n",
    "<equality><connect body1='lump' body2='drum' anchor='.1 0 0' active='false'/>"
    "<weld body1='tail' body2='drum' relpose='0 0 0 1 0 0 0' active='false' torquescale='1'/>"
    "<joint joint1='hip' joint2='knee' polycoef='0 1 0 0 0' active='false'/>"
    "<tendon tendon1='cord' tendon2='mix' active='false'/></equality>\n",
    "<tendon><spatial name='cord' range='0 2' stiffness='1' damping='.1' springlength='-1' "
    "width='.01'><site site='s0'/><geom geom='toe' sidesite='s1'/><site site='s2'/>"
    "<pulley divisor='2'/><site site='s1'/><site site='s2'/></spatial>"
    "<fixed name='mix'><joint joint='hip' coef='1'/><joint joint='knee' coef='-2'/></fixed>"
    "</tendon>\n",
    "<actuator><motor name='a0' joint='hip' gear='3' ctrlrange='-1 1' forcerange='-9 9'/>"
    "<position joint='knee' kp='10'/><velocity jointinparent='hip' kv='1'/>"
    "<damper joint='hip' ctrlrange='0 1' kv='1'/><general site='s1' refsite='s0' "
    "gear='0 0 1 0 0 0'/><general cranksite='s0' slidersite='s1' cranklength='.1'/>"
    "<adhesion body='foot' ctrlrange='0 1' gain='1'/><intvelocity joint='hip' actrange='-1 1' "
    "kp='1'/><cylinder tendon='cord' timeconst='.1' area='.01' bias='0 0 0'/>"
    "<muscle tendon='cord' lengthrange='.1 2' force='10' range='.75 1.05' timeconst='.01 .04'/>"
    "<general joint='ball' dyntype='filter' gaintype='affine' biastype='affine' dynprm='1' "
    "gainprm='1 0 0' biasprm='0 0 0'/></actuator>\n",
    "<sensor><touch site='s2'/><accelerometer site='s0' noise='.1' cutoff='9'/><rangefinder "
    "site='s1'/><jointpos joint='hip'/><tendonpos tendon='cord'/><actuatorfrc actuator='a0'/>"
    "<ballquat joint='ball'/><jointlimitfrc joint='hip'/><tendonlimitpos tendon='cord'/>"
    "<framepos objtype='site' objname='s0' reftype='body' refname='leg'/><subtreecom "
    "body='base'/><clock/><user objtype='body' objname='base' datatype='real' dim='2' "
    "needstage='acc'/></sensor>\n",
    "<keyframe><key time='0' qpos='0 0 1 1 0 0 0 .1 0 1 0 0 0 1 0 1 1 0 0 0 2 0 1 1 0 0 0' "
    "act='0 0 0 0' ctrl='0 0 0 0 0 0 0 0 0 0 0' mpos='3 3 3'/></keyframe></mujoco>\n",
    NULL,
};

static const char *const urdf[] = {
    "<robot name='all'><material name='red'><color rgba='1 0 0 1'/></material>\n",
    "<link name='base'><inertial><origin xyz='0 0 .1' rpy='0 0 .1'/><mass value='3'/><inertia "
    "ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial><visual><origin xyz='0 0 0' "
    "rpy='0 0 0'/><geometry><box size='.3 .2 .1'/></geometry><material name='red'/></visual>"
    "<collision><geometry><box size='.3 .2 .1'/></geometry></collision></link>\n",
    "<link name='upper'><inertial><mass value='1'/><inertia ixx='.01' iyy='.01' izz='.01'/>"
    "</inertial><collision><geometry><cylinder radius='.03' length='.3'/></geometry></collision>"
    "</link><link name='lower'><inertial><mass value='.5'/><inertia ixx='.01' iyy='.01' "
    "izz='.01'/></inertial><collision><geometry><sphere radius='.05'/></geometry></collision>"
    "</link><link name='tool'/>\n",
    "<joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><origin "
    "xyz='.1 0 0' rpy='0 0 0'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='9' "
    "velocity='3'/><dynamics damping='.1' friction='.01'/></joint>\n",
    "<joint name='slide' type='prismatic'><parent link='upper'/><child link='lower'/><axis "
    "xyz='0 0 1'/><limit lower='-.1' upper='.1' effort='9' velocity='3'/></joint>\n",
    "<joint name='fix' type='fixed'><parent link='lower'/><child link='tool'/></joint></robot>\n",
    NULL,
};

// ---------------------------------------------------------------------------------------- oddities

// In the place of a value; a NULL is the value of another attribute.
static const char *const values[] = {
    "",
    "0",
    "-1",
    "1",
    "2",
    "1e20",
    "-1e20",
    "1e-20",
    "1e300",
    "nan",
    "-inf",
    "0x10",
    "99999e-5",
    "2147483648",
    "-99999999",
    "4294967296",
    "0.5",
    "1 2",
    "0 0 0",
    "0 0 0 0",
    "1e9 1e9 1e9",
    "x",
    "true",
    "base",
    "1000000",
    "-1000000",
    "20",
    "512",
    "1e5 -1e5",
    "ball",
    "-1 -2 -3",
    "999 0 1 2",
    "RK4",
    "implicit",
    "PGS",
    "elliptic",
    "sparse",
    "free",
    "global",
    "1e-300",
    "\xff",
    "&#0;",
    "0 0 0 0 0 0 0",
};
enum { VALUES = sizeof values / sizeof values[0] };

// Numbers between 0 and 1, so many of them: more than any buffer has room for.
static const int many[] = {3, 12, 30, 499, 501, 1001, 4000, 16000};

typedef struct Text {
    char *bytes;
    size_t length;
    uint64_t random; // the state of splitmix64
} Text;

static size_t below(Text *text, size_t limit)
{
    uint64_t z = text->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((z ^ (z >> 31)) % limit);
}

static void replace(Text *text, size_t at, size_t gone, const char *by, size_t count)
{
    if (text->length - gone + count >= IB_ODD_MOST) return;
    memmove(text->bytes + at + count, text->bytes + at + gone, text->length - at - gone + 1);
    memcpy(text->bytes + at, by, count);
    text->length += count - gone;
}

// Where the value of the attribute with this number begins, and how long it is.
static size_t find_value(const Text *text, size_t number, size_t *length)
{
    const char *at = text->bytes, *found = at;
    for (size_t i = 0; i <= number && (at = strstr(at, "='")) != NULL; i++) {
        found = at + 2;
        at = strchr(found, '\'') + 1;
    }
    *length = strcspn(found, "'");
    return (size_t)(found - text->bytes);
}

static size_t count_values(const Text *text)
{
    size_t count = 0;
    for (const char *at = text->bytes; (at = strstr(at, "='")) != NULL; count++)
        at = strchr(at + 2, '\'') + 1;
    return count;
}

static void replace_value(Text *text)
{
    static char numbers[4 * 16000 + 1], other[1 << 16];
    size_t length, more, attributes = count_values(text);
    size_t at = find_value(text, below(text, attributes), &length), kind = below(text, 8);
    if (kind == 0) { // many numbers
        int count = many[below(text, sizeof many / sizeof many[0])];
        for (int i = 0; i < count; i++) memcpy(numbers + 4 * i, i % 3 ? "0.5 " : "0.1 ", 4);
        replace(text, at, length, numbers, 4 * (size_t)count);
    } else if (kind == 1) { // what another attribute has
        size_t from = find_value(text, below(text, attributes), &more);
        if (more >= sizeof other) return;
        memcpy(other, text->bytes + from, more);
        replace(text, at, length, other, more);
    } else {
        const char *value = values[below(text, VALUES)];
        replace(text, at, length, value, strlen(value));
    }
}

// An element without content that begins somewhere behind a random byte; 0: there is none.
static size_t find_element(Text *text, size_t *length)
{
    const char *end = strstr(text->bytes + below(text, text->length), "/>"), *from = end;
    while (from && from > text->bytes && *from != '<') from--;
    *length = from ? (size_t)(end + 2 - from) : 0;
    return from ? (size_t)(from - text->bytes) : 0;
}

static void change_element(Text *text, bool doubled)
{
    char copy[1 << 14];
    size_t length, at = find_element(text, &length);
    if (length == 0 || length > sizeof copy) return;
    memcpy(copy, text->bytes + at, length);
    replace(text, at, doubled ? 0 : length, copy, doubled ? length : 0);
}

void ib_odd_model(uint64_t number, char *bytes)
{
    bool other = number % 8 == 7;
    Text text = {.bytes = bytes, .random = number};
    for (const char *const *part = other ? urdf : mjcf; *part; part++) {
        memcpy(bytes + text.length, *part, strlen(*part) + 1);
        text.length += strlen(*part);
    }
    if (number == 0) return; // as it should be
    for (size_t i = 0, count = 1 + below(&text, 3); i < count; i++) {
        size_t way = below(&text, 16);
        if (way < 2)
            change_element(&text, way == 0);
        else
            replace_value(&text);
    }
}

// ------------------------------------------------------------------------------------------ trials

typedef struct Trial {
    ib_Robot robot;
    void *workspace;
    double *state, *next, *input, *signals;
} Trial;

static bool all_finite(const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

static bool move(Trial *trial, ib_Error *error, char *wrong, size_t size)
{
    const ib_RobotPorts *ports = &trial->robot.ports;
    const ib_ExternalIntegrator *integrator = trial->robot.kind->integrator;
    for (int step = 0; step < 6; step++) {
        for (int i = 0; i < ports->input_count; i++) {
            const ib_InputDef *def = &ports->inputs[i];
            trial->input[i] = step < 2 ? def->neutral : step < 4 ? def->low : def->high;
        }
        trial->input[IB_GRAVITY] = 9.81;
        if (integrator->advance(trial->robot.model, trial->workspace, trial->state, trial->input,
                                step % 2 ? ports->step : 0.3 * ports->step, trial->next,
                                error) != IB_OK) {
            if (!error->text[0]) snprintf(wrong, size, "a step fails without a word");
            return error->text[0] != '\0';
        }
        memcpy(trial->state, trial->next, (size_t)ports->state_count * sizeof *trial->state);
        if (!all_finite(trial->state, ports->state_count)) {
            snprintf(wrong, size, "step %d: a state is no number, and nothing is said", step);
            return false;
        }
        integrator->output(trial->robot.model, trial->workspace, trial->state, trial->input,
                           trial->signals);
    }
    return true;
}

static bool try_robot(const char *text, ib_Arena *arena, char *wrong, size_t size)
{
    ib_Error error = {0};
    Trial trial;
    const ib_RobotKind *kind = &ib_mjcf_kind;
    ib_MjcfConfig *config = ib_arena_alloc(arena, kind->config_size);
    if (!config || ib_read_defaults(&kind->params, config, &error) != IB_OK ||
        ib_read_defaults(&kind->start, config, &error) != IB_OK) {
        snprintf(wrong, size, "no config: %s", error.text);
        return false;
    }
    config->model.text = text;
    config->model.length = (int)strlen(text);
    if (ib_robot_init(kind, config, arena, &trial.robot, &error) != IB_OK) {
        int line, column;
        bool placed = sscanf(error.text, "model: %d:%d: ", &line, &column) == 2;
        if (!placed && strncmp(error.text, "start.", 6) != 0)
            snprintf(wrong, size, "refused without a place: '%s'", error.text);
        return wrong[0] == '\0';
    }
    const ib_RobotPorts *ports = &trial.robot.ports;
    size_t states = (size_t)ports->state_count;
    trial.workspace = trial.robot.kind->integrator->workspace(trial.robot.model, arena);
    trial.state = ib_arena_array(arena, states, sizeof *trial.state);
    trial.next = ib_arena_array(arena, states, sizeof *trial.next);
    trial.input = ib_arena_array(arena, (size_t)ports->input_count, sizeof *trial.input);
    trial.signals = ib_arena_array(arena, (size_t)ports->signal_count, sizeof *trial.signals);
    if (!trial.workspace || !trial.state || !trial.next || !trial.input || !trial.signals) {
        snprintf(wrong, size, "no memory for a simulation");
        return false;
    }
    trial.robot.kind->reset(config, trial.robot.model, trial.state);
    return move(&trial, &error, wrong, size);
}

static double processor_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long most_memory(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return use.ru_maxrss / 1024;
}

bool ib_odd_model_try(uint64_t number, char *wrong, size_t size)
{
    static char text[IB_ODD_MOST];
    ib_Arena arena = {0};
    double before = processor_time();
    long memory = most_memory();
    ib_odd_model(number, text);
    wrong[0] = '\0';
    bool good = try_robot(text, &arena, wrong, size);
    ib_arena_reset(&arena);
    double spent = processor_time() - before;
    if (good && spent > IB_ODD_SECONDS) snprintf(wrong, size, "%.1f s of processor time", spent);
    if (good && most_memory() - memory > IB_ODD_MEGABYTES)
        snprintf(wrong, size, "%ld MB", most_memory() - memory);
    return wrong[0] == '\0';
}
