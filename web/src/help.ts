// help.ts: the list of keys on `?`, made from the table of keys each time it is opened.

import { make } from "./dom";
import { KeyBinding, keyName, Keys } from "./keys";
import { byId } from "./layout";

export type MouseRows = readonly (readonly [string, string])[];

export const SCENE_MOUSE: MouseRows = [
    ["Drag", "turn the view (from above: move it)"],
    ["Right drag", "move the view; with two fingers on a screen"],
    ["Wheel", "nearer or farther; pinch on a screen"],
    ["Double click", "look at this place"],
];

const ORDER = ["Time", "View", "Driving"]; // others after these

function keyList(keys: string[]): Node[] {
    return keys.map((key) => make("kbd", {}, keyName(key)));
}

function section(title: string, rows: [Node[], string][]): HTMLElement {
    const list = make("dl");
    for (const [keys, sentence] of rows) {
        list.append(make("dt", {}, ...keys), make("dd", {}, sentence));
    }
    return make("section", {}, make("h3", {}, title), list);
}

function groups(bindings: KeyBinding[]): HTMLElement[] {
    const rows = new Map<string, [Node[], string][]>();
    for (const binding of bindings) {
        const group = rows.get(binding.group) ?? [];
        group.push([keyList(binding.keys), binding.sentence]);
        rows.set(binding.group, group);
    }
    const place = (title: string) =>
        ORDER.includes(title) ? ORDER.indexOf(title) : ORDER.length;
    const sorted = [...rows].sort(([a], [b]) => place(a) - place(b));
    return sorted.map(([title, list]) => section(title, list));
}

export function mountHelp(keys: Keys, mouse: MouseRows): void {
    const dialog = byId<HTMLDialogElement>("help");
    const open = () => {
        const close = make("button", { type: "button", id: "help-close" }, "Close");
        close.addEventListener("click", () => dialog.close());
        const rows = mouse.map(([word, text]): [Node[], string] => [[make("kbd", {}, word)], text]);
        dialog.replaceChildren(
            make("header", {}, make("h2", { id: "help-title" }, "Keys"), close),
            make("div", { class: "groups" }, ...groups(keys.bindings), section("Mouse", rows)),
        );
        dialog.showModal();
    };
    byId("help-open").addEventListener("click", open);
    // A click beside the box closes it: the dialog itself is hit only outside its content.
    dialog.addEventListener("click", (event) => {
        const box = dialog.getBoundingClientRect();
        const inside =
            event.clientX >= box.left &&
            event.clientX <= box.right &&
            event.clientY >= box.top &&
            event.clientY <= box.bottom;
        if (!inside) dialog.close();
    });
    keys.add({
        keys: ["?"],
        group: "Page",
        sentence: "show or close this help",
        modal: true,
        run: () => (dialog.open ? dialog.close() : open()),
    });
}
