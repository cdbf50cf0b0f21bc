// sound.ts: short sounds, made here and not played from files, for contact, limits, warnings and
// errors. Off until somebody turns them on.

import { App } from "./app";
import { levelOf } from "./messages";
import { LogItem } from "./protocol";

export type SoundName = "contact" | "limit" | "warning" | "error";

const LEAST_GAP_S = 0.12; // of the same sound: a rattling contact is not a drone

export function soundOf(item: LogItem): SoundName | null {
    const level = levelOf(item.level);
    if (level === "error") return "error";
    if (item.kind === "contact") return "contact";
    if (item.kind === "limit") return "limit";
    return level === "warning" ? "warning" : null;
}

interface Note {
    type: OscillatorType;
    from: number; // [Hz]
    to: number;
    start: number; // [s]
    length: number;
    gain: number;
}

const SOUNDS: Record<SoundName, Note[]> = {
    contact: [{ type: "sine", from: 150, to: 55, start: 0, length: 0.16, gain: 0.9 }],
    limit: [{ type: "square", from: 900, to: 700, start: 0, length: 0.04, gain: 0.25 }],
    warning: [
        { type: "triangle", from: 660, to: 660, start: 0, length: 0.12, gain: 0.5 },
        { type: "triangle", from: 880, to: 880, start: 0.14, length: 0.14, gain: 0.5 },
    ],
    error: [
        { type: "sawtooth", from: 330, to: 320, start: 0, length: 0.18, gain: 0.35 },
        { type: "sawtooth", from: 220, to: 200, start: 0.2, length: 0.3, gain: 0.35 },
    ],
};

// Browsers allow sound only after a person has touched the page: the context is made, and woken, at
// the first click or key after sounds were turned on.
class Sound {
    private context: AudioContext | null = null;
    private volume: GainNode | null = null;
    private playedAt = new Map<SoundName, number>();
    private played = 0;

    constructor(private app: App) {
        app.link.on("log", ({ items, past }) => {
            if (!past) this.hear(items);
        });
        app.settings.onChange((key) => {
            if (key === "volume" && this.volume)
                this.volume.gain.value = app.settings.get("volume");
            if (key === "sound" && app.settings.get("sound")) {
                this.wake();
                this.play("limit"); // so that one hears that it works
            }
        });
        for (const type of ["pointerdown", "keydown"]) addEventListener(type, () => this.wake());
        app.probes.sound = () => ({ state: this.context?.state ?? "off", played: this.played });
    }

    private wake(): void {
        if (!this.app.settings.get("sound")) return;
        if (!this.context && typeof AudioContext === "function") {
            this.context = new AudioContext();
            this.volume = this.context.createGain();
            this.volume.gain.value = this.app.settings.get("volume");
            this.volume.connect(this.context.destination);
        }
        if (this.context?.state === "suspended") void this.context.resume().catch(() => undefined);
    }

    // One message may carry many lines: the worst of each kind is enough.
    private hear(items: readonly LogItem[]): void {
        if (!this.app.settings.get("sound")) return;
        const names = new Set(items.map(soundOf));
        for (const name of names) if (name) this.play(name);
    }

    private play(name: SoundName): void {
        const { context, volume } = this;
        if (!context || !volume || context.state !== "running") return;
        const now = context.currentTime;
        if (now - (this.playedAt.get(name) ?? -Infinity) < LEAST_GAP_S) return;
        this.playedAt.set(name, now);
        this.played++;
        for (const note of SOUNDS[name]) playNote(context, volume, note, now);
    }
}

// A soft start avoids a click; the end fades out.
function playNote(context: AudioContext, out: AudioNode, note: Note, now: number): void {
    const start = now + note.start;
    const end = start + note.length;
    const tone = context.createOscillator();
    tone.type = note.type;
    tone.frequency.setValueAtTime(note.from, start);
    tone.frequency.exponentialRampToValueAtTime(note.to, end);
    const loudness = context.createGain();
    loudness.gain.setValueAtTime(0, start);
    loudness.gain.linearRampToValueAtTime(note.gain, start + 0.005);
    loudness.gain.exponentialRampToValueAtTime(0.001, end);
    tone.connect(loudness).connect(out);
    tone.start(start);
    tone.stop(end + 0.02);
}

export function mountSound(app: App): void {
    new Sound(app);
}
