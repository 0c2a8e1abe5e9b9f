/** What the status says of acting alone, in the page's language: how far it has come, and what happened meanwhile. */

import { span } from "../format.js";
import { t } from "../words.js";
import { hubClock } from "../zones.js";

/** @typedef {import("../types").AwaySummary} AwaySummary */
/** @typedef {import("../types").CrossPollStatus} CrossPollStatus */

/** The person’s own answers are left out: they know of them, and yesterday’s are counted by the day beside this. @type {("alone" | "failed" | "made" | "finished" | "pairs" | "waiting")[]} */
const COUNTED = ["alone", "failed", "made", "finished", "pairs", "waiting"];

/** @type {("tasks" | "done" | "failed" | "approved" | "rejected")[]} */
const YESTERDAY = ["tasks", "done", "failed", "approved", "rejected"];

/**
 * @param {AwaySummary} away
 * @returns {string} what happened while the person was away, empty for nothing but their own answers: `While you were away (2 h): 1 thing done alone, 3 waiting.`
 */
export function awayIn(away) {
  const listed = COUNTED.filter((name) => away[name]).map((name) => t(`away.${name}`, { count: away[name] }));
  if (!listed.length) return "";
  return t("away.says", { time: span(Date.parse(away.until) - Date.parse(away.since)), listed: listed.join(", ") });
}

/**
 * @param {import("../types").DaySummary} day
 * @returns {string} what the day brings, a line for each thing, and what yesterday has brought
 */
export function dayIn(day) {
  const lines = day.entries.map(({ kind, title, time }) => {
    if (kind === "overdue") return t("day.overdue", { title });
    const said = time ? `${hubClock(time)}  ${title}` : t("day.all-day", { title });
    return kind === "tomorrow" ? t("day.tomorrow", { said }) : said;
  });
  if (day.more) lines.push(t("day.more", { count: day.more }));
  const listed = YESTERDAY.filter((name) => day[name]).map((name) => t(`day.${name}`, { count: day[name] }));
  if (listed.length) lines.push(t("day.yesterday", { listed: listed.join(", ") }));
  return [t("day.title"), ...lines].join("\n");
}

/**
 * @param {CrossPollStatus} status
 * @returns {string} how far Pulse has come in acting alone, and what comes next
 */
export function progressIn({ progress, autonomous, grants }) {
  if (!progress) return "";
  const { phase, left, needed, row, allowed } = progress;
  if (phase === "trusted") return [t("alone.allowed", { count: allowed }), autonomous ? "" : t("alone.off")].join(" ").trim();
  const asks = grants ? t("alone.asks-else", { count: grants }) : t("alone.asks");
  if (phase === "new") return `${asks} ${t("alone.left", { count: left })}`;
  if (!needed) return `${asks} ${t("alone.never")}`;
  return `${asks} ${row ? t("alone.row", { needed, row }) : t("alone.needed", { needed })}`;
}
