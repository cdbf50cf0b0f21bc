// banner.ts: what nobody should miss: breaker trips, brownouts, failed expectations, overruns and
// failures, over the scene. At most three at a time; the same again is counted, not stacked.

import { App } from "./app";
import { make, setText } from "./dom";
import { levelOf } from "./messages";
import { Level, LogItem } from "./protocol";

const MOST = 3;
const STAYS_MS: Record<Level, number> = { info: 5000, warning: 8000, error: Infinity };
const HISTORY_MS = 500; // what comes so soon after the greeting happened before

const ALWAYS = ["breaker", "brownout", "overrun", "failure"];
const SELDOM = ["contact", "limit", "state", "change"]; // ordinary driving: the log has them

/** Does this line of the log belong on the banner? */
export function isUrgent(item: LogItem): boolean {
    const level = levelOf(item.level);
    if (level === "error" || ALWAYS.includes(item.kind)) return true;
    return level === "warning" && !SELDOM.includes(item.kind);
}

// Two lines that differ only in their figures are the same news.
export function newsOf(item: LogItem): string {
    return `${item.level} ${item.kind} ${item.text.replace(/[-+]?\d+(\.\d+)?(e[-+]?\d+)?/gi, "#")}`;
}

interface Notice {
    news: string;
    level: Level;
    count: number;
    element: HTMLElement;
    text: HTMLElement;
    times: HTMLElement;
    timer: ReturnType<typeof setTimeout> | undefined;
}

class Banner {
    private notices: Notice[] = [];
    private greetedAt = performance.now();

    constructor(
        app: App,
        private element: HTMLElement,
    ) {
        element.classList.add("banner");
        app.link.on("hello", () => (this.greetedAt = performance.now()));
        app.link.on("log", ({ items }) => {
            const old = performance.now() - this.greetedAt < HISTORY_MS;
            const last = items[items.length - 1]?.run ?? 0;
            for (const item of items) {
                // Of the past only what still stands: errors of this very run.
                if (old && (levelOf(item.level) !== "error" || item.run !== last)) continue;
                if (isUrgent(item)) this.show(item);
            }
        });
        // A new run begins with a clean slate; so does going back in a recording.
        let [run, time] = [0, 0];
        app.store.onFrame(({ frame }) => {
            const anew = run !== 0 && (frame.run !== run || frame.time < time);
            if (anew) this.notices.slice().forEach((notice) => this.remove(notice));
            [run, time] = [frame.run, frame.time];
        });
        app.probes.banner = () =>
            this.notices.map((n) => ({ text: n.text.textContent, count: n.count }));
    }

    private show(item: LogItem): void {
        const news = newsOf(item);
        const known = this.notices.find((notice) => notice.news === news);
        const notice = known ?? this.add(news, levelOf(item.level));
        if (known) known.count++;
        setText(notice.text, item.text);
        setText(notice.times, notice.count > 1 ? `\u00d7${notice.count}` : "");
        clearTimeout(notice.timer);
        const stays = STAYS_MS[notice.level];
        if (stays !== Infinity) notice.timer = setTimeout(() => this.remove(notice), stays);
    }

    private add(news: string, level: Level): Notice {
        while (this.notices.length >= MOST) this.remove(this.leastUrgent());
        const text = make("span", { class: "notice-text" });
        const times = make("span", { class: "notice-count" });
        const close = make(
            "button",
            {
                type: "button",
                class: "small quiet",
                "aria-label": "dismiss",
                "data-test": "dismiss",
            },
            "\u00d7",
        );
        const element = make(
            "div",
            {
                class: `notice ${level}`,
                role: level === "error" ? "alert" : "status",
                "data-test": "notice",
            },
            text,
            times,
            close,
        );
        const notice: Notice = { news, level, count: 1, element, text, times, timer: undefined };
        close.addEventListener("click", () => this.remove(notice));
        this.notices.push(notice);
        this.element.append(element);
        return notice;
    }

    // The oldest of the lowest level makes room.
    private leastUrgent(): Notice {
        const passing = this.notices.find((notice) => notice.level !== "error");
        return passing ?? this.notices[0]!;
    }

    private remove(notice: Notice): void {
        clearTimeout(notice.timer);
        notice.element.remove();
        this.notices = this.notices.filter((other) => other !== notice);
    }
}

export function mountBanner(app: App, element: HTMLElement): void {
    new Banner(app, element);
}
