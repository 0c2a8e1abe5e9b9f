/** The empty stack: it says why it is quiet, and lets Pulse be asked to think. */

import { press, say } from "../answers.js";
import { send } from "../api.js";
import { agentsHere } from "../coding-agents.js";
import { coded } from "./coded.js";
import { h, icon, replace } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../words.js";
import { worded } from "./wordings.js";

/** @typedef {import("../state.js").Model} Model */

/**
 * Draw the empty stack; drawn anew only when the reason is another.
 * @param {HTMLElement} root
 * @param {Model} model
 */
export function drawQuiet(root, model) {
  const { status } = model;
  const text = whyQuiet(model, Date.now());
  const shown = `${status?.enabled} ${text}`;
  if (root.dataset.shown === shown) return;
  root.dataset.shown = shown;
  const button = h("button", { type: "button" }, t("empty.think"));
  button.addEventListener("click", () => void think(button));
  replace(
    root,
    status?.enabled ? h("span", { class: "calm", aria: { hidden: true } }, icon("approve")) : null,
    h("div", { class: "grow" }, h("p", { class: "big" }, t(status?.enabled === false ? "shell.off" : "empty.title")), h("p", { class: "quiet" }, coded(text))),
    status?.enabled ? button : null,
  );
}

/**
 * Why there is no card.
 * @param {Model} model
 * @param {number} now ms
 * @returns {string}
 */
export function whyQuiet({ status, cards, repositories }, now) {
  if (!status) return t("empty.unknown");
  if (!status.enabled) return t("empty.off");
  if (status.state === "paused") return t("empty.paused", { reason: worded(status.reasonWorded, status.reason) });
  if (status.costCapPerDay > 0 && status.costToday >= status.costCapPerDay) return t("empty.cap");
  if (status.dndUntil) return t("empty.dnd", { until: clock(status.dndUntil, now) });
  if (status.quiet) return t("empty.quiet");
  const snoozed = Object.values(cards).filter(
    ({ prediction }) => prediction.status === "pending" && prediction.snoozedUntil,
  );
  if (snoozed.length) return t("empty.snoozed", { count: snoozed.length });
  const { agents, isRead } = agentsHere.get();
  const isAlone = isRead && !repositories.length && !agents.some(({ state }) => state === "connected");
  return t(isAlone ? "empty.nothing-to-watch" : "empty.watching");
}

/** @param {HTMLButtonElement} button */
async function think(button) {
  await press(button, async () => {
    const answer = await send("POST", "/crosspoll/trigger", { force: true });
    if (!answer.triggered) say(worded(answer.messageWorded, answer.message));
  });
}
