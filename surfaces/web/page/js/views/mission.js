/** Mission Control: the stack of cards, what runs, the agents, recent work, and how autonomous Pulse is and why. */

import { press } from "../answers.js";
import { send } from "../api.js";
import { h, icon, replace } from "../dom.js";
import { clock, usd } from "../format.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { agentsPanel, recentPanel } from "./aside.js";
import { Deck } from "./deck.js";
import { WorkPanel } from "./work.js";

/** @typedef {import("../state.js").Model} Model */

/**
 * @param {HTMLElement} root
 * @returns {() => void} ends the view
 */
export function mount(root) {
  const head = h("section", { class: "state-line" });
  const deck = new Deck();
  const work = new WorkPanel();
  const agents = agentsPanel();
  const recent = recentPanel();
  const main = h("div", { class: "center" }, deck.root, work.root);
  replace(
    root,
    h("h1", { class: "only-read" }, t("nav.mission")),
    h("div", { class: "mission" }, main, h("div", { class: "aside" }, head, agents.root, recent.root)),
  );

  let isPlanned = false;
  const draw = () => {
    isPlanned = false;
    const model = state.get();
    drawState(head, model);
    [deck, work, agents, recent].forEach((part) => part.update(model));
  };
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    queueMicrotask(draw); // several changes in one turn are drawn once
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => deck.onKey(event);
  const unwatch = state.watch(plan);
  addEventListener("pulse:tick", plan);
  document.addEventListener("keydown", onKey);
  draw();
  return () => {
    deck.end();
    unwatch();
    removeEventListener("pulse:tick", plan);
    document.removeEventListener("keydown", onKey);
  };
}

/** @param {HTMLElement} root @param {Model} model */
function drawState(root, { status }) {
  if (!status) return;
  const shown = JSON.stringify(status);
  if (root.dataset.shown === shown) return;
  root.dataset.shown = shown;
  const spent = t("state.spent", { spent: usd(status.costToday), cap: usd(status.costCapPerDay) });
  const canSteer = status.state === "paused" || status.autonomous;
  replace(
    root,
    h(
      "div",
      { class: "row between" },
      h("h2", null, t("state.title")),
      h("span", { class: `badge ${TONES[status.state]}` }, t(`state.${status.state}`)),
    ),
    h(
      "p",
      { class: "why" },
      h("span", { class: "reason" }, status.reason || t(`state.${status.state}.means`)),
      ` ${quietOf(status)}`,
    ),
    h("p", { class: "facts" }, spent),
    meter(status.costCapPerDay ? status.costToday / status.costCapPerDay : 0),
    canSteer ? steer(status.state === "paused") : null,
  );
}

/** @param {import("../types").CrossPollStatus} status @returns {string} whether the person is not to be disturbed */
function quietOf({ quiet, dndUntil }) {
  if (dndUntil) return t("state.dnd", { until: clock(dndUntil, Date.now()) });
  return quiet ? t("state.quiet") : "";
}

/** @type {Record<string, string>} */
const TONES = { disabled: "bad", watching: "", priming: "accent", autonomous: "good", paused: "warn" };

/** @param {number} share */
function meter(share) {
  const bar = h("span");
  bar.style.width = `${Math.min(100, Math.round(share * 100))}%`;
  return h("span", { class: "meter", aria: { hidden: true } }, bar);
}

/** @param {boolean} isPaused */
function steer(isPaused) {
  const button = h(
    "button",
    { type: "button", class: "small" },
    icon(isPaused ? "play" : "pause"),
    t(isPaused ? "state.resume" : "state.pause"),
  );
  button.addEventListener(
    "click",
    () => void press(button, () => send("POST", `/crosspoll/${isPaused ? "resume" : "pause"}`)),
  );
  return button;
}
