// theme.ts: light, dark, or as the system has it. The colours themselves are in style.css.

import { Settings } from "./app";

const CHOICES = ["system", "light", "dark"] as const;
const WORDS = { system: "Auto", light: "Light", dark: "Dark" };
const listeners = new Set<() => void>();

// A colour of the theme in use, as in style.css: themeColour("--text").
export function themeColour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function isDark(): boolean {
    return document.documentElement.dataset.theme === "dark";
}

// For what is drawn and not styled: the scene and the charts take new colours then.
export function onTheme(listener: () => void): void {
    listeners.add(listener);
}

export function mountTheme(settings: Settings, button: HTMLElement): void {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
        const choice = settings.get("theme");
        const dark = choice === "dark" || (choice !== "light" && system.matches);
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        button.textContent = WORDS[choice];
        button.title = "Theme: as the system has it, light or dark (T)";
        button.setAttribute("aria-label", `Theme: ${choice}. Change`);
        for (const listener of listeners) listener();
    };
    button.addEventListener("click", () => nextTheme(settings));
    system.addEventListener("change", apply);
    settings.onChange((key) => {
        if (key === "theme") apply();
    });
    apply();
}

export function nextTheme(settings: Settings): void {
    const at = CHOICES.indexOf(settings.get("theme"));
    settings.set("theme", CHOICES[(at + 1) % CHOICES.length]!);
}
