/** Beside the cards: the person's agents, what each does now, and those on this machine that are not connected yet. */

import { agentsHere } from "../coding-agents.js";
import { h, icon, replace, setText } from "../dom.js";
import { age, short, usd } from "../format.js";
import { phaseOf } from "../state.js";
import { agentTitle, channelTitle, t } from "../words.js";
import { promptOf } from "./wordings.js";

/** @typedef {import("../state.js").Model} Model */
/** @typedef {import("../types").AgentView} AgentView */
/** @typedef {import("../types").CodingAgentView} CodingAgentView */
/** @typedef {{state: "waiting" | "running" | "failed" | "queued" | "idle", words: string, isCommand?: boolean, askedAt: string, cardId: string}} Now */

/** What comes with Pulse is no agent that somebody connected. */
const OWN_AGENT = "playbook";
const STATES = /** @type {const} */ (["running", "queued", "failed"]);

/** @returns {{root: HTMLElement, update: (model: Model) => void}} */
export function agentsPanel() {
  const list = h("ul", { class: "agents" });
  const found = h("ul", { class: "agents-found" });
  const root = h("section", { class: "panel", hidden: true, aria: { labelledby: "agents-title" } }, h("h2", { id: "agents-title" }, t("agents.title")), list, found);
  let shown = "";
  return { root, update };

  /** @param {Model} model */
  function update(model) {
    const here = agentsHere.get().agents;
    const names = namesOf(model.agents, here);
    const rows = names.map((name) => ({ name, title: here.find(({ agent }) => agent === name)?.title ?? agentTitle(name), now: nowOf(name, model, Date.now()), channels: model.agents.filter(({ agent }) => agent === name) }));
    const open = here.filter(({ agent, state }) => state !== "connected" && !names.includes(agent));
    const key = JSON.stringify([rows, open]);
    if (key !== shown) {
      root.hidden = rows.length + open.length === 0;
      replace(list, ...rows.map(agentRow));
      replace(found, ...open.map(foundRow));
    }
    shown = key;
    for (const time of list.querySelectorAll("time")) setText(time, t("agents.asked", { age: age(time.dateTime, Date.now()) }));
  }
}

/** @param {readonly AgentView[]} channels @param {readonly CodingAgentView[]} here @returns {string[]} the agents that work for the person, each once */
function namesOf(channels, here) {
  const connected = here.filter(({ state }) => state === "connected").map(({ agent }) => agent);
  return [...new Set([...connected, ...channels.map(({ agent }) => agent)])].filter((agent) => agent !== OWN_AGENT);
}

/**
 * What an agent does now: it waits for the person, it works, or what it last asked, and when.
 * @param {string} name
 * @param {Model} model
 * @param {number} now ms
 * @returns {Now}
 */
export function nowOf(name, { cards, agents }, now) {
  const its = Object.values(cards).filter(({ prediction }) => prediction.source === "ask" && prediction.targetAgent === name);
  const waiting = its.find((card) => phaseOf(card, now) === "open");
  if (waiting) return { state: "waiting", words: promptOf(waiting.prediction), isCommand: waiting.prediction.permission?.act === "command", askedAt: "", cardId: waiting.prediction.id };
  const state = STATES.find((one) => agents.some((channel) => channel.agent === name && channel.state === one)) ?? "idle";
  const last = state === "idle" ? its.map(({ prediction }) => prediction).sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))[0] : undefined;
  return { state, words: last ? promptOf(last) : "", isCommand: last?.permission?.act === "command", askedAt: last?.createdAt ?? "", cardId: "" };
}

/** @param {{name: string, title: string, now: Now, channels: AgentView[]}} row */
function agentRow({ name, title, now, channels }) {
  const state = h("span", { class: "agent-state" }, now.askedAt ? h("time", { datetime: now.askedAt }) : t(`agent.${now.state}`));
  const words = now.words && h(now.isCommand ? "code" : "span", { class: now.isCommand ? "doing facts mono" : "doing facts", dir: "auto" }, now.words);
  const head = [h("span", { class: "dot", aria: { hidden: true } }), h("bdi", { class: "name" }, title), state];
  const line = now.cardId ? h("button", { type: "button", class: "bare agent-line", on: { click: () => toFront(now.cardId) } }, head) : h("p", { class: "agent-line" }, head);
  return h("li", { class: "agent-group", dataset: { agent: name, state: now.state } }, line, words, channels.length > 0 && h("ul", { class: "agent-channels" }, channels.map(channelRow)));
}

/** @param {AgentView} agent */
function channelRow(agent) {
  const doing = agent.state === "running" ? agent.lastLine || agent.doing : "";
  const used = [agent.tokensToday === null ? "" : t("agents.tokens", { tokens: short(agent.tokensToday) }), agent.tokensToday !== null && agent.costTodayUsd ? usd(agent.costTodayUsd) : ""].filter(Boolean);
  return h(
    "li",
    { class: "agent", dataset: { state: agent.state, channel: agent.channel } },
    h("p", { class: "row between" }, h("span", null, channelTitle(agent.channel), agent.state !== "idle" && h("span", { class: "agent-state" }, ` ${t(`agent.${agent.state}`)}`)), h("span", { class: "facts used" }, used.join(" · "))),
    doing ? h("p", { class: "doing facts", dir: "auto" }, doing) : null,
  );
}

/** @param {CodingAgentView} view */
function foundRow(view) {
  const open = async () => (await import("./agents-here.js")).openConnect(view);
  const label = t("begin.connect");
  return h("li", { class: "row between" }, h("span", null, h("bdi", { class: "name" }, view.title), h("span", { class: "facts" }, ` ${t("agents.found")}`)), h("button", { type: "button", class: "small", aria: { label: t("begin.connect-name", { label, name: view.title }) }, on: { click: open } }, icon("next"), label));
}

/** @param {string} id */
function toFront(id) {
  dispatchEvent(new CustomEvent("pulse:front", { detail: id }));
  document.querySelector(".deck")?.scrollIntoView({ block: "start" });
}
