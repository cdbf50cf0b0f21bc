// scene/labels.ts: texts and signs at places of the scene. They are elements of the page over the
// canvas: sharp at any pixel ratio, in the theme's colours, and nothing the renderer has to draw.

import { Camera, Vector3 } from "three";
import { make } from "../dom";

const TEXT_WIDTH_PX = 46; // of the longest usual label, "-10 m"
const TEXT_HEIGHT_PX = 16;

export class Label {
    readonly at = new Vector3();
    visible = true;
    private shown = "";

    // `name` is its class in style.css.
    constructor(
        readonly element: HTMLElement,
        name: string,
        readonly text: string,
    ) {
        element.className = name;
    }

    // Where it is on the screen [px]; false: not to be seen.
    project(camera: Camera, width: number, height: number, into: Vector3): boolean {
        into.copy(this.at).applyMatrix4(camera.matrixWorldInverse);
        if (!this.visible || into.z >= 0) return false;
        into.applyMatrix4(camera.projectionMatrix);
        if (Math.abs(into.x) > 1.1 || Math.abs(into.y) > 1.1) return false;
        into.set((0.5 + 0.5 * into.x) * width, (0.5 - 0.5 * into.y) * height, 0);
        return true;
    }

    // Most stay where they are from picture to picture.
    show(at: Vector3 | null): void {
        const text = at ? `translate(${at.x.toFixed(1)}px, ${at.y.toFixed(1)}px)` : "none";
        if (text === this.shown) return;
        this.shown = text;
        this.element.hidden = !at;
        if (at) this.element.style.transform = text;
    }
}

export class Labels {
    texts = true; // signs are shown always
    private labels = new Set<Label>();
    private scratch = new Vector3();
    private signSize = "";
    private covered: { left: number; top: number; right: number; bottom: number }[] = [];

    // `covers` are what lies over the scene: no text is to be half below them.
    constructor(
        private container: HTMLElement,
        covers: HTMLElement[],
    ) {
        const measure = () => {
            this.covered = covers.map((element) => {
                const { offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight } = element;
                return { left, top, right: left + offsetWidth, bottom: top + offsetHeight };
            });
        };
        const observer = new ResizeObserver(measure);
        for (const element of [container, ...covers]) observer.observe(element);
    }

    add(name: string, text = ""): Label {
        const element = make("span", {}, make("span", {}, text));
        this.container.append(element);
        const label = new Label(element, name, text);
        this.labels.add(label);
        return label;
    }

    // Signs are smaller where what they mark is small [px].
    setSignSize(size: number): void {
        const text = `${Math.round(size)}px`;
        if (text === this.signSize) return;
        this.signSize = text;
        this.container.style.setProperty("--sign", text);
    }

    remove(label: Label): void {
        label.element.remove();
        this.labels.delete(label);
    }

    // Texts that would lie over one shown before them, over a body or over the edge are left out;
    // `radius` is that of a body [px].
    update(camera: Camera, bodies: Vector3[], radius: number): void {
        const { clientWidth, clientHeight } = this.container;
        const taken: Vector3[] = [];
        const places = bodies.map((body) => {
            const at = body.clone().project(camera);
            return at.set((0.5 + 0.5 * at.x) * clientWidth, (0.5 - 0.5 * at.y) * clientHeight, 0);
        });
        for (const label of this.labels) {
            const at = this.scratch;
            const seen = label.project(camera, clientWidth, clientHeight, at);
            const free =
                this.texts &&
                at.x > TEXT_WIDTH_PX &&
                at.y < clientHeight - 1.5 * TEXT_HEIGHT_PX &&
                !taken.some((other) => this.overlap(other, at)) &&
                !this.isCovered(at) &&
                !places.some((body) => body.distanceTo(at) < radius);
            const shown = seen && (free || !label.text);
            label.show(shown ? at : null);
            if (shown && label.text) taken.push(at.clone());
        }
    }

    // A text lies beside or below its place, at most by its own size.
    private isCovered(at: Vector3): boolean {
        return this.covered.some(
            ({ left, top, right, bottom }) =>
                at.x > left - TEXT_WIDTH_PX / 2 &&
                at.x < right + TEXT_WIDTH_PX &&
                at.y > top - 1.5 * TEXT_HEIGHT_PX &&
                at.y < bottom + TEXT_HEIGHT_PX / 2,
        );
    }

    private overlap(a: Vector3, b: Vector3): boolean {
        return Math.abs(a.x - b.x) < TEXT_WIDTH_PX && Math.abs(a.y - b.y) < TEXT_HEIGHT_PX;
    }
}
