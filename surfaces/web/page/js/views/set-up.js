/** The list of what is to be set up, each step as it stands now, with what does it. */

import { press } from "../answers.js";
import { get, wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { agentsHere, lookOften, lookOn } from "../coding-agents.js";
import { announce, h, icon, replace, setText } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { agentRows } from "./agents-here.js";
import { pairDevice } from "./pair-device.js";
import { Sample } from "./sample.js";
import { awayDevices, setUpSteps } from "./set-up-model.js";
import { needStyles } from "./styles.js";

/** @typedef {import("./set-up-model.js").Step} Step */
/** @typedef {import("../types").DeviceView} DeviceView */

const NAMED_MAX = 3;

await needStyles("set-up.css");

export class SetUpList {
  /**
   * @param {HTMLElement} root
   * @param {() => void} changed called when a step stands otherwise
   * @param {() => void} putAway
   */
  constructor(root, changed, putAway) {
    this.changed = changed;
    /** @type {readonly DeviceView[]} */
    this.devices = [];
    /** @type {import("./device-here.js").PushState | null} */
    this.push = null;
    /** @type {(() => void) | null} ends the frequent looks at the agents */
    this.rested = null;
    this.isClose = false;
    this.told = h("p", { class: "facts", role: "status" });
    this.count = h("span", { class: "badge" });
    this.sample = new Sample();
    this.rows = { agents: this.#row("agents"), repositories: this.#row("repositories"), phone: this.#row("phone"), notifications: this.#row("notifications") };
    /** Whether the person unfolded it while cards wait. */
    this.isUnfolded = false;
    this.unfold = h("button", { type: "button", class: "small", aria: { controls: "begin-steps" }, on: { click: () => this.#toggle() } });
    this.away = h("button", { type: "button", class: "bare small", on: { click: putAway } }, t("begin.away"));
    const head = h("div", { class: "head" }, h("h2", { id: "begin-title", class: "grow" }, t("begin.title"), " ", this.count), this.unfold, this.away);
    const trial = h("div", { class: "step-row trial" }, h("span", { class: "step-mark", aria: { hidden: true } }, icon("stack")), this.sample.root);
    this.body = h("div", { id: "begin-steps" }, h("ol", { class: "step-rows" }, Object.values(this.rows).map(({ node }) => node)), trial, this.told);
    replace(root, head, this.body);
    this.again = () => document.visibilityState === "visible" && void this.read();
    document.addEventListener("visibilitychange", this.again);
  }

  /** The view is left. */
  end() {
    this.rest();
    document.removeEventListener("visibilitychange", this.again);
  }

  /** Nobody sees it now. */
  rest() {
    this.rested?.();
    this.rested = null;
  }

  /** See how things stand. */
  async read() {
    const { pushState } = await import("../push.js");
    const [devices, push] = await Promise.all([get("/devices"), pushState()]);
    this.devices = devices.devices;
    this.push = push;
    this.changed();
  }

  /** @returns {readonly Step[]} */
  get steps() {
    return setUpSteps({ agents: agentsHere.get().agents, watched: watched(), devices: this.devices, push: this.push });
  }

  isDone() {
    return this.steps.every(({ isDone }) => isDone);
  }

  /** @param {boolean} isFree whether nothing else is to be done, so that all steps are shown */
  draw(isFree) {
    const { steps } = this;
    this.unfold.hidden = isFree;
    this.unfold.setAttribute("aria-expanded", String(this.isUnfolded));
    setText(this.unfold, t(this.isUnfolded ? "begin.fold" : "begin.unfold"));
    this.body.hidden = this.away.hidden = !isFree && !this.isUnfolded;
    const done = steps.filter(({ isDone }) => isDone).length;
    setText(this.count, t("begin.count", { done, count: steps.length }));
    for (const step of steps) this.#drawStep(step);
    if (steps.some(({ name, isDone }) => name === "agents" && isDone)) this.rest();
    else this.#look(!this.body.hidden);
  }

  /** @param {boolean} isClose whether the steps are in sight, so that the person may connect one in a terminal right now */
  #look(isClose) {
    if (this.rested && this.isClose === isClose) return;
    this.rested?.();
    this.isClose = isClose;
    this.rested = isClose ? lookOften() : lookOn();
  }

  #toggle() {
    this.isUnfolded = !this.isUnfolded;
    this.changed();
  }

  /** @param {Step} step */
  #drawStep({ name, isDone }) {
    const { node, mark, says, place } = this.rows[name];
    const key = JSON.stringify([isDone, this.#wordsOf(name, isDone), name === "agents" && agentsHere.get().agents]);
    if (node.dataset.key === key) return;
    node.dataset.key = key;
    node.dataset.done = String(isDone);
    replace(mark, isDone ? icon("approve") : null);
    replace(says, ...coded(this.#wordsOf(name, isDone)));
    replace(place, ...this.#actsOf(name, isDone));
  }

  /** @param {Step["name"]} name @param {boolean} isDone */
  #wordsOf(name, isDone) {
    if (name === "repositories" && isDone) return `${namesOf(name, watched().map((one) => one.name))} ${state.get().folders.length ? t("begin.folders") : ""}`.trim();
    if (name === "phone" && isDone) return namesOf(name, awayDevices(this.devices).map(({ title, device }) => title || device));
    if (name === "agents" && !agentsHere.get().agents.length) return t("begin.agents-none");
    if (name === "notifications" && this.push && !this.push.supported) return this.push.reason || t("begin.notifications-not");
    return t(`begin.${name}-${isDone ? "done" : "open"}`);
  }

  /** @param {Step["name"]} name @param {boolean} isDone @returns {(Node | null)[]} */
  #actsOf(name, isDone) {
    const { agents } = agentsHere.get();
    if (name === "agents" && !agents.length) return [h("a", { href: "#/settings/agents" }, t("begin.agents-commands"))];
    if (name === "agents") return [agentRows(agents)];
    if (isDone || name === "repositories") return [];
    if (name === "phone") return [button(t("begin.phone-do"), async () => pairDevice().then(() => this.read()))];
    return this.push?.supported ? [button(t("begin.notifications-do"), () => this.#notify())] : [];
  }

  async #notify() {
    try {
      const { enablePush } = await import("../push.js");
      this.push = await enablePush();
      this.#say(this.push.subscribed ? t("begin.notifications-done") : this.push.reason || t("devices.notify-denied"));
      this.changed();
    } catch (error) {
      this.#say(wordsOf(error));
    }
  }

  /** @param {string} words */
  #say(words) {
    replace(this.told, ...coded(words));
    announce(words);
  }

  /** @param {Step["name"]} name */
  #row(name) {
    const mark = h("span", { class: "step-mark", aria: { hidden: true } });
    const says = h("p", { class: "facts" });
    const place = h("div", { class: "step-acts" });
    const text = h("div", { class: "grow" }, h("h3", null, t(`begin.${name}`)), says);
    return { node: h("li", { class: "step-row" }, mark, text, place), mark, says, place };
  }
}

function watched() {
  const { repositories, folders } = state.get();
  return [...repositories, ...folders];
}

/** @param {string} words @param {() => Promise<unknown>} work */
function button(words, work) {
  const made = h("button", { type: "button", class: "small" }, words);
  made.addEventListener("click", () => void press(made, async () => void (await work())));
  return made;
}

/** @param {"repositories" | "phone"} step @param {string[]} names */
function namesOf(step, names) {
  const named = names.slice(0, NAMED_MAX).join(", ");
  return names.length > NAMED_MAX ? t(`begin.${step}-more`, { named, count: names.length - NAMED_MAX }) : t(`begin.${step}-done`, { named });
}
