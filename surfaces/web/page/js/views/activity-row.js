/** Rows of the timeline that are no cards: a session, a task, a moment at which Pulse woke, a stop, or what became of a permission. */

import { h, icon } from "../dom.js";
import { clock, fullTime } from "../format.js";
import { agentTitle, t } from "../words.js";
import { nameOf } from "./activity-model.js";
import { coded } from "./coded.js";
import { whereOf } from "./face.js";
import { groupOf } from "./sessions-model.js";
import { worded } from "./wordings.js";

/** @typedef {import("./activity-model.js").Other} Other */

/** @type {Record<string, string>} */
const TONES = { failed: "bad", pending: "warn", active: "accent", left: "", "handed-over": "", verified: "good" };

/** @param {Other} one @returns {HTMLElement} it leads to its story, or opens it */
export function otherRow(one) {
  if (one.kind === "session") {
    const { id, agent, status } = one.session;
    const group = groupOf(one.session);
    const word = t(`sessions.is-${group === "left" || group === "handed-over" ? group : status}`);
    const facts = [t("activity.session"), word, agent && agentTitle(agent)];
    return row(one, { id, href: `#/activity/sessions/${encodeURIComponent(id)}`, mark: "sessions", tone: TONES[group], title: nameOf(one.session), facts });
  }
  if (one.kind === "task") {
    const { id, title, titleWorded, status } = one.task;
    const open = async () => (await import("./task.js")).openTask(id);
    return row(one, { id, open, mark: status === "completed" ? "approve" : "list", tone: status === "completed" ? "good" : "", title: worded(titleWorded, title), facts: [t("activity.task"), t(`status.${status}`)] });
  }
  if (one.kind === "stop") return row(one, { href: "#/", mark: one.line.what === "stopped" ? "stop" : "play", tone: one.line.what === "stopped" ? "warn" : "good", title: recordWords(one.line), facts: [] });
  if (one.kind === "permission") return permissionRow(one, one.line);
  const { predictionId, says, saysWorded } = one.wake;
  const href = predictionId ? `#/activity/story/${encodeURIComponent(predictionId)}` : "#/activity/drives";
  return row(one, { href, mark: "drives", tone: "", title: worded(saysWorded, says), facts: [t("activity.woke")] });
}

/** @param {Other} one @param {import("../types").GrantRecordLine} line */
function permissionRow(one, line) {
  const { what, by, text, textWorded } = line;
  const isOn = what === "used" || what === "made";
  const facts = what === "used" ? [t("activity.permitted"), by && agentTitle(by)] : [recordWords(line)];
  return row(one, { href: "#/settings/alone", mark: isOn ? "approve" : "close", tone: isOn ? "good" : "", title: textWorded || what !== "used" ? coded(worded(textWorded, text)) : text, facts });
}

/** What a line of the record tells, and on which device it was done, where that is known. @param {import("../types").GrantRecordLine} line */
function recordWords({ what, by }) {
  const [surface, device] = by.split("/");
  return device ? t(`activity.${what}-where`, { where: whereOf({ surface, device }) }) : t(`activity.is-${what}`);
}

/** @param {Other} one @param {{id?: string, href?: string, open?: () => void, mark: string, tone: string, title: import("../dom.js").Child, facts: (string | null)[]}} looks `id` by which the row is found again */
function row({ kind, createdAt }, { id, href, open, mark, tone, title, facts }) {
  const time = h("time", { datetime: createdAt, title: fullTime(createdAt) }, clock(createdAt));
  const words = facts.filter(Boolean).map((fact) => ` · ${fact}`);
  const inside = [h("span", { class: `past-mark ${tone}` }, icon(mark)), h("span", { class: "past-text" }, h("span", { class: "past-prompt", dir: "auto" }, title), h("span", { class: "facts" }, time, words))];
  const dataset = id ? { kind, id } : { kind };
  return open ? h("button", { type: "button", class: "past-other", dataset, on: { click: open } }, inside) : h("a", { class: "past-other", href, dataset }, inside);
}

/**
 * Draw again the rows that are shown and have changed; the focus stays where it was.
 * @param {HTMLElement} root
 * @param {readonly Other[]} others
 */
export function redraw(root, others) {
  for (const fresh of others.map(otherRow)) {
    const shown = fresh.dataset.id && root.querySelector(`.past-other[data-id="${CSS.escape(fresh.dataset.id)}"]`);
    if (!shown || shown.isEqualNode(fresh)) continue;
    const hadFocus = shown === document.activeElement;
    shown.replaceWith(fresh);
    if (hadFocus) fresh.focus({ preventScroll: true });
  }
}
