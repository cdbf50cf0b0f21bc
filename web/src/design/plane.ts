// design/plane.ts: the z-plane as a picture: the unit circle, lines of equal damping, and where poles lie.
// Its units are those of z, y up.

export interface Window {
    re: number; // of the middle
    im: number;
    half: number; // from the middle to an edge
}

export const WHOLE: Window = { re: 0, im: 0, half: 1.15 };

export interface Spot {
    re: number;
    im: number;
}

/** A window around these poles, symmetric about the real axis, that does not change for every inch. */
export function windowAround(spots: readonly Spot[]): Window {
    if (spots.length === 0) return WHOLE;
    const res = spots.map((spot) => spot.re);
    const low = Math.min(...res);
    const high = Math.max(...res, low);
    const tall = Math.max(...spots.map((spot) => Math.abs(spot.im)));
    const half = Math.max(0.7 * (high - low), 1.3 * tall, 0.03);
    const coarse = 2 ** (Math.ceil(2 * Math.log2(half)) / 2);
    if (coarse >= 0.9) return WHOLE;
    const grid = coarse / 4;
    return { re: Math.round((low + high) / 2 / grid) * grid, im: 0, half: coarse };
}

// z = e^(T s) along a ray of damping d: |z| = e^(-angle d / sqrt(1 - d^2)), the angle from 0 to pi.
export function dampingLine(damping: number): Spot[] {
    const slope = damping / Math.sqrt(1 - damping * damping);
    return Array.from({ length: 61 }, (_, i) => {
        const angle = (Math.PI * i) / 60;
        const size = Math.exp(-angle * slope);
        return { re: size * Math.cos(angle), im: size * Math.sin(angle) };
    });
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag: string, attributes: Record<string, string | number> = {}): SVGElement {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
}

const path = (spots: Spot[], sign: 1 | -1) =>
    spots.map((spot, i) => `${i === 0 ? "M" : "L"}${spot.re} ${-sign * spot.im}`).join("");

/** Circle, axes and lines of equal damping, once. */
export function gridOf(): SVGElement {
    const group = svg("g", { class: "plane-grid" });
    for (const damping of [0.2, 0.4, 0.6, 0.8]) {
        group.append(svg("path", { d: path(dampingLine(damping), 1) }));
        group.append(svg("path", { d: path(dampingLine(damping), -1) }));
    }
    group.append(svg("path", { d: "M-2 0L2 0M0 -2L0 2", class: "plane-axis" }));
    group.append(svg("circle", { cx: 0, cy: 0, r: 1, class: "plane-circle" }));
    return group;
}

// A mark of `size`, in the plane's units.
const SHAPES: Record<string, (x: number, y: number, s: number) => string> = {
    cross: (x, y, s) => `M${x - s} ${y - s}L${x + s} ${y + s}M${x - s} ${y + s}L${x + s} ${y - s}`,
    plus: (x, y, s) => `M${x - s} ${y}L${x + s} ${y}M${x} ${y - s}L${x} ${y + s}`,
    diamond: (x, y, s) => `M${x} ${y - s}L${x + s} ${y}L${x} ${y + s}L${x - s} ${y}Z`,
};

export function marks(
    spots: readonly Spot[],
    shape: keyof typeof SHAPES,
    kind: string,
    size: number,
): SVGElement {
    const draw = SHAPES[shape]!;
    const d = spots.map((spot) => draw(spot.re, -spot.im, size)).join("");
    return svg("path", { d, class: `plane-mark ${kind}` });
}
