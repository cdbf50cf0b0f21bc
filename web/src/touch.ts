// touch.ts: one finger on a chart: dragged sideways it selects a span, tapped twice it undoes. uPlot
// itself knows only the mouse. Dragged up or down the finger scrolls the list of charts: the style
// sheet leaves that to the browser, which then takes the finger away from here (pointercancel).

import { clamp } from "./numbers";

const DOUBLE_TAP_MS = 350;
const TAP_PIXELS = 12; // a finger is not as steady as a mouse

export interface TouchActions {
    span(from: number, to: number): void; // while it moves [px from the left edge]
    done(from: number, to: number): void; // the finger is up
    cancel(): void;
    doubleTap(): void;
}

export function listenForTouch(element: HTMLElement, actions: TouchActions): void {
    let finger = -1;
    let start = 0;
    let tappedAt = -Infinity;
    const place = (event: PointerEvent) => {
        const box = element.getBoundingClientRect();
        return clamp(event.clientX - box.left, 0, box.width);
    };
    const tap = () => {
        const now = performance.now();
        const twice = now - tappedAt < DOUBLE_TAP_MS;
        tappedAt = twice ? -Infinity : now;
        if (twice) actions.doubleTap();
    };
    element.addEventListener("pointerdown", (event) => {
        if (event.pointerType !== "touch" || finger >= 0) return;
        finger = event.pointerId;
        start = place(event);
        element.setPointerCapture(finger);
    });
    element.addEventListener("pointermove", (event) => {
        if (event.pointerId === finger) actions.span(start, place(event));
    });
    element.addEventListener("pointerup", (event) => {
        if (event.pointerId !== finger) return;
        finger = -1;
        const end = place(event);
        if (Math.abs(end - start) >= TAP_PIXELS) return actions.done(start, end);
        actions.cancel();
        tap();
    });
    element.addEventListener("pointercancel", (event) => {
        if (event.pointerId !== finger) return;
        finger = -1;
        actions.cancel();
    });
}
