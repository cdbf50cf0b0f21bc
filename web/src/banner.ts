// banner.ts: what nobody should miss: breaker trips, brownouts, failed expectations, overruns and
// failures. Over the scene, or on a small screen above it, where they hide no robot. At most three at a
// time, each whole; the same again is counted, not stacked.

import { App } from "./app";
import { make, setText } from "./dom";
import { addressed, levelOf } from "./messages";
import { Level, LogItem } from "./protocol";
import { Jump } from "./store";

const MOST = 3;
const STAYS_MS: Record<Level, number> = { info: 5000, warning: 8000, error: Infinity };

const ALWAYS = ["breaker", "brownout", "overrun", "failure"];
const SELDOM = ["contact", "limit", "state", "change"]; // ordinary driving: the log has them

/** Does this line of the log belong on the banner? */
export function isUrgent(item: LogItem): boolean {
    const level = levelOf(item.level);
    if (level === "error" || ALWAYS.includes(item.kind)) return true;
    return level === "warning" && !SELDOM.includes(item.kind);
}

/** Of what happened before this page came: does it still hold? A run that has failed has; events have
 * passed, and the log has them. */
export function stillStands(item: LogItem): boolean {
    return item.kind === "failure";
}

// Two lines that differ only in their figures are the same news.
export function newsOf(item: LogItem): string {
    return `${item.level} ${item.kind} ${item.text.replace(/[-+]?\d+(\.\d+)?(e[-+]?\d+)?/gi, "#")}`;
}

interface Notice {
    news: string;
    level: Level;
    count: number;
    run: number; // of the last time
    time: number;
    past: boolean; // it was there before this page
    element: HTMLElement;
    text: HTMLElement;
    times: HTMLElement;
    timer: ReturnType<typeof setTimeout> | undefined;
}

class Banner {
    private notices: Notice[] = [];

    constructor(
        private app: App,
        private element: HTMLElement,
    ) {
        element.classList.add("banner");
        app.link.on("log", ({ items, past }) => {
            for (const item of items) {
                if (past ? stillStands(item) : isUrgent(item)) this.show(item, past);
            }
        });
        // The failure of a run that was reset before this page came stands no more.
        app.store.onStatus(({ run }) =>
            this.removeAll((notice) => notice.past && notice.run < run),
        );
        app.store.onJump((jump) => this.leave(jump));
        // The server tells again what still stands after a reconnect.
        app.link.on("hello", (hello) => {
            if (hello !== app.hello) this.removeAll(() => true);
        });
        app.probes.banner = () =>
            this.notices.map((n) => ({ text: n.text.textContent, count: n.count }));
    }

    // A new run begins with a clean slate, but its own first news may be here before its first frame.
    // Going back in a recording takes away what has not happened yet.
    private leave(jump: Jump): void {
        const { run, time } = this.app.store;
        if (jump === "run") this.removeAll((notice) => notice.run !== run);
        if (jump === "seek") this.removeAll((notice) => notice.run !== run || notice.time > time);
    }

    private removeAll(which: (notice: Notice) => boolean): void {
        for (const notice of this.notices.filter(which)) this.remove(notice);
    }

    private show(item: LogItem, past: boolean): void {
        const news = newsOf(item);
        const known = this.notices.find((notice) => notice.news === news);
        const notice = known ?? this.add(news, levelOf(item.level));
        notice.count++;
        notice.run = item.run;
        notice.time = item.time;
        notice.past = past;
        setText(notice.text, addressed(item.text, this.app.hello.you));
        setText(notice.times, notice.count > 1 ? `\u00d7${notice.count}` : "");
        clearTimeout(notice.timer);
        const stays = STAYS_MS[notice.level];
        if (stays !== Infinity) notice.timer = setTimeout(() => this.remove(notice), stays);
    }

    private add(news: string, level: Level): Notice {
        while (this.notices.length >= MOST) this.remove(this.leastUrgent());
        const text = make("span", { class: "notice-text", "data-test": "notice-text" });
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
        const parts = { element, text, times, timer: undefined };
        const notice: Notice = { news, level, count: 0, run: 0, time: 0, past: false, ...parts };
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
