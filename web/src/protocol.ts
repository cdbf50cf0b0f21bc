// protocol.ts: what goes over the socket, as types, and how its binary messages are read.
// docs/view/viewer.md has the same as prose. All numbers are SI, angles in radians.

export const SUBPROTOCOL = "ironbird.v1";
export const MAX_WATCHED = 4096;
export const MAX_HISTORY_SIGNALS = 64;

// ---- server to page, text ----------------------------------------------------------------------

// What people use for it: shown = SI * factor + offset.
export interface PeoplesUnit {
    unit: string; // "psig"
    factor: number;
    offset: number;
}

export interface SignalInfo {
    name: string; // "drive.left.current"
    unit: string; // "A"; "" or "1" without one
    shown: PeoplesUnit | null; // null: its own
    sentence: string;
    held: boolean; // a mode: it keeps its value until it jumps to another
}

export interface RobotInfo {
    name: string;
    kind: string;
}

// An input that the viewer may set.
/** What is asked for by a positive value: a side forward, the robot forward, to a side, a turn. */
export type DriveAxis =
    | "left_side"
    | "right_side"
    | "forward"
    | "right"
    | "left"
    | "turn_left"
    | "turn_right";

export interface InputInfo {
    robot: number;
    index: number; // the robot's own number of it, as used in `drive`
    name: string;
    unit: string;
    low: number;
    high: number;
    neutral: number;
    sentence: string;
    words: string[] | null; // of a switch, in the order of its values
    held: boolean; // keeps its value when the controls are let go
    button: boolean; // a switch that is neutral again when nobody presses it
    set: number;
    axis: DriveAxis | null; // what a driver's hand does for it
}

export interface ParameterInfo {
    path: string;
    unit: string;
    low: number; // of the slider
    high: number;
    min: number; // allowed
    max: number;
    value: number;
    initial: number;
    sentence: string;
}

// A loop that does one step after the other.
export interface RoutineInfo {
    name: string; // "red.control"
    robot: string; // "": the only one
    step: number; // signal: which one runs; 0: none
    late: number; // signal: whose time was out last; -1: there is none
    words: string[]; // of the values of both: "step 2: drive forward 1 m"
}

export interface Hello {
    type: "hello";
    version: number;
    you: number; // this client's number, as in Status.drivers
    program: string;
    mode: "live" | "replay";
    title: string;
    scenario: string;
    duration: number;
    step: number;
    signals: SignalInfo[];
    robots: RobotInfo[];
    inputs: InputInfo[];
    parameters: ParameterInfo[];
    geometry?: unknown; // checked by scene/geometry.ts
    geometry_text?: string; // the same from a recording
    expectations: string[];
    suggested: number[]; // signals to chart at first
    routines: RoutineInfo[];
}

// ---- a design, instead of a run ------------------------------------------------------------------

export interface PortInfo {
    name: string;
    unit: string; // "": not known
}

// What may be turned: a slider over powers of ten or a plain one, or a part of a wanted pole.
export interface KnobInfo {
    path: string; // in the file: "lqr.tolerance.x"; all parts of a list of poles have the same
    group: string;
    name: string;
    unit: string;
    sentence: string;
    form: "log" | "linear" | "re" | "im"; // "im" follows its "re"
    gear: number; // -1: of all gears
    value: number; // as the file has it
    low: number; // of the slider
    high: number;
}

export interface DesignHello {
    type: "hello";
    version: number;
    you: number;
    program: string;
    mode: "design";
    title: string;
    scenario: string;
    plant: string; // what it is, in words
    states: PortInfo[];
    inputs: PortInfo[];
    gears: string[]; // [""]: the only one
    knobs: KnobInfo[];
}

export interface Pole {
    re: number;
    im: number;
    frequency: number | null; // [rad/s]
    damping: number | null;
    settling: number | null; // [s]
}

export interface MarginInfo {
    input: string;
    gain_up: number | null; // null: any
    gain_down: number | null;
    phase: number | null; // [rad]
    delay: number | null; // [s]
    disk: number | null;
}

export interface CheckInfo {
    name: string;
    unit: string;
    limit: number;
    found: number | null;
    passed: boolean;
}

export interface Figures {
    rise: number | null; // [s]
    overshoot: number | null; // share of the way
    settling: number | null; // [s]; null: not settled
    error: number | null;
    peak: number | null;
}

export interface Use {
    peak: number;
    saturated: number; // share of the time
    low: number | null; // null: no limit
    high: number | null;
}

// What the undisturbed trial took of the robot; all null on an ideal plant.
export interface RobotUse {
    current: number | null; // largest of a motor [A]
    current_limit: number | null; // null: none
    limited: number | null; // share of the time at it
    supply: number | null; // most that was drawn [A]
    lowest_voltage: number | null;
    stopped: number | null; // share of the time at a stop
    notes: string[]; // what acted, in words
}

export type Curve = (number | null)[];

export interface Response {
    t: number[];
    x: Curve[]; // one for each state
    estimate: Curve[]; // the same, or none
    u: Curve[];
    start: number[];
    goal: number[];
    push_at: number;
    figures: Figures[];
    use: Use[];
    robot: RobotUse;
    ended: string | null; // why it ended early
}

// With something in `refused` there is nothing but that.
export interface Answer {
    type: "answer";
    id: number;
    gear: number;
    ms: number; // to design and to run it
    refused: string[];
    period?: number;
    stable?: boolean;
    K?: number[][];
    poles?: Pole[]; // of the loop as designed, without latency
    delayed_poles?: Pole[]; // of the loop with its latency; none: it has none
    plant_poles?: Pole[];
    kalman_poles?: Pole[];
    margins?: MarginInfo[];
    delay_margin_together?: number | null; // of all inputs together; null: any
    checks?: CheckInfo[];
    yaml?: string; // the changed blocks of the file
    response?: Response | null; // null: there is no feedback
}

// ---- a run again ---------------------------------------------------------------------------------

export interface Lateness {
    p50: number;
    p99: number;
    p999: number;
    max: number;
}

export type RunState = "running" | "paused" | "ended" | "failed";

export interface Status {
    type: "status";
    run: number;
    state: RunState;
    time: number;
    speed: number; // wanted; 0: as fast as possible
    ratio: number; // reached
    steps: number;
    overruns: number;
    late: Lateness;
    clients: number;
    drivers: number[]; // per robot: the client that drives it, 0: nobody
    recording: boolean;
    failed: number; // expectations so far
    passed: number;
    dropped: number;
}

export type Level = "info" | "warning" | "error";

export interface LogItem {
    time: number;
    run: number;
    level: Level;
    kind: string; // state breaker brownout contact limit note expectation overrun failure change
    text: string;
    // Of a change of a mode:
    signal?: number; // which one it is
    times?: number; // how often the run has come to this
}

export interface LogMessage {
    type: "log";
    past: boolean; // it happened before this page came: no news
    items: LogItem[];
}

export interface ParameterMessage {
    type: "parameter";
    index: number;
    value: number;
}

export interface RefusedMessage {
    type: "refused";
    text: string;
}

export type ServerMessage =
    | Hello
    | DesignHello
    | Status
    | LogMessage
    | ParameterMessage
    | RefusedMessage
    | Answer;

// ---- page to server ----------------------------------------------------------------------------

export type ClientMessage =
    | { type: "watch"; id: number; signals: number[]; rate: number }
    | { type: "history"; id: number; signals: number[]; from: number; to: number; rows: number }
    | { type: "pause" }
    | { type: "play" }
    | { type: "step"; count: number }
    | { type: "speed"; value: number }
    | { type: "reset" }
    | { type: "seek"; time: number }
    | { type: "drive"; robot: number; values: [number, number][] }
    | { type: "take"; robot: number }
    | { type: "release"; robot: number }
    | { type: "parameter"; index: number; value: number }
    | { type: "try"; id: number; gear: number; values: [number, number][] };

// ---- server to page, binary, little endian (as is every machine a browser runs on) -------------

export interface Frame {
    kind: "frame";
    jump: boolean; // time has jumped: what came before is not joined to it
    watch: number; // id of the watch list that gives the order of the values
    run: number;
    time: number;
    values: Float32Array;
    low: Float32Array; // since the last frame, both ends included
    high: Float32Array;
}

export interface HistoryPart {
    kind: "history";
    last: boolean; // of this request
    request: number;
    run: number;
    signal: number;
    times: Float64Array;
    values: Float32Array;
    low: Float32Array; // since the row before, or the value itself where that is not known
    high: Float32Array;
}

const HEAD = 16; // bytes before the arrays, in both messages

function decodeFrame(view: DataView): Frame | null {
    const count = (view.byteLength - HEAD) / 12;
    if (!Number.isInteger(count)) return null;
    const third = (k: number) => new Float32Array(view.buffer, HEAD + 4 * count * k, count);
    return {
        kind: "frame",
        jump: (view.getUint8(1) & 1) !== 0,
        watch: view.getUint16(2, true),
        run: view.getUint32(4, true),
        time: view.getFloat64(8, true),
        values: third(0),
        low: third(1),
        high: third(2),
    };
}

function decodeHistory(view: DataView): HistoryPart | null {
    const rows = view.getUint32(12, true);
    if (view.byteLength !== HEAD + 20 * rows) return null;
    const part = (k: number) => new Float32Array(view.buffer, HEAD + (8 + 4 * k) * rows, rows);
    return {
        kind: "history",
        last: (view.getUint8(1) & 1) !== 0,
        request: view.getUint16(2, true),
        run: view.getUint32(4, true),
        signal: view.getUint32(8, true),
        times: new Float64Array(view.buffer, HEAD, rows),
        values: part(0),
        low: part(1),
        high: part(2),
    };
}

// null: not a message of this protocol.
export function decodeBinary(buffer: ArrayBuffer): Frame | HistoryPart | null {
    if (buffer.byteLength < HEAD) return null;
    const view = new DataView(buffer);
    switch (view.getUint8(0)) {
        case 1:
            return decodeFrame(view);
        case 2:
            return decodeHistory(view);
        default:
            return null;
    }
}
