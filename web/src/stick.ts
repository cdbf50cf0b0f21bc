// stick.ts: a stick on the screen, for fingers and the mouse, which springs back when let go.

import { make } from "./dom";
import { radial } from "./gamepad";

const DEAD_ZONE = 0.08;

export interface Stick {
    element: HTMLElement;
    show(up: number, right: number): void; // where the knob stands when nobody holds it
}

export function createStick(
    id: string,
    label: string,
    onMove: (up: number, right: number) => void,
    onEnd: () => void,
): Stick {
    const knob = make("div", { class: "stick-knob" });
    const element = make(
        "div",
        {
            class: "stick",
            id,
            role: "img",
            "aria-label": label,
            title: label,
        },
        knob,
    );
    let held = -1; // the pointer that holds it
    const place = (x: number, y: number) => {
        knob.style.transform = `translate(${(x * 100).toFixed(1)}%, ${(y * 100).toFixed(1)}%)`;
    };
    // The knob is half as wide as the pad: it travels a quarter of the pad, half a knob, each way.
    const move = (event: PointerEvent) => {
        const box = element.getBoundingClientRect();
        const reach = box.width / 4;
        const x = (event.clientX - box.left - box.width / 2) / reach;
        const y = (event.clientY - box.top - box.height / 2) / reach;
        const long = Math.max(1, Math.hypot(x, y));
        place(x / long / 2, y / long / 2);
        const [sideways, down] = radial(x / long, y / long, DEAD_ZONE);
        onMove(0 - down, sideways);
    };
    const end = (event: PointerEvent) => {
        if (event.pointerId !== held) return;
        held = -1;
        place(0, 0);
        onEnd();
    };
    element.addEventListener("pointerdown", (event) => {
        if (held >= 0 || event.button !== 0) return;
        held = event.pointerId;
        element.setPointerCapture(held);
        event.preventDefault();
        move(event);
    });
    element.addEventListener("pointermove", (event) => {
        if (event.pointerId === held) move(event);
    });
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
    element.addEventListener("lostpointercapture", end);
    return {
        element,
        show(up, right) {
            const long = Math.max(1, Math.hypot(up, right)); // keys ask for corners
            if (held < 0) place(right / long / 2, -up / long / 2);
        },
    };
}
