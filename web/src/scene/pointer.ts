// scene/pointer.ts: mouse and fingers on the scene: turn, move, zoom.

import { clamp } from "../numbers";
import { Cameras } from "./cameras";

const ZOOM_PER_PX = 0.0015;

interface Finger {
    x: number;
    y: number;
}

export class Pointer {
    private fingers = new Map<number, Finger>();

    constructor(
        private canvas: HTMLCanvasElement,
        private cameras: Cameras,
        private changed: () => void,
    ) {
        canvas.addEventListener("pointerdown", (event) => this.down(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.up(event));
        canvas.addEventListener("pointercancel", (event) => this.up(event));
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    }

    get busy(): boolean {
        return this.fingers.size > 0;
    }

    private down(event: PointerEvent): void {
        this.canvas.setPointerCapture(event.pointerId);
        this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
        this.canvas.classList.add("dragging");
    }

    private up(event: PointerEvent): void {
        this.fingers.delete(event.pointerId);
        if (this.fingers.size === 0) this.canvas.classList.remove("dragging");
    }

    private move(event: PointerEvent): void {
        const finger = this.fingers.get(event.pointerId);
        if (!finger) return;
        const dx = event.clientX - finger.x;
        const dy = event.clientY - finger.y;
        const before = this.spread();
        finger.x = event.clientX;
        finger.y = event.clientY;
        if (this.fingers.size === 2) {
            // Each of the two fingers moves the middle by half its own way.
            this.cameras.pan(dx / 2, dy / 2);
            const after = this.spread();
            if (before > 0 && after > 0) this.cameras.zoom(before / after);
        } else if (event.buttons & 6 || event.shiftKey) {
            this.cameras.pan(dx, dy);
        } else {
            this.cameras.turn(dx, dy);
        }
        this.changed();
    }

    private spread(): number {
        const [a, b] = [...this.fingers.values()];
        return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const px = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 30 * event.deltaY : event.deltaY;
        this.cameras.zoom(Math.exp(ZOOM_PER_PX * clamp(px, -300, 300)));
        this.changed();
    }
}
