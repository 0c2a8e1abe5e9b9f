/** Rows of the timeline that are no cards: a session, a moment at which Pulse woke, or what a permission let through. */

import { h, icon } from "../dom.js";
import { clock, fullTime } from "../format.js";
import { agentTitle, t } from "../words.js";
import { nameOf } from "./activity-model.js";
import { groupOf } from "./sessions-model.js";
import { worded } from "./wordings.js";

/** @typedef {import("./activity-model.js").Other} Other */

/** @type {Record<string, string>} */
const TONES = { failed: "bad", pending: "warn", active: "accent", left: "", "handed-over": "", verified: "good" };

/** @param {Other} one @returns {HTMLAnchorElement} it leads to its story */
export function otherRow(one) {
  if (one.kind === "session") {
    const { id, agent, status } = one.session;
    const group = groupOf(one.session);
    const word = t(`sessions.is-${group === "left" || group === "handed-over" ? group : status}`);
    const facts = [t("activity.session"), word, agent && agentTitle(agent)];
    return row(one, { id, href: `#/activity/sessions/${encodeURIComponent(id)}`, mark: "sessions", tone: TONES[group], title: nameOf(one.session), facts });
  }
  if (one.kind === "permission") {
    const { text, by } = one.use;
    return row(one, { href: "#/settings/alone", mark: "approve", tone: "good", title: text, facts: [t("activity.permitted"), by && agentTitle(by)] });
  }
  const { predictionId, says, saysWorded } = one.wake;
  const href = predictionId ? `#/activity/story/${encodeURIComponent(predictionId)}` : "#/activity/drives";
  return row(one, { href, mark: "drives", tone: "", title: worded(saysWorded, says), facts: [t("activity.woke")] });
}

/** @param {Other} one @param {{id?: string, href: string, mark: string, tone: string, title: string, facts: (string | null)[]}} looks */
function row({ kind, createdAt }, { id, href, mark, tone, title, facts }) {
  const time = h("time", { datetime: createdAt, title: fullTime(createdAt) }, clock(createdAt));
  const words = facts.filter(Boolean).map((fact) => ` · ${fact}`);
  return h("a", { class: "past-other", href, dataset: id ? { kind, session: id } : { kind } }, h("span", { class: `past-mark ${tone}` }, icon(mark)), h("span", { class: "past-text" }, h("span", { class: "past-prompt", dir: "auto" }, title), h("span", { class: "facts" }, time, words)));
}
