/** Above the timeline: the sessions now, the last days in figures, and what presses; each only where there is something. */

import { get } from "../api.js";
import { h, icon, replace } from "../dom.js";
import { number, percent } from "../format.js";
import { t } from "../words.js";
import { groupOf } from "./sessions-model.js";
import { pressing } from "./drives-model.js";

/** @typedef {import("../types").WorldSessionView} WorldSessionView */
/** @typedef {import("../types").InsightAnswer} InsightAnswer */
/** @typedef {import("../types").DrivesView} DrivesView */

const DAYS = 30;
const SHARE_FROM = 10;

/**
 * Read and draw; what cannot be read is left out, for the timeline says that the hub is away.
 * @param {HTMLElement} root
 * @param {readonly WorldSessionView[]} sessions
 */
export async function drawOverview(root, sessions) {
  const [insight, drives] = await Promise.all([get(`/insight?days=${DAYS}`).catch(() => null), get("/drives").catch(() => null)]);
  const tiles = [sessionsTile(sessions), insight && trendsTile(insight), drives && drivesTile(drives)].filter((one) => one !== null);
  const isAsShown = tiles.length === root.childElementCount && tiles.every((one, at) => one.isEqualNode(root.children[at]));
  if (!isAsShown) replace(root, ...tiles);
}

/** @param {readonly WorldSessionView[]} sessions */
function sessionsTile(sessions) {
  if (!sessions.length) return null;
  const count = (/** @type {string} */ group) => sessions.filter((one) => groupOf(one) === group).length;
  const [failed, active] = [count("failed"), count("active")];
  return tile("sessions", failed ? t("activity.need-you", { count: failed }) : t("activity.working", { count: active }), failed ? t("activity.working", { count: active }) : t("sessions.count", { count: sessions.length }), failed ? "bad" : "");
}

/** @param {InsightAnswer} insight */
function trendsTile({ days }) {
  const total = (/** @type {"approved" | "rejected" | "executed" | "failed" | "suggestions"} */ name) => days.reduce((sum, day) => sum + day[name], 0);
  if (!total("suggestions")) return null;
  const answered = total("approved") + total("rejected");
  const facts = [total("executed") && t("activity.done", { count: total("executed") }), total("failed") && t("activity.failed", { count: total("failed") }), t("insight.days", { count: DAYS })];
  return tile("trends", answered ? approvedWords(total("approved"), answered) : t("insight.suggested", { count: total("suggestions") }), facts.filter(Boolean).join(" · "));
}

/** A share of few answers would say more than is known. @param {number} approved @param {number} answered */
function approvedWords(approved, answered) {
  return answered < SHARE_FROM ? t("activity.approved-of", { approved, answered }) : t("activity.approved", { share: percent(approved / answered) });
}

/** @param {DrivesView} view */
function drivesTile(view) {
  const open = pressing(view.drives);
  if (!open.length && !view.lastWake) return null;
  return tile("drives", view.total < view.threshold ? t("activity.calm") : t("activity.wakes-at", { load: number(view.total, 1), threshold: number(view.threshold, 1) }), t("activity.pressing", { count: open.length }));
}

/** @param {"sessions" | "trends" | "drives"} name @param {string} figure @param {string} facts @param {string} [tone] */
function tile(name, figure, facts, tone = "") {
  return h("a", { class: "overview-tile", href: `#/activity/${name}` }, h("span", { class: "overview-name" }, icon(name), t(`activity.${name}`)), h("span", { class: `overview-figure ${tone}` }, figure), h("span", { class: "facts" }, facts));
}
