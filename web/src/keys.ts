// keys.ts: the one table of keys. What a key does and what the help says about it stand together,
// so that the help is never wrong.

export interface KeyBinding {
    keys: string[]; // as KeyboardEvent.key: " ", "ArrowLeft", "w"; letters in lower case
    group: string; // heading in the help: "Time", "View", "Driving"
    sentence: string; // what it does: "pause or play"
    // Not called while a text field has the focus. Left out: handled elsewhere, listed here only.
    run?: (event: KeyboardEvent) => void;
    repeat?: boolean; // also when the key is held down; default: no
    when?: () => boolean; // works only then; the help lists it always
    modal?: boolean; // works also while a dialog is open
}

const NAMES: Record<string, string> = {
    " ": "Space",
    ArrowLeft: "\u2190",
    ArrowRight: "\u2192",
    ArrowUp: "\u2191",
    ArrowDown: "\u2193",
    Escape: "Esc",
};

export function keyName(key: string): string {
    return NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

// Does the element under the focus want this key for itself?
export function keyIsTaken(event: KeyboardEvent): boolean {
    const target = event.target;
    if (!(target instanceof HTMLElement)) return false;
    if (target.isContentEditable || target.matches("textarea, select")) return true;
    const arrows = /^(Arrow|Page|Home|End)/.test(event.key);
    if (target.matches("[role=tab], [role=log]") && arrows) return true;
    if (target.matches("button, summary, a[href]")) return event.key === " " || event.key === "Enter";
    if (!(target instanceof HTMLInputElement)) return false;
    if (target.type === "checkbox" || target.type === "radio") return event.key === " ";
    if (target.type === "range") return arrows;
    return true;
}

export class Keys {
    readonly bindings: KeyBinding[] = [];

    constructor(element: Window) {
        element.addEventListener("keydown", (event) => this.press(event));
    }

    add(...bindings: KeyBinding[]): void {
        this.bindings.push(...bindings);
    }

    private press(event: KeyboardEvent): void {
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
        if (keyIsTaken(event)) return;
        const modal = document.querySelector("dialog[open]") !== null;
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        for (const binding of this.bindings) {
            if (!binding.run || !binding.keys.includes(key)) continue;
            if (event.repeat && !binding.repeat) continue;
            if (modal && !binding.modal) continue;
            if (binding.when && !binding.when()) continue;
            event.preventDefault();
            binding.run(event);
            return;
        }
    }
}
