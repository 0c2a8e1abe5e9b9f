/** Settings, Coding agents: those that are connected, what each does and asked today; those found here; and the others that Pulse knows. */

import { get } from "../api.js";
import { agentsHere, lookOn } from "../coding-agents.js";
import { coded } from "./coded.js";
import { h, replace, setText } from "../dom.js";
import { age, fullDay, isSameDay } from "../format.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { agentRows } from "./agents-here.js";
import { nowOf } from "./agents-panel.js";
import { commandLine } from "./command-line.js";
import { panel } from "./controls-parts.js";

/** @typedef {import("../types").CodingAgentView} CodingAgentView */
/** @typedef {import("../types").MissingAgentView} MissingAgentView */
/** @typedef {import("../types").Prediction} Prediction */

const CARDS_MAX = 100;

/** @returns {{node: HTMLElement, end: () => void}} */
export function agentsSection() {
  const rows = h("div", null);
  const none = h("p", { class: "facts" }, t("begin.agents-none"));
  const count = h("span", null);
  const others = h("ul", { class: "here-rows" });
  const folded = h("details", { class: "agents-missing" }, h("summary", null, count), h("p", { class: "facts" }, t("agents.missing-says")), others);
  /** @type {Map<string, Prediction>} those of today: the page itself knows the latest alone */
  let today = new Map();
  let shown = "";
  const draw = () => {
    const { agents, missing, isRead } = agentsHere.get();
    const now = Date.now();
    const all = new Map([...today, ...Object.values(state.get().cards).map(({ prediction }) => /** @type {const} */ ([prediction.id, prediction]))]);
    const asked = [...all.values()].filter(({ source, createdAt }) => source === "ask" && isSameDay(createdAt, now));
    const about = (/** @type {CodingAgentView} */ view) => aboutOf(view, asked.filter(({ targetAgent }) => targetAgent === view.agent).length, now);
    const drawn = agentRows(agents, about);
    if (`${drawn.textContent} ${JSON.stringify([agents, missing])}` === shown) return;
    shown = `${drawn.textContent} ${JSON.stringify([agents, missing])}`;
    none.hidden = agents.length > 0;
    replace(rows, drawn);
    folded.hidden = missing.length === 0;
    if (isRead && !agents.length) folded.open = true; // the commands are all that there is to see
    setText(count, t(agents.length ? "agents.missing" : "agents.known", { count: missing.length }));
    replace(others, ...missing.map((one) => missingRow(one, agents.length > 0)));
  };
  draw();
  void get(`/predictions?limit=${CARDS_MAX}`).then(
    ({ predictions }) => {
      today = new Map(predictions.map((/** @type {Prediction} */ one) => [one.id, one]));
      draw();
    },
    () => {}, // away: the page says so by itself, and counts what it knows
  );
  const ends = [agentsHere.watch(draw), state.watch(draw), lookOn()];
  return { node: panel(t("settings.agents-here"), t("begin.agents-done"), none, rows, folded), end: () => ends.forEach((end) => end()) };
}

/** @param {CodingAgentView} view @param {number} asked how many requests today @param {number} now ms @returns {(HTMLElement | "")[]} */
function aboutOf({ agent, since }, asked, now) {
  const { state: doing, words, isCommand, askedAt } = nowOf(agent, state.get(), now);
  const facts = [since ? t("agents.since", { day: fullDay(since) }) : t("begin.connected"), t("agents.asked-today", { count: asked }), askedAt ? t("agents.asked", { age: age(askedAt, now) }) : t(`agent.${doing}`)];
  return [h("span", { class: "facts" }, facts.join(" · ")), words && h(isCommand ? "code" : "span", { class: isCommand ? "facts mono doing" : "facts doing", dir: "auto" }, words)];
}

/** @param {MissingAgentView} missing @param {boolean} isNamed whether its program is named; without any agent the panel has said that none was found */
function missingRow({ title, program, command, get: gets }, isNamed) {
  const install = /^https:/.test(gets) ? h("a", { href: gets, target: "_blank", rel: "noreferrer" }, gets) : gets && commandLine(gets);
  const steps = [install && named(t("agents.install"), install), named(t("begin.connect"), commandLine(command))];
  return h("li", { class: "here-row missing" }, h("span", { class: "grow" }, h("bdi", { class: "name" }, title), isNamed && h("span", { class: "facts" }, coded(t("agents.missing-program", { program })))), steps);
}

/** @param {string} words @param {HTMLElement} step */
function named(words, step) {
  return h("div", { class: "missing-step" }, h("span", { class: "facts" }, words), step);
}
