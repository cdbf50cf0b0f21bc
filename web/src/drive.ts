// drive.ts: the panel for driving: who drives, what is asked for, which key or axis does what, and
// the robot's other inputs. A robot without a drive, such as a cylinder on a bench, has only these.

import { App } from "./app";
import { openCalibration } from "./calibration";
import { make, segments, setText } from "./dom";
import { Driver, DriveState } from "./driver";
import { sourceKey, sourceText } from "./gamepad";
import { createInput, InputControl } from "./inputs";
import { driveKeys } from "./keyboard";
import { keyName } from "./keys";
import { ProfileName, scaled } from "./profiles";
import { InputInfo } from "./protocol";
import { formatted, shownUnit } from "./quantity";
import { createStick, Stick } from "./stick";

class DrivePanel {
    private driver: Driver;
    private badge = make("output", {
        class: "drive-badge",
        id: "drive-state",
        "aria-live": "polite",
    });
    private why = make("p", { class: "hint", id: "drive-why" });
    private button: HTMLButtonElement;
    private bars = make("div", { class: "drive-bars" });
    private driving: HTMLElement[] = []; // what only a robot with a drive has
    private others = make("div", { class: "drive-others" });
    private map = make("div", { class: "drive-map", id: "drive-map" });
    private padName = make("span", { class: "hint" });
    private calibrate: HTMLButtonElement;
    private stick: Stick;
    private turnStick: Stick;
    private profiles = make("div", {});
    private barOf = new Map<InputInfo, { fill: HTMLElement; value: HTMLElement }>();
    private controls: InputControl[] = [];
    private wiredFor = -1;
    private mappedFor = "";
    private asked = false;

    constructor(
        private app: App,
        element: HTMLElement,
    ) {
        this.driver = new Driver(app);
        this.button = make("button", {
            type: "button",
            id: "drive-button",
            class: "primary",
            onclick: () => this.press(),
        });
        this.calibrate = make(
            "button",
            { type: "button", id: "calibrate", onclick: () => openCalibration(this.driver) },
            "Calibrate\u2026",
        );
        this.stick = createStick(
            "drive-stick",
            "stick: drag to drive; by keyboard use W A S D",
            (up, right) => {
                this.driver.stick = { up, right };
                this.driver.engage();
            },
            () => (this.driver.stick = null),
        );
        this.turnStick = createStick(
            "drive-turn-stick",
            "stick: drag sideways to turn; by keyboard use Q and E",
            (_, right) => {
                this.driver.turnStick = { right };
                this.driver.engage();
            },
            () => (this.driver.turnStick = null),
        );
        element.classList.add("drive");
        element.append(...this.build());
        this.listen();
        this.show();
    }

    // ---- building ------------------------------------------------------------------------------

    private build(): HTMLElement[] {
        const head = make(
            "div",
            { class: "drive-head" },
            make("div", { class: "drive-status" }, this.badge, this.why),
            ...this.robotChoice(),
            this.button,
        );
        const main = make(
            "div",
            { class: "drive-main" },
            this.stick.element,
            this.turnStick.element,
            this.bars,
        );
        const controls = make(
            "section",
            { class: "drive-controls" },
            make("h2", {}, "What does what"),
            make("div", { class: "drive-profile" }, this.profiles, this.calibrate),
            this.padName,
            this.map,
        );
        const power = this.powerChoice();
        this.driving = [main, power, controls];
        return [head, main, power, this.others, controls];
    }

    private robotChoice(): HTMLElement[] {
        const robots = this.driver.robots();
        if (robots.length < 2) return [];
        const select = make("select", {
            id: "drive-robot",
            "aria-label": "robot to drive",
            onchange: () => {
                this.driver.chooseRobot(Number(select.value));
                select.blur(); // or it would keep the driving keys for itself
            },
        });
        for (const robot of robots) {
            const name = this.app.hello.robots[robot]?.name || `robot ${robot + 1}`;
            select.append(make("option", { value: robot }, name));
        }
        return [select];
    }

    private profileChoice(): HTMLElement {
        const options = this.driver
            .profiles()
            .map((p) => ({ value: p.name, text: p.label, title: p.sentence }));
        const chosen = this.driver.profile.name;
        const choose = (name: string) => this.driver.chooseProfile(name as ProfileName);
        return segments("controller profile", "drive-profile", options, chosen, choose).element;
    }

    private powerChoice(): HTMLElement {
        const value = make("output", { class: "drive-number" });
        const slider = make("input", {
            type: "range",
            id: "drive-limit",
            min: 0.1,
            max: 1,
            step: 0.05,
            value: this.driver.limit,
            oninput: () => {
                this.driver.setLimit(Number(slider.value));
                show();
            },
        });
        const show = () => setText(value, `${Math.round(100 * this.driver.limit)} %`);
        show();
        return make(
            "label",
            { class: "input-row", title: "share of full power that full deflection asks for" },
            make("span", { class: "input-name" }, "full power"),
            slider,
            value,
        );
    }

    // The bars and the other inputs of the robot that is chosen.
    private wire(): void {
        this.wiredFor = this.driver.robot;
        const { drives, sideways } = this.driver.wiring;
        for (const element of this.driving) element.hidden = !drives;
        this.turnStick.element.hidden = !sideways;
        for (const { element } of [this.stick, this.turnStick])
            element.classList.toggle("beside", sideways);
        const several = this.driver.profiles().length > 1;
        this.profiles.replaceChildren(...(several ? [this.profileChoice()] : []));
        this.barOf.clear();
        this.bars.replaceChildren();
        for (const { input } of this.driver.wiring.main) {
            const fill = make("div", { class: "drive-fill" });
            const value = make("output", {
                class: "drive-number",
                "data-test": `drive-${input.name}`,
            });
            this.barOf.set(input, { fill, value });
            this.bars.append(
                make("span", { class: "input-name", title: input.sentence }, input.name),
                make("div", { class: "drive-bar" }, fill),
                value,
            );
        }
        const people = this.app.settings.get("people");
        this.controls = this.driver.wiring.others.map((input) =>
            createInput(this.driver, input, people),
        );
        this.others.replaceChildren(...this.controls.map((control) => control.element));
        if (this.controls.length > 0)
            this.others.prepend(make("h2", {}, drives ? "Other inputs" : "Inputs"));
    }

    private fillMap(): void {
        const { driver } = this;
        const { pad, mapping, profile } = driver;
        const rows: [string, string][] = driveKeys(driver.wiring.sideways).map((key) => [
            key.keys.map(keyName).join(" or "),
            key.sentence,
        ]);
        rows.push(["Esc", "let go: neutral"]);
        const padRows: [string, string][] = profile.functions.map((fn) => {
            const source = mapping?.sources[sourceKey(profile.name, fn.key)];
            return [source ? sourceText(source, pad?.mapping === "standard") : "", fn.label];
        });
        if (pad) padRows.push(["any button", "start driving"]);
        this.map.replaceChildren(
            pad ? table(`Controller, ${profile.label.toLowerCase()}`, padRows) : "",
            table("Keyboard", rows),
        );
        setText(
            this.padName,
            pad
                ? `${pad.id.replace(/\s*\(.*\)/, "")}: ${profile.sentence}`
                : "No controller: plug one in and press a button on it.",
        );
        this.calibrate.disabled = !pad;
    }

    // ---- showing -------------------------------------------------------------------------------

    private listen(): void {
        this.driver.onChange(() => this.ask());
        this.app.settings.onChange((key) => {
            if (key === "people") this.wire();
        });
        const keys = driveKeys(this.driver.wiring.sideways);
        this.app.keys.add(...(this.driver.canDrive() ? keys : []), {
            keys: ["Escape"],
            group: "Driving",
            sentence: "let go: neutral",
            when: () => this.driver.engaged,
            run: () => this.driver.letGo("you let go"),
        });
        this.app.probes.drive = () => ({
            state: this.driver.state(),
            robot: this.driver.robot,
            means: this.driver.means,
            profile: this.driver.profile.name,
            ...this.driver.demand,
        });
    }

    private press(): void {
        const state = this.driver.state();
        if (state === "driving") this.driver.letGo("you let go");
        else if (state === "taken") this.driver.takeOver();
        else this.driver.engage();
    }

    private ask(): void {
        if (this.asked) return;
        this.asked = true;
        requestAnimationFrame(() => {
            this.asked = false;
            this.show();
        });
    }

    private show(): void {
        const { driver } = this;
        if (this.wiredFor !== driver.robot) this.wire();
        const mapping = JSON.stringify([
            driver.pad?.id,
            driver.profile.name,
            driver.wiring.sideways,
            driver.mapping?.sources,
        ]);
        if (mapping !== this.mappedFor) {
            this.mappedFor = mapping;
            this.fillMap();
        }
        this.showState(driver.state());
        for (const { input, of } of driver.wiring.main) {
            const bar = this.barOf.get(input)!;
            const share = of(driver.demand);
            const unit = shownUnit(input.unit, this.app.settings.get("people"));
            bar.fill.style.transform = `scaleX(${share.toFixed(4)})`;
            const shown = formatted(scaled(share, input) * unit.factor);
            setText(bar.value, `${shown} ${unit.text}`.trim());
        }
        const { throttle, aside, turn } = driver.demand;
        this.stick.show(throttle, driver.wiring.sideways ? aside : -turn);
        this.turnStick.show(0, -turn);
        for (const control of this.controls) control.show();
    }

    private showState(state: DriveState): void {
        const { driver } = this;
        const { drives } = driver.wiring;
        const texts: Record<DriveState, [string, string, string]> = {
            none: ["Nothing to drive", "This run takes no input from the viewer.", "Drive"],
            neutral: drives
                ? ["Neutral", "click or press a key (W A S D) to drive", "Drive"]
                : ["No drive", "this robot has none: set its inputs below", "Set inputs"],
            driving: drives
                ? ["Driving", `by ${WORDS[driver.means]}; Esc lets go`, "Let go"]
                : ["Inputs are yours", "move a slider; Esc lets go", "Let go"],
            taken: [
                `Client ${driver.otherDriver()} drives`,
                "only one can drive at a time",
                "Take over",
            ],
        };
        const [badge, why, button] = texts[state];
        const reason = state !== "driving" && driver.reason ? `${driver.reason}; ` : "";
        this.badge.dataset.state = state;
        setText(this.badge, badge);
        setText(this.why, reason + why);
        setText(this.button, button);
        this.button.disabled = state === "none";
        for (const { element } of [this.stick, this.turnStick]) {
            element.classList.toggle("held", state === "driving");
            element.classList.toggle("off", state === "taken" || state === "none");
        }
        document.getElementById("tab-drive")?.classList.toggle("driving", state === "driving");
    }
}

const WORDS = { keys: "keyboard", gamepad: "controller", stick: "the stick on the screen" };

function table(title: string, rows: [string, string][]): HTMLElement {
    const list = make("dl", {});
    for (const [what, does] of rows) list.append(make("dt", {}, what), make("dd", {}, does));
    return make("div", {}, make("h3", {}, title), list);
}

export function mountDrive(app: App, element: HTMLElement): void {
    new DrivePanel(app, element);
}
