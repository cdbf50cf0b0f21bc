// protocol.ts: what goes over the socket, as types, and how its binary messages are read.
// docs/viewer.md has the same as prose. All numbers are SI, angles in radians.

export const SUBPROTOCOL = "ironbird.v1";
export const MAX_WATCHED = 4096;
export const MAX_HISTORY_SIGNALS = 64;

// ---- server to page, text ----------------------------------------------------------------------

export interface SignalInfo {
    name: string; // "drive.left.current"
    unit: string; // "A"; "" or "1" without one
    sentence: string;
}

export interface RobotInfo {
    name: string;
    kind: string;
}

// An input that the viewer may set.
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
    set: number;
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
}

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
}

export interface LogMessage {
    type: "log";
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

export type ServerMessage = Hello | Status | LogMessage | ParameterMessage | RefusedMessage;

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
    | { type: "parameter"; index: number; value: number };

// ---- server to page, binary, little endian (as is every machine a browser runs on) -------------

export interface Frame {
    kind: "frame";
    jump: boolean; // time has jumped: what came before is not joined to it
    watch: number; // id of the watch list that gives the order of the values
    run: number;
    time: number;
    values: Float32Array;
}

export interface HistoryPart {
    kind: "history";
    last: boolean; // of this request
    request: number;
    run: number;
    signal: number;
    times: Float64Array;
    values: Float32Array;
}

const HEAD = 16; // bytes before the arrays, in both messages

function decodeFrame(view: DataView): Frame | null {
    if ((view.byteLength - HEAD) % 4 !== 0) return null;
    return {
        kind: "frame",
        jump: (view.getUint8(1) & 1) !== 0,
        watch: view.getUint16(2, true),
        run: view.getUint32(4, true),
        time: view.getFloat64(8, true),
        values: new Float32Array(view.buffer, HEAD),
    };
}

function decodeHistory(view: DataView): HistoryPart | null {
    const rows = view.getUint32(12, true);
    if (view.byteLength !== HEAD + 12 * rows) return null;
    return {
        kind: "history",
        last: (view.getUint8(1) & 1) !== 0,
        request: view.getUint16(2, true),
        run: view.getUint32(4, true),
        signal: view.getUint32(8, true),
        times: new Float64Array(view.buffer, HEAD, rows),
        values: new Float32Array(view.buffer, HEAD + 8 * rows, rows),
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
