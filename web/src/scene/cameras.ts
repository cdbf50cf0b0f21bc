// scene/cameras.ts: one camera and three ways to hold it: around a point (orbit), from above (top),
// behind a body (chase). It is always at
//   target + distance (cos e cos a, cos e sin a, sin e),   a: azimuth, e: elevation.

import { Box3, Object3D, PerspectiveCamera, Vector3 } from "three";
import { clamp } from "../numbers";

export type CameraMode = "orbit" | "top" | "chase";

const FOV_DEG = 40;
const FOV_TOP_DEG = 8; // from far above: nearly without perspective
const STRAIGHT_DOWN = Math.PI / 2;
const LOWEST = 0.03; // [rad] above the floor
const NEAREST = 0.15; // [m]
const FARTHEST = 3000;
const TURN_PER_PX = 0.006; // [rad]
const FIT = 0.9; // share of the view that what is fitted fills at most
const CHASE_TIME_MS = 180; // in which a chasing camera makes up most of a turn
const LEASH = 0.4; // a body that is followed stays within this share of half the view's height
const SHORTEST_LEASH = 0.05; // where it stands near the edge beside others

// Each way has its own place to look at: to chase a robot for a while spoils no other view.
interface Hold {
    azimuth: number; // chase: relative to straight behind
    elevation: number;
    distance: number;
    target: Vector3;
    following: boolean; // the target goes along with the body; chase: always
    beside: Vector3; // where the target is wanted from the body: in the middle of several bodies
}

function createHold(azimuthDeg: number, elevation: number, distance: number): Hold {
    const azimuth = radians(azimuthDeg);
    const [target, beside] = [new Vector3(), new Vector3()];
    return { azimuth, elevation, distance, target, following: true, beside };
}

const radians = (degrees: number) => (degrees * Math.PI) / 180;

export class Cameras {
    readonly camera = new PerspectiveCamera(FOV_DEG, 1, 0.1, 1000);
    mode: CameraMode = "orbit";
    body: Object3D | null = null; // what is followed
    touched = false; // somebody has moved the camera since it was fitted
    private holds: Record<CameraMode, Hold> = {
        orbit: createHold(-110, radians(38), 5),
        top: createHold(-90, STRAIGHT_DOWN, 40),
        chase: createHold(0, radians(24), 3),
    };
    private heading = NaN; // of the chased body, smoothed
    private chasedAt = 0;
    private width = 1;
    private height = 1;
    private at = new Vector3();
    private ahead = new Vector3();

    // ---- what is seen ------------------------------------------------------------------------------

    get target(): Vector3 {
        return this.holds[this.mode].target;
    }

    get distance(): number {
        return this.holds[this.mode].distance;
    }

    // Length of one pixel at a depth of 1.
    get pixel(): number {
        return (2 * Math.tan(radians(this.camera.fov) / 2)) / this.height;
    }

    // Length of one metre at the target [px].
    get metre(): number {
        return 1 / (this.pixel * this.distance);
    }

    // How much shorter a length on the floor is along the view than across it.
    get slope(): number {
        return Math.max(Math.sin(this.holds[this.mode].elevation), 0.15);
    }

    resize(width: number, height: number): void {
        this.width = Math.max(width, 1);
        this.height = Math.max(height, 1);
        this.camera.aspect = this.width / this.height;
        this.place();
    }

    setMode(mode: CameraMode): void {
        this.mode = mode;
        this.heading = NaN;
        this.camera.fov = mode === "top" ? FOV_TOP_DEG : FOV_DEG;
        this.update();
    }

    // Orbit and top show all of `box`, and go along with the body if it is to be followed; chase
    // keeps a distance that suits the body's size. What stands for ever (`raised`) is looked at in its
    // middle, all else where it is on the floor; `side`: orbit begins nearly square to the plane of x and z.
    fit(box: Box3, bodySize: number, following: boolean, raised = false, side = false): void {
        const mode = this.mode;
        if (side) Object.assign(this.holds.orbit, { azimuth: radians(-80), elevation: radians(8) });
        for (const each of ["orbit", "top"] as const) {
            const hold = this.holds[each];
            hold.following = false;
            this.setMode(each);
            box.getCenter(hold.target);
            if (!raised) hold.target.setZ(0);
            this.fitDistance(box);
            hold.following = following;
            // Bodies that stay together stay in view together.
            hold.beside.set(0, 0, 0);
            if (this.body) this.body.getWorldPosition(hold.beside).sub(hold.target).setZ(0).negate();
        }
        this.holds.chase.distance = Math.max(5 * bodySize, 4 * NEAREST);
        this.touched = false;
        this.setMode(mode);
    }

    // The least distance at which all corners are in view, by halving.
    private fitDistance(box: Box3): void {
        const hold = this.holds[this.mode];
        let low = NEAREST;
        let high = FARTHEST;
        for (let k = 0; k < 40; k++) {
            hold.distance = Math.sqrt(low * high);
            this.place();
            if (this.sees(box)) high = hold.distance;
            else low = hold.distance;
        }
        hold.distance = high;
        this.place();
    }

    private sees(box: Box3): boolean {
        const { min, max } = box;
        for (let corner = 0; corner < 8; corner++) {
            this.at.set(
                corner & 1 ? max.x : min.x,
                corner & 2 ? max.y : min.y,
                corner & 4 ? max.z : min.z,
            );
            this.at.applyMatrix4(this.camera.matrixWorldInverse);
            if (this.at.z > -this.camera.near) return false;
            this.at.applyMatrix4(this.camera.projectionMatrix);
            if (Math.abs(this.at.x) > FIT || Math.abs(this.at.y) > FIT) return false;
        }
        return true;
    }

    // ---- following ---------------------------------------------------------------------------------

    follow(body: Object3D | null): void {
        this.body = body;
        this.heading = NaN;
        this.touched = true;
        for (const hold of [this.holds.orbit, this.holds.top]) {
            hold.following = true;
            hold.beside.set(0, 0, 0);
            if (body) body.getWorldPosition(hold.target).setZ(0);
        }
        this.update();
    }

    // After the frames; true: the camera is still on its way.
    update(): boolean {
        let moving = false;
        if (this.body && this.mode === "chase") moving = this.chase(this.body);
        else if (this.body && this.holds[this.mode].following) this.drag(this.body);
        this.place();
        return moving;
    }

    private chase(body: Object3D): boolean {
        body.getWorldPosition(this.holds.chase.target);
        // Where its x axis points, as seen from above.
        this.ahead.setFromMatrixColumn(body.matrixWorld, 0);
        const heading = Math.atan2(this.ahead.y, this.ahead.x);
        const now = performance.now();
        const passed = now - this.chasedAt;
        this.chasedAt = now;
        if (Number.isNaN(this.heading) || passed > 1000) {
            this.heading = heading;
            return false;
        }
        const rest = Math.atan2(Math.sin(heading - this.heading), Math.cos(heading - this.heading));
        this.heading += rest * (1 - Math.exp(-passed / CHASE_TIME_MS));
        return Math.abs(rest) > 0.002;
    }

    // The target comes along on a leash: a robot on a field that is all in view moves nothing.
    private drag(body: Object3D): void {
        const { beside } = this.holds[this.mode];
        const half = Math.min(this.width, this.height) / 2 / this.metre; // the view, at the target [m]
        const most = (FIT - SHORTEST_LEASH) * half; // from near, the body itself must stay in view
        const part = Math.min(most / (beside.length() || 1), 1);
        const leash = clamp(FIT * half - part * beside.length(), 0, LEASH * half);
        body.getWorldPosition(this.at).setZ(0).addScaledVector(beside, part);
        const away = this.at.distanceTo(this.target);
        if (away > leash) this.target.lerp(this.at, 1 - leash / away);
    }

    private place(): void {
        const { azimuth, elevation, distance } = this.holds[this.mode];
        const chase = this.mode === "chase";
        const a = chase ? (this.heading || 0) + Math.PI + azimuth : azimuth;
        const e = elevation;
        const { camera, target } = this;
        camera.position.set(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
        camera.position.multiplyScalar(distance).add(target);
        // Up is where the elevation grows: it is never along the view, not even straight down.
        camera.up.set(-Math.sin(e) * Math.cos(a), -Math.sin(e) * Math.sin(a), Math.cos(e));
        camera.lookAt(target);
        camera.near = distance / 50;
        camera.far = distance * 60;
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld(true);
    }

    // ---- by hand -----------------------------------------------------------------------------------

    turn(dx: number, dy: number): void {
        if (this.mode === "top") return this.pan(dx, dy);
        this.touched = true;
        const hold = this.holds[this.mode];
        hold.azimuth -= dx * TURN_PER_PX;
        hold.elevation = clamp(hold.elevation + dy * TURN_PER_PX, LOWEST, STRAIGHT_DOWN);
        this.place();
    }

    // The floor goes along with the pointer.
    pan(dx: number, dy: number): void {
        if (this.mode === "chase") return this.turn(dx, dy);
        this.touched = true;
        const hold = this.holds[this.mode];
        const { azimuth, elevation } = hold;
        const right = -dx / this.metre;
        const ahead = dy / this.metre / Math.max(Math.sin(elevation), 0.25);
        this.target.x += -Math.sin(azimuth) * right - Math.cos(azimuth) * ahead;
        this.target.y += Math.cos(azimuth) * right - Math.sin(azimuth) * ahead;
        hold.following = false;
        this.place();
    }

    zoom(factor: number): void {
        this.touched = true;
        const hold = this.holds[this.mode];
        hold.distance = clamp(hold.distance * factor, NEAREST, FARTHEST);
        this.place();
    }

    lookAt(point: Vector3): void {
        if (this.mode === "chase") return;
        this.touched = true;
        this.target.copy(point).setZ(0);
        this.holds[this.mode].following = false;
        this.place();
    }
}
