// scene/screen.ts: the renderer on its canvas. It draws only when something has changed, and draws
// coarser when the machine is too slow for the full number of pixels.

import { Camera, Color, LinearSRGBColorSpace, Scene, Vector2, WebGLRenderer } from "three";

const MAX_RATIO = 2; // device pixels per CSS pixel; more is not seen
const MIN_RATIO = 0.7;
const COARSER = 0.85;
const SLOW_MS = 36; // mean time between two pictures that counts as slow
const FAST_MS = 22;
const SAMPLE = 40; // pictures in a row that decide
const FINER_AFTER_MS = 15000; // a machine that was slow is given time
const STILL_MS = 400; // with nothing new for this long, one fine picture is drawn
const STILL_RATIO = 2;

const ATTRIBUTES = { stencil: false, alpha: false };
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

function isSoftware(context: WebGL2RenderingContext): boolean {
    const info = context.getExtension("WEBGL_debug_renderer_info");
    return info !== null && SOFTWARE.test(String(context.getParameter(info.UNMASKED_RENDERER_WEBGL)));
}

interface Surface {
    canvas: HTMLCanvasElement;
    context: WebGL2RenderingContext;
    fast: boolean;
}

// A graphics card smooths edges for nothing. Without one it costs time for each picture; then a scene
// that stands still is drawn once more, finely. A canvas keeps the context it was given first, so the
// one with smooth edges needs a new canvas.
function createSurface(canvas: HTMLCanvasElement): Surface {
    const plain = canvas.getContext("webgl2", { ...ATTRIBUTES, antialias: false });
    if (!plain) throw new Error("this browser has no WebGL 2");
    if (isSoftware(plain)) return { canvas, context: plain, fast: false };
    const copy = canvas.cloneNode() as HTMLCanvasElement;
    const smooth = copy.getContext("webgl2", { ...ATTRIBUTES, antialias: true });
    if (!smooth) return { canvas, context: plain, fast: true };
    canvas.replaceWith(copy);
    plain.getExtension("WEBGL_lose_context")?.loseContext();
    return { canvas: copy, context: smooth, fast: true };
}

export class Screen {
    readonly canvas: HTMLCanvasElement; // may be another one than was given
    readonly renderer: WebGLRenderer;
    pictures = 0;
    private fast: boolean;
    private asked = 0;
    private full = Math.min(devicePixelRatio || 1, MAX_RATIO);
    private ratio = this.full;
    private last = 0;
    private sum = 0;
    private samples = 0;
    private changedAt = 0; // when the ratio was last changed
    private stillTimer = 0;

    // Throws without WebGL.
    constructor(
        given: HTMLCanvasElement,
        private draw: () => boolean, // true: once more
    ) {
        const { canvas, context, fast } = createSurface(given);
        this.canvas = canvas;
        this.fast = fast;
        this.renderer = new WebGLRenderer({ canvas, context });
        this.renderer.setPixelRatio(this.ratio);
        this.renderer.outputColorSpace = LinearSRGBColorSpace; // colours go out as they are: paint.ts
        this.renderer.debug.checkShaderErrors = false; // asking for them waits for each program
    }

    render(scene: Scene, camera: Camera): void {
        this.renderer.render(scene, camera);
        this.pictures += 1;
    }

    background(colour: Color): void {
        this.renderer.setClearColor(colour, 1);
    }

    // At the next picture of the display; asked often, it draws once.
    ask(): void {
        if (this.asked) return;
        this.asked = requestAnimationFrame((time) => {
            this.asked = 0;
            this.judge(time);
            this.setRatio(this.ratio);
            if (this.draw()) this.ask();
            if (this.fast) return;
            clearTimeout(this.stillTimer);
            this.stillTimer = window.setTimeout(() => this.refine(), STILL_MS);
        });
    }

    resize(): { width: number; height: number } {
        const width = this.canvas.clientWidth;
        const height = this.canvas.clientHeight;
        const { x, y } = this.renderer.getSize(new Vector2());
        if (x !== width || y !== height) this.renderer.setSize(width, height, false);
        return { width, height };
    }

    private refine(): void {
        if (this.asked) return;
        this.setRatio(Math.max(STILL_RATIO, this.full));
        this.draw();
    }

    private setRatio(ratio: number): void {
        if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    }

    // Only pictures that follow each other closely say how fast the machine is.
    private judge(time: number): void {
        const passed = time - this.last;
        this.last = time;
        if (passed > 200) {
            this.samples = this.sum = 0;
            return;
        }
        this.sum += passed;
        this.samples += 1;
        if (this.samples < SAMPLE) return;
        const mean = this.sum / this.samples;
        this.samples = this.sum = 0;
        const rested = time - this.changedAt > FINER_AFTER_MS;
        if (mean > SLOW_MS) this.change(Math.max(this.ratio * COARSER, MIN_RATIO), time);
        else if (mean < FAST_MS && rested) this.change(Math.min(this.ratio / COARSER, this.full), time);
    }

    private change(ratio: number, time: number): void {
        if (ratio === this.ratio) return;
        this.ratio = ratio;
        this.changedAt = time;
    }
}
