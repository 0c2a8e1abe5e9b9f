/** The inbox: what waits, what failed and what runs, or how to begin; beside them the agents, the repositories and recent work. */

import { press } from "../answers.js";
import { send } from "../api.js";
import { coded } from "./coded.js";
import { h, icon, replace, setText } from "../dom.js";
import { clock, usd } from "../format.js";
import { state } from "../state.js";
import { agentsHere, recallAgents } from "../coding-agents.js";
import { t } from "../words.js";
import { hubDay } from "../zones.js";
import { agentsPanel } from "./agents-panel.js";
import { recentPanel, repositoriesPanel } from "./aside.js";
import { Beginning } from "./beginning.js";
import { drawers } from "./card.js";
import { Deck, isListUsual } from "./deck.js";
import { drawReach } from "./reach.js";
import { awayIn, dayIn } from "./standing.js";
import { WorkPanel } from "./work.js";
import { worded } from "./wordings.js";

/** @typedef {import("../state.js").Model} Model */

const ASK_CHARS_MAX = 500;
const AWAY_TOLD_MS = 3_600_000;

/** Load what the open cards are drawn with, so that none grows after it is shown; away from the hub they do without. */
export async function prepare() {
  const open = Object.values(state.get().cards).map(({ prediction }) => prediction).filter(({ status }) => status === "pending");
  await Promise.allSettled([
    open.some(({ permission }) => permission) && import("./permission.js").then((parts) => (drawers.permission = parts)),
    open.some(({ runs }) => runs?.commit) && import("./commit.js").then((parts) => (drawers.commit = parts)),
    open.some(({ alike }) => alike) && import("./alike.js"),
    isListUsual() && import("./list.js"),
  ]);
}

/**
 * @param {HTMLElement} root
 * @returns {() => void} ends the view
 */
export function mount(root) {
  recallAgents();
  const head = h("section", { class: "state-line" });
  const back = h("p", { class: "note lines", role: "status", dir: "auto", hidden: true });
  const reach = h("div", { class: "note warn reach", role: "status", hidden: true });
  const deck = new Deck();
  const failed = new WorkPanel("failed");
  const work = new WorkPanel("now");
  const begin = new Beginning();
  const agents = agentsPanel();
  const places = repositoriesPanel();
  const recent = recentPanel();
  const center = h("div", { class: "center" }, deck.head, reach, askBox(), back, deck.root, failed.root, work.root, begin.root);
  const aside = h("div", { class: "aside" }, agents.root, places.root, head, recent.root);
  replace(root, h("div", { class: "mission" }, center, aside));
  deck.steady.watch([root, ...center.children]);

  let isPlanned = false;
  const draw = () => {
    isPlanned = false;
    const model = state.get();
    drawState(head, model);
    drawReturn(back, model);
    drawReach(reach, model);
    [failed, work].forEach((part) => part.update(model));
    deck.isCalm = Boolean(failed.root.hidden && work.root.hidden);
    begin.update(model, deck.isCalm);
    [deck, places, agents, recent].forEach((part) => part.update(model));
    aside.classList.toggle("is-coming", !begin.isRead);
  };
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    queueMicrotask(draw); // several changes in one turn are drawn once
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => deck.onKey(event);
  const ends = [state.watch(plan), agentsHere.watch(plan), begin.watch(plan)];
  addEventListener("pulse:tick", plan);
  document.addEventListener("keydown", onKey);
  draw();
  return () => {
    deck.end();
    ends.forEach((end) => end());
    removeEventListener("pulse:tick", plan);
    document.removeEventListener("keydown", onKey);
  };
}

/**
 * What the day brings, and what happened while the person was away, for an hour after their return.
 * @param {HTMLElement} root @param {Model} model
 */
function drawReturn(root, { status, day }) {
  const away = status?.away;
  const isNews = away != null && Date.now() - Date.parse(away.until) < AWAY_TOLD_MS;
  const isToday = day?.day === hubDay(Date.now());
  const lines = [isToday ? dayIn(day) : "", isNews ? awayIn(away) : ""].filter(Boolean);
  if (lines.length) setText(root, lines.join("\n"));
  root.hidden = !lines.length;
}

/** @param {HTMLElement} root @param {Model} model */
function drawState(root, { status }) {
  if (!status) return;
  const shown = JSON.stringify(status);
  if (root.dataset.shown === shown) return;
  root.dataset.shown = shown;
  const spent = status.costToday ? t("state.spent", { spent: usd(status.costToday), cap: usd(status.costCapPerDay) }) : "";
  const canSteer = status.enabled && (status.state === "paused" || status.autonomous);
  replace(
    root,
    h(
      "div",
      { class: "row between" },
      h("h2", null, t("state.title")),
      h("span", { class: `badge ${TONES[status.state]}` }, t(isAloneAtAll(status) ? `state.${status.state}` : "state.no")),
    ),
    h("p", { class: "why" }, h("span", { class: "reason" }, coded(whyOf(status))), ` ${quietOf(status)}`),
    status.modelTrouble && h("p", { class: "facts" }, coded(worded(status.modelTroubleWorded, status.modelTrouble))),
    spent && h("p", { class: "facts" }, spent),
    spent && meter(status.costCapPerDay ? status.costToday / status.costCapPerDay : 0),
    canSteer ? steer(status.state === "paused") : null,
  );
}

/** @param {import("../types").CrossPollStatus} status */
const isAloneAtAll = ({ autonomous, state: now }) => autonomous || now === "paused" || now === "disabled";

/** @param {import("../types").CrossPollStatus} status @returns {string} a pause and a stop have reasons of their own */
function whyOf(status) {
  if (status.killedBy) return t("state.killed"); // the banner above says why
  if (status.reason && status.state === "paused") return worded(status.reasonWorded, status.reason);
  return t(isAloneAtAll(status) ? `state.${status.state}.means` : "state.no.means");
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

/** A field to tell Pulse something; what becomes of it is loaded when somebody does. */
function askBox() {
  const field = h("input", { name: "ask", type: "text", autocomplete: "off", maxlength: ASK_CHARS_MAX, dir: "auto", placeholder: t("askbox.hint"), aria: { label: t("askbox.hint") } });
  const button = h("button", { type: "submit", class: "round", aria: { label: t("askbox.send") } }, icon("next"));
  const kinds = h("div", { class: "chips", hidden: true, role: "radiogroup", aria: { label: t("askbox.kind") } });
  const form = h("form", { class: "askbox", role: "search" }, h("div", { class: "row" }, field, button), kinds);
  const loaded = async () => import("./askbox.js");
  field.addEventListener("focus", async () => (await loaded()).showKinds(kinds, field), { once: true });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    void press(button, async () => (await loaded()).send(field, kinds));
  });
  return form;
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
