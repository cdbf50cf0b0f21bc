// scene/paint.ts: the one shader that everything in the scene is drawn with. Without a graphics card
// every shader, and every way of blending and testing it is used in, is compiled for the processor when
// the page opens. So there is one small shader and only three ways to use it: solid, line, glass.
//
//   light = sky (1 + n_z) / 2 + ground (1 - n_z) / 2 + sun max(n . s, 0),   shown = colour sqrt(light)
// for each corner. Colours are sRGB throughout, as in style.css; sRGB is close to the square root of
// the amount of light, hence the root. With distance a colour goes over into the fog's.

import { Color, ColorManagement, GLSL3, MaterialParameters, RawShaderMaterial } from "three";

ColorManagement.enabled = false; // no conversions: see above

// Light comes from direction (a, b, 1); shadows use it too.
export const SUN: [number, number] = [-0.35, -0.45];

// Heights [m] of what lies on the floor, so that nothing flickers.
export const LAYERS = {
    ground: -0.015,
    carpet: -0.01,
    shadow: -0.005,
    area: -0.0025,
    grid: 0,
    trail: 0.004,
    way: 0.006,
};

// Attribute `fade` is 0 where a shape has none; `lit` and `front` are 0 or 1. What is in front keeps
// its order among its like and is before everything else.
const VERTEX = `
precision highp float;
uniform mat4 modelMatrix, viewMatrix, projectionMatrix;
uniform vec3 colour;
uniform float lit, front;
in vec3 position, normal;
in float fade;
out vec3 shown;
out vec2 depthAndFade;
void main() {
    vec3 n = normalize(mat3(modelMatrix) * normal + vec3(0.0, 0.0, 1e-6));
    float sun = max(dot(n, normalize(vec3(${SUN[0]}, ${SUN[1]}, 1.0))), 0.0);
    vec3 light = mix(vec3(0.17, 0.19, 0.22), vec3(0.52), 0.5 + 0.5 * n.z) + 0.5 * sun;
    shown = min(colour * mix(vec3(1.0), sqrt(light), lit), 1.0);
    vec4 view = viewMatrix * modelMatrix * vec4(position, 1.0);
    depthAndFade = vec2(-view.z, fade);
    vec4 at = projectionMatrix * view;
    at.z = mix(at.z, 0.02 * (at.z + at.w) - at.w, front);
    gl_Position = at;
}`;

const FRAGMENT = `
precision mediump float;
uniform highp vec2 fogRange;
uniform vec3 fogColour;
uniform float opacity;
in vec3 shown;
in highp vec2 depthAndFade;
out vec4 pixel;
void main() {
    float fog = clamp((depthAndFade.x - fogRange.x) / (fogRange.y - fogRange.x), 0.0, 1.0);
    pixel = vec4(mix(shown, fogColour, fog), opacity * (1.0 - depthAndFade.y));
}`;

// Shared by all paints of the floor: where the fog begins and ends [m], and its colour. What stands on
// the floor is seen from any distance.
const fogRange = { value: [1e3, 2e3] };
const clear = { value: [1e8, 2e8] };
const fogColour = { value: [1, 1, 1] };

export function setFog(near: number, far: number): void {
    fogRange.value = [near, far];
}

export function setFogColour(colour: Color): void {
    fogColour.value = colour.toArray();
}

export type Use = "solid" | "line" | "glass";

const USES: Record<Use, MaterialParameters> = {
    solid: {},
    line: { transparent: true, depthWrite: false },
    glass: { transparent: true, depthWrite: false },
};

export interface Look {
    lit?: boolean;
    front?: boolean; // before everything else
    fog?: boolean;
    opacity?: number; // not of a solid
}

export class Paint extends RawShaderMaterial {
    readonly color: Color;

    constructor(use: Use, colour: string, look: Look = {}) {
        const color = new Color(colour);
        super({
            glslVersion: GLSL3,
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            uniforms: {
                colour: { value: color },
                lit: { value: look.lit ? 1 : 0 },
                front: { value: look.front ? 1 : 0 },
                opacity: { value: look.opacity ?? 1 },
                fogRange: look.fog ? fogRange : clear,
                fogColour,
            },
            ...USES[use],
        });
        this.color = color;
    }
}
