// inputs.ts: a robot's inputs beside the drive: switches and buttons as such, numbers as sliders.

import { dotted, make, segments, setText } from "./dom";
import { Driver } from "./driver";
import { InputInfo } from "./protocol";
import { formatted, niceStep, ShownUnit, shownUnit } from "./quantity";

export interface InputControl {
    element: HTMLElement;
    show(): void;
}

export function createInput(driver: Driver, input: InputInfo, people: boolean): InputControl {
    if (input.button) return createButton(driver, input);
    return input.words && input.words.length > 0
        ? createSwitch(driver, input, input.words)
        : createSlider(driver, input, shownUnit(input.unit, people));
}

function createButton(driver: Driver, input: InputInfo): InputControl {
    const button = make(
        "button",
        { type: "button", id: `input-${input.name}`, onclick: () => driver.press(input) },
        "Press",
    );
    const element = make(
        "div",
        { class: "input-row", title: input.sentence },
        make("span", { class: "input-name" }, dotted(input.name)),
        button,
    );
    const down = () => driver.otherValue(input) !== input.neutral;
    return { element, show: () => button.setAttribute("aria-pressed", String(down())) };
}

// The value of a word is its place in the list.
function createSwitch(driver: Driver, input: InputInfo, words: string[]): InputControl {
    const options = words.map((word, i) => ({ value: String(i), text: word }));
    const now = () => String(Math.round(driver.otherValue(input)));
    const buttons = segments(input.name, `input-${input.name}`, options, now(), (value) =>
        driver.setOther(input, Number(value)),
    );
    const element = make(
        "div",
        { class: "input-row", title: input.sentence },
        make("span", { class: "input-name" }, dotted(input.name)),
        buttons.element,
    );
    return { element, show: () => buttons.choose(now()) };
}

function createSlider(driver: Driver, input: InputInfo, unit: ShownUnit): InputControl {
    const value = make("output", { class: "drive-number" });
    const slider = make("input", {
        type: "range",
        id: `input-${input.name}`,
        min: input.low * unit.factor,
        max: input.high * unit.factor,
        step: niceStep((input.high - input.low) * unit.factor),
        "aria-label": `${input.name}, ${unit.text}`,
        oninput: () => driver.setOther(input, Number(slider.value) / unit.factor),
    });
    const element = make(
        "label",
        { class: "input-row", title: input.sentence },
        make("span", { class: "input-name" }, dotted(input.name)),
        slider,
        value,
    );
    const show = () => {
        const shown = driver.otherValue(input) * unit.factor;
        if (!slider.matches(":active")) slider.value = String(shown);
        setText(value, `${formatted(shown)} ${unit.text}`.trim());
    };
    show();
    return { element, show };
}
