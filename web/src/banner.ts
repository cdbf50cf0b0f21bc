// banner.ts: what nobody should miss: breaker trips, brownouts, failed expectations, overruns and
// failures. They have a place of their own beside the tools, on a small screen a row above the scene, and
// hide nothing. At most three at a time, each whole. What happens again, and all that happens to
// the same breaker or the same supply, is one notice with a count, changed where it stands.

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

/** What a notice says. */
export interface News {
    level: Level;
    text: string;
    times: number;
    now: string; // what it has come to since, of a mode; "": it is still as it says
}

const RANKS: Record<Level, number> = { info: 0, warning: 1, error: 2 };

/** Lines with the same subject are one notice: all stages of a brownout, the same line again. */
export function subjectOf(item: LogItem): string {
    return item.times ? `mode ${item.signal}` : newsOf(item);
}

/** What a notice says after one more line. Of a mode the worst that has happened stays. */
export function newsAfter(before: News | undefined, item: LogItem): News {
    const level = levelOf(item.level);
    if (!item.times) return { level, text: item.text, times: (before?.times ?? 0) + 1, now: "" };
    if (before && RANKS[level] < RANKS[before.level]) return { ...before, now: item.text };
    return { level, text: item.text, times: item.times, now: "" };
}

export function newsText({ text, times }: News): string {
    return times > 1 ? `${text}, ${times} times` : text;
}

interface Notice {
    subject: string;
    news: News;
    run: number; // of the last time
    time: number;
    past: boolean; // it was there before this page
    element: HTMLElement;
    text: HTMLElement;
    now: HTMLElement;
    timer: ReturnType<typeof setTimeout> | undefined;
}

class Banner {
    private notices: Notice[] = [];

    constructor(
        private app: App,
        private element: HTMLElement,
    ) {
        app.link.on("log", ({ items, past }) => {
            for (const item of items) {
                const wanted = past ? stillStands(item) : isUrgent(item) || this.find(item);
                if (wanted) this.show(item, past);
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
            this.notices.map(({ news, text, now }) => ({
                text: text.textContent,
                now: now.textContent,
                count: news.times,
            }));
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

    private find(item: LogItem): Notice | undefined {
        const subject = subjectOf(item);
        return this.notices.find((notice) => notice.subject === subject);
    }

    private show(item: LogItem, past: boolean): void {
        const known = this.find(item);
        const news = newsAfter(known?.news, item);
        const notice = known ?? this.add(subjectOf(item), news);
        Object.assign(notice, { news, run: item.run, time: item.time, past });
        notice.element.className = `notice ${news.level}`;
        notice.element.setAttribute("role", news.level === "error" ? "alert" : "status");
        setText(notice.text, addressed(newsText(news), this.app.hello.you));
        setText(notice.now, news.now && `now: ${news.now}`);
        clearTimeout(notice.timer);
        const stays = STAYS_MS[news.level];
        if (stays !== Infinity) notice.timer = setTimeout(() => this.remove(notice), stays);
        this.makeRoom(notice);
    }

    private add(subject: string, news: News): Notice {
        while (this.notices.length >= MOST) this.remove(this.leastUrgent(this.notices)!);
        const text = make("span", { "data-test": "notice-text" });
        const now = make("span", { class: "notice-now", "data-test": "notice-now" });
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
        const words = make("span", { class: "notice-text" }, text, now);
        const element = make("div", { "data-test": "notice" }, words, close);
        const parts = { element, text, now, timer: undefined };
        const notice: Notice = { subject, news, run: 0, time: 0, past: false, ...parts };
        close.addEventListener("click", () => this.remove(notice));
        this.notices.push(notice);
        this.element.append(element);
        return notice;
    }

    // The bar has a fixed height, so that the scene below it stays where it is. Where the notices do
    // not fit, those that matter less than the new one go; what is still too long is scrolled.
    private makeRoom(fresh: Notice): void {
        const isFull = () =>
            this.notices.some(({ text }) => {
                const words = text.parentElement!;
                return words.scrollHeight > words.clientHeight + 1;
            });
        while (isFull()) {
            const others = this.notices.filter(
                (notice) => notice !== fresh && RANKS[notice.news.level] <= RANKS[fresh.news.level],
            );
            const least = this.leastUrgent(others);
            if (!least) return;
            this.remove(least);
        }
    }

    // The oldest of the lowest level.
    private leastUrgent(notices: readonly Notice[]): Notice | undefined {
        return notices.find((notice) => notice.news.level !== "error") ?? notices[0];
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
