// dom.ts: makes elements. Text always goes in as text, never as HTML: names and sentences may come
// from a recording of somebody else.

type Attribute = string | number | boolean | ((event: never) => void) | undefined;

// Attributes by name; `true` sets an empty one, `false` leaves it out; "onclick" and the like take
// a function.
export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, Attribute> = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") {
            element.addEventListener(name.slice(2), value as EventListener);
        } else if (value === true) {
            element.setAttribute(name, "");
        } else if (value !== false && value !== undefined) {
            element.setAttribute(name, String(value));
        }
    }
    element.append(...children);
    return element;
}

/** Writes only what differs: most texts stay the same from frame to frame. */
export function setText(element: Element, text: string): void {
    if (element.textContent !== text) element.textContent = text;
}

/** A name that may break after its dots and underscores. */
export function dotted(name: string): DocumentFragment {
    const fragment = document.createDocumentFragment();
    for (const part of name.match(/[^._]+[._]*|[._]+/g) ?? []) {
        fragment.append(part, document.createElement("wbr"));
    }
    return fragment;
}

/** Buttons of which one is chosen; `choose` marks another one from outside. */
export interface Segments {
    element: HTMLElement;
    choose(value: string): void;
}

export function segments(
    label: string,
    id: string,
    options: readonly { value: string; text: string; title?: string }[],
    chosen: string,
    onChoose: (value: string) => void,
): Segments {
    const element = make("div", { class: "segments", role: "group", "aria-label": label, id });
    const buttons = options.map((option) => {
        const button = make(
            "button",
            {
                type: "button",
                "data-test": `${id}-${option.value}`,
                title: option.title,
                onclick: () => {
                    choose(option.value);
                    onChoose(option.value);
                },
            },
            option.text,
        );
        element.append(button);
        return button;
    });
    const choose = (value: string) => {
        options.forEach((option, i) =>
            buttons[i]!.setAttribute("aria-pressed", String(option.value === value)),
        );
    };
    choose(chosen);
    return { element, choose };
}
