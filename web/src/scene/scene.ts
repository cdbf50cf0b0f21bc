// scene/scene.ts: the 3-D view: puts its parts together and draws them when a frame has come or the
// camera has moved. It knows no robot: all it draws is in the geometry table.

import { Box3, Color, Mesh, Object3D, Raycaster, Scene, Vector2, Vector3 } from "three";
import { App } from "../app";
import { trailColours } from "../colours";
import { byId } from "../layout";
import { clamp } from "../numbers";
import { shownUnit, signalUnit } from "../quantity";
import { onTheme, themeColour } from "../theme";
import { Areas } from "./areas";
import { Arrows, Shown } from "./arrows";
import { CameraMode, Cameras } from "./cameras";
import { Floor } from "./floor";
import { Frames } from "./frames";
import { Geometry, readGeometry } from "./geometry";
import { Labels } from "./labels";
import { LegendRow, markRow, stepRows, supportRows, tintRows, trailRows, wayRow } from "./legend";
import { Marks } from "./marks";
import { setFog, setFogColour } from "./paint";
import { Course, Past } from "./past";
import { Pointer } from "./pointer";
import { Screen } from "./screen";
import { Solids } from "./solids";
import { SHOWN, Tools } from "./tools";
import { Traces } from "./traces";
import { Trail } from "./trail";
import { Ways } from "./ways";

const TIP_EVERY_MS = 80;
const DEFAULT_SIZE = 0.5; // [m] of a body without solids
const SHADOW = 0.3; // of full darkness
const MARGIN = 0.05; // around what stands, of its largest side
const ROOM = 5; // without a field, this many body sizes around it are shown

// The larger side of what belongs to an object, as seen from above.
function sizeOf(object: Object3D): number {
    const box = new Box3().setFromObject(object);
    if (box.isEmpty()) return DEFAULT_SIZE;
    const size = box.getSize(new Vector3());
    return Math.max(size.x, size.y, 0.05);
}

// "red.body" is the body of "red"; that of the robot without a name is "body".
const NAMELESS = "robot";
const robotOf = (body: string) => (body === "body" ? NAMELESS : body.replace(/\.body$/, ""));

class View {
    private scene = new Scene();
    private frames: Frames;
    private solids: Solids;
    private arrows: Arrows;
    private marks: Marks;
    private trails: Trail[]; // of bodies
    private traces: Traces;
    private ways: Ways;
    private floor: Floor;
    private labels = new Labels(byId("labels"), [byId("view-tools"), byId("legend")]);
    private cameras = new Cameras();
    private screen: Screen;
    private pointer: Pointer;
    private tools: Tools;
    private past: Past;
    private field = new Box3();
    private bodySize: number;
    private placed = false; // the first frame has come, so bodies are where they are
    private stale = true; // signals have changed since the last picture
    private tipAt = 0;

    constructor(
        private app: App,
        private geometry: Geometry,
        given: HTMLCanvasElement,
    ) {
        const { store } = app;
        this.screen = new Screen(given, () => this.draw());
        const { canvas } = this.screen;
        this.frames = new Frames(geometry.frames, store);
        this.solids = new Solids(geometry.solids, this.frames, store);
        this.frames.root.updateMatrixWorld(true);
        const sizes = this.frames.bodies.map((body) => sizeOf(body.object));
        this.bodySize = Math.max(...sizes, 0) || DEFAULT_SIZE;
        this.measureField();
        this.arrows = new Arrows(geometry.arrows, this.frames, store, this.bodySize);
        this.marks = new Marks(geometry.marks, this.frames, store, this.labels);
        const colours = trailColours(this.frames.bodies.map(({ name }) => robotOf(name)));
        this.trails = this.frames.bodies.map(
            ({ object }, k) => new Trail((at) => object.getWorldPosition(at), colours[k]!),
        );
        this.traces = new Traces(geometry.traces, this.frames, store);
        this.past = new Past(app, this.courses(), () => this.refresh());
        this.ways = new Ways(geometry.ways, store, this.bodySize);
        this.floor = new Floor(this.field, this.labels);
        this.scene.add(this.floor.group, this.frames.root, this.solids.shadows);
        this.scene.add(new Areas(geometry.areas, this.labels).group);
        this.scene.add(this.ways.group, this.marks.group, this.traces.group);
        for (const { mesh } of this.trails) this.scene.add(mesh);
        this.cameras.mode = app.settings.get("camera");
        this.cameras.body = this.frames.bodies[0]?.object ?? null;
        this.pointer = new Pointer(canvas, this.cameras, () => this.screen.ask());
        this.tools = this.createTools();
        this.listen(canvas);
        this.colour();
        this.home();
    }

    // ---- set-up ------------------------------------------------------------------------------------

    private courses(): Course[] {
        const bodies = this.frames.bodies.map(({ name }, k) => ({
            trail: this.trails[k]!,
            signals: this.frames.dependsOn(name),
            placeAt: (read: (index: number) => number) => this.frames.placeAt(name, read),
        }));
        const points = this.traces.list.map((trace) => ({
            trail: trace.trail,
            signals: trace.depends(),
            placeAt: (read: (index: number) => number) => trace.placeAt(read),
        }));
        return [...bodies, ...points];
    }

    private allTrails(): Trail[] {
        return [...this.trails, ...this.traces.trails];
    }

    private createTools(): Tools {
        const { geometry } = this;
        const has = {
            bodies: this.frames.bodies.map(({ name }) => robotOf(name)),
            velocity: this.arrows.has("velocity"),
            force: this.arrows.has("force") || this.arrows.has("impulse"),
            marks: this.marks.count > 0,
            ways: this.ways.count > 0,
            tints: geometry.solids.some((solid) => solid.tint !== null),
        };
        return new Tools(this.app, has, {
            camera: (mode) => this.setCamera(mode),
            body: (index) => this.setBody(index),
            find: () => this.setBody(this.bodyIndex()),
        });
    }

    private listen(canvas: HTMLCanvasElement): void {
        const { app } = this;
        app.follow = (robot) => this.follow(robot);
        this.watch();
        app.store.onFrame(() => this.receive());
        app.store.onJump(() => {
            for (const trail of this.allTrails()) trail.clear();
            this.arrows.forget();
            this.past.want();
        });
        app.settings.onChange((key) => {
            if (key === "trailSeconds") this.past.want();
            if (key === "velocityArrows" || key === "forceArrows") this.watch();
            if (SHOWN.includes(key)) this.refresh();
        });
        onTheme(() => this.colour());
        new ResizeObserver(() => this.resize()).observe(canvas);
        canvas.addEventListener("pointermove", (event) => this.point(event));
        canvas.addEventListener("pointerleave", () => this.tools.showTip("", 0, 0));
        canvas.addEventListener("dblclick", (event) => this.lookAt(event));
        app.probes.scene = () => this.probe();
    }

    // Hits are among the forces for whoever switches them.
    private shown(): Shown {
        const { settings } = this.app;
        const force = settings.get("forceArrows");
        return { velocity: settings.get("velocityArrows"), force, impulse: force };
    }

    private watch(): void {
        const { frames, solids, marks, ways, traces } = this;
        const parts = [frames, solids, marks, ways, traces].flatMap((part) => part.watched());
        const arrows = this.arrows.watched(this.shown());
        this.app.link.watch("scene", [...new Set([...parts, ...arrows])]);
    }

    // The field is what hangs on no frame.
    private measureField(): void {
        for (const mesh of this.solids.meshes) {
            if (mesh.parent === this.frames.root) this.field.expandByObject(mesh);
        }
    }

    // All bodies as they are now, and a little around them.
    private measureBodies(): Box3 {
        const box = new Box3();
        for (const { object } of this.frames.bodies) box.expandByObject(object);
        box.union(this.traces.room());
        const size = box.getSize(new Vector3());
        return box.expandByScalar(MARGIN * Math.max(size.x, size.y, size.z));
    }

    // ---- cameras -----------------------------------------------------------------------------------

    // A field is shown as a whole; on an endless floor all bodies are, and the view goes along with
    // the one that is followed.
    private home(): void {
        const size = this.field.isEmpty() ? new Vector3() : this.field.getSize(new Vector3());
        // A few posts are no field.
        const isField = Math.min(size.x, size.y) > 2 * this.bodySize;
        const room = new Vector3(1, 1, 0.25).multiplyScalar(ROOM * this.bodySize);
        const around = new Box3();
        const places = this.frames.bodies.map((body) => body.object.getWorldPosition(new Vector3()));
        for (const place of places.length > 0 ? places : [new Vector3()]) {
            around.union(new Box3().setFromCenterAndSize(place, room));
        }
        // What goes nowhere needs no room to do so.
        const stands = !isField && places.length > 0 && this.frames.bodySignals().length === 0;
        if (stands) around.copy(this.measureBodies());
        const { width, height } = this.screen.resize();
        this.cameras.resize(width, height);
        // Lines in the air of what stands are in an upright plane: they are seen from its side.
        const side = stands && this.traces.list.length > 0;
        this.cameras.fit(isField ? this.field : around, this.bodySize, !isField && !stands, stands, side);
        this.screen.ask();
    }

    private setCamera(mode: CameraMode): void {
        const again = mode === this.cameras.mode;
        this.cameras.setMode(mode);
        this.app.settings.set("camera", mode);
        this.tools.showCamera(mode);
        if (again) this.home();
        this.screen.ask();
    }

    private bodyIndex(): number {
        return this.frames.bodies.findIndex((body) => body.object === this.cameras.body);
    }

    private setBody(index: number): void {
        this.cameras.follow(this.frames.bodies[index]?.object ?? null);
        this.tools.showBody(index);
        this.screen.ask();
    }

    // Where there is but one robot, it is followed already.
    private follow(robot: string): void {
        const name = robot || NAMELESS;
        const index = this.frames.bodies.findIndex((body) => robotOf(body.name) === name);
        if (index >= 0 && index !== this.bodyIndex()) this.setBody(index);
    }

    private resize(): void {
        const { width, height } = this.screen.resize();
        this.cameras.resize(width, height);
        // What nobody has moved fits itself to the new size.
        if (!this.cameras.touched) this.home();
        // At once: a canvas with a new size is empty until it is drawn.
        this.draw();
    }

    // ---- drawing -----------------------------------------------------------------------------------

    private colour(): void {
        const sky = new Color(themeColour("--scene-sky"));
        this.screen.background(sky);
        setFogColour(sky);
        this.floor.colour();
        this.arrows.colour();
        this.marks.colour();
        this.ways.colour();
        this.traces.colour();
        const dark = new Color(themeColour("--scene-shadow"));
        this.solids.setColours(dark, new Color(this.floor.shade).lerp(dark, SHADOW));
        this.screen.ask();
    }

    // true: the camera still moves.
    private draw(): boolean {
        if (this.stale) this.take();
        const moving = this.cameras.update();
        const { target, metre, distance, slope } = this.cameras;
        const reach = this.floor.update(target, metre, slope);
        setFog(distance + 0.4 * reach, distance + reach);
        const { settings } = this.app;
        this.arrows.place(this.shown(), 1 / metre);
        this.marks.place(1 / metre);
        this.ways.place(1 / metre);
        const seconds = settings.get("trailSeconds");
        const eye = this.cameras.camera.position;
        for (const trail of this.allTrails()) {
            trail.write(this.app.store.time, seconds, 1 / metre, eye);
        }
        this.labels.setSignSize(clamp(0.2 * this.bodySize * metre, 8, 16));
        // From behind a robot they would stand before what is near.
        this.labels.texts = this.cameras.mode !== "chase";
        const bodies = this.frames.bodies.map((body) => body.object.getWorldPosition(new Vector3()));
        this.labels.update(this.cameras.camera, bodies, 0.7 * this.bodySize * metre);
        this.screen.render(this.scene, this.cameras.camera);
        return moving;
    }

    private refresh(): void {
        this.stale = true;
        this.screen.ask();
    }

    // Every frame moves the bodies, so that trails have no gaps when pictures are late.
    private receive(): void {
        const { settings, store } = this.app;
        this.frames.update();
        const seconds = settings.get("trailSeconds");
        for (const trail of this.allTrails()) trail.add(store.time, seconds);
        if (!this.placed) this.home();
        this.placed = true;
        this.refresh();
    }

    // The newest signals into everything else that shows them.
    private take(): void {
        this.stale = false;
        const { settings, store } = this.app;
        this.solids.update(settings.get("tints"));
        this.arrows.update(store.time);
        this.marks.update(settings.get("marks"), store.time);
        this.ways.update(settings.get("ways"));
        for (const trail of this.allTrails()) trail.show(settings.get("trail"));
        this.tools.showLegend(this.legend());
    }

    private legend(): LegendRow[] {
        const { settings, hello, store } = this.app;
        const rows = stepRows(hello.routines, (signal) => store.value(signal));
        const shown = this.shown();
        for (const kind of ["velocity", "force", "impulse"] as const) {
            const text = this.arrows.scaleText(kind);
            if (!shown[kind] || !this.arrows.has(kind) || !text) continue;
            rows.push({ colour: `var(--scene-${kind})`, text: `${kind}: 1 m = ${text}` });
        }
        const { solids, marks } = this.geometry;
        const unitOf = (signal: string) => {
            const info = hello.signals[store.index(signal)];
            return info ? signalUnit(info, settings.get("people")) : shownUnit("", true);
        };
        if (settings.get("tints")) rows.push(...tintRows(solids, unitOf));
        if (settings.get("trail")) rows.push(...this.trailLegend(), ...this.traces.legend());
        if (this.ways.count > 0 && settings.get("ways")) rows.push(wayRow());
        if (marks.length > 0 && settings.get("marks")) rows.push(markRow(marks), ...supportRows(marks));
        return rows;
    }

    // Of those that are to be seen: a crate that nobody has pushed has none.
    private trailLegend(): LegendRow[] {
        const trails = this.trails.flatMap((trail, k) =>
            trail.drawn ? [{ name: robotOf(this.frames.bodies[k]!.name), colour: trail.colour }] : [],
        );
        const alone = this.trails.length === 1;
        return trailRows(trails, alone, this.app.settings.get("trailSeconds"));
    }

    // ---- pointing ----------------------------------------------------------------------------------

    private ray(event: MouseEvent): Raycaster {
        const { canvas } = this.screen;
        const at = new Vector2(
            (2 * event.offsetX) / canvas.clientWidth - 1,
            1 - (2 * event.offsetY) / canvas.clientHeight,
        );
        const caster = new Raycaster();
        caster.setFromCamera(at, this.cameras.camera);
        return caster;
    }

    // What is under the mouse says its name.
    private point(event: PointerEvent): void {
        if (this.pointer.busy || event.pointerType !== "mouse") {
            return this.tools.showTip("", 0, 0);
        }
        const now = performance.now();
        if (now - this.tipAt < TIP_EVERY_MS) return;
        this.tipAt = now;
        const caster = this.ray(event);
        const arrows = this.arrows.meshes.filter((mesh) => mesh.parent?.visible);
        const arrow = caster.intersectObjects(arrows, false)[0]?.object as Mesh | undefined;
        const solid = caster.intersectObjects(this.solids.meshes, false)[0]?.object;
        const text = arrow ? this.arrows.describe(arrow) : String(solid?.userData.name ?? "");
        this.tools.showTip(text, event.offsetX, event.offsetY);
    }

    private lookAt(event: MouseEvent): void {
        const { ray } = this.ray(event);
        if (ray.direction.z >= -1e-3) return;
        const point = ray.at(-ray.origin.z / ray.direction.z, new Vector3());
        this.cameras.lookAt(point);
        this.screen.ask();
    }

    private probe(): unknown {
        const bodies = this.frames.bodies.map(({ name, object }) => {
            const { x, y, z } = object.getWorldPosition(new Vector3());
            return { name, x, y, z };
        });
        const { calls, triangles } = this.screen.renderer.info.render;
        const ratio = this.screen.renderer.getPixelRatio();
        const { pictures } = this.screen;
        const solids = this.solids.meshes.length;
        const arrows = this.arrows.drawn();
        const ways = this.geometry.ways.map(({ name, points }) => ({ name, points: points.length }));
        const traces = this.traces.list.map(({ spec, trail }) => ({ name: spec.name, ...trail.extent() }));
        const supports = this.marks.supports.map(({ spec, margin, standing, corners }) => ({
            name: spec.name,
            margin: Number.isNaN(margin) ? null : margin,
            standing,
            corners: corners.map((corner) => corner.toArray()),
        }));
        const drawn = { solids, arrows, ways, traces, supports };
        return { camera: this.cameras.mode, bodies, ...drawn, pictures, calls, triangles, ratio };
    }
}

export function mountScene(app: App): void {
    const geometry = readGeometry(app.hello, (name) => app.store.index(name) >= 0);
    for (const text of geometry.notes) app.note("warning", text);
    try {
        new View(app, geometry, byId<HTMLCanvasElement>("scene"));
    } catch (error) {
        // Charts, driving and the log work without it.
        const note = byId("stage-note");
        note.hidden = false;
        note.textContent = "This browser cannot show the 3-D scene: it has no WebGL.";
        app.note("error", `3-D scene: ${(error as Error).message}`);
    }
}
