/** Controls: what the person has said once and for all (less, never; run alone), each with what follows, and a way back. */

import { get, send, wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { h, icon, replace } from "../dom.js";
import { fullDay } from "../format.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { panel, toggle } from "./controls-parts.js";
import { offer, say } from "./undo.js";
import { worded, wordedWithCode } from "./wordings.js";

const DAYS = [30, 90, 365];
const DAY_S = 86_400;
const CONFIG = "/crosspoll/config";

/** @typedef {import("../types").GrantView | import("../types").MuteView} Said */

/**
 * @param {"mutes" | "grants"} name both where it is read, and the figure in the status that tells of changes
 * @returns {{root: HTMLElement, end: () => void}} the panel; it follows what is said elsewhere
 */
export function saidPanel(name) {
  const list = h("ul", { class: `control-list ${name}` });
  const told = h("p", { class: "control-told", role: "alert" });
  const beside = h("div", {}), more = h("div", {});
  const off = offNote(show);
  const root = panel(t(`said.title-${name}`), t(`said.says-${name}`), off, list, more, beside, told);
  let count = standsAt(name);

  /** @param {Promise<any>} asked @returns {Promise<boolean>} whether it was done */
  async function show(asked) {
    try {
      const answer = await asked;
      const said = answer[name];
      replace(beside, ...besides(answer));
      off.hidden = !said.some(isAlone) || state.get().status?.autonomous !== false;
      if (answer.kinds && more.dataset.kinds !== String(answer.kinds.length)) replace(more, answer.kinds.length ? letting(answer.kinds, show) : h("p", { class: "facts" }, t("said.let-none")));
      more.dataset.kinds = String(answer.kinds?.length);
      replace(list, ...(said.length ? said.map(row) : [h("li", { class: "quiet" }, t(`said.none-${name}`))]));
      told.textContent = "";
      return true;
    } catch (error) {
      replace(told, ...coded(wordsOf(error)));
      return false;
    }
  }

  /** @param {Said} one */
  function row(one) {
    const { id } = one;
    const back = h("button", { type: "button", class: "small", on: { click: () => void takeBack() } }, icon(name === "grants" ? "close" : "undo"), t(`said.back-${name}`));
    async function takeBack() {
      back.disabled = true;
      const path = `/${name}/${encodeURIComponent(id)}`;
      const isDone = await show(send("DELETE", path));
      back.disabled = false;
      if (isDone && name === "grants") offer(t("said.removed"), () => restore(`${path}/restore`));
    }
    return h("li", { class: "control-row" }, h("div", { class: "grow" }, h("p", { class: "control-label", dir: "auto" }, wordedWithCode(one.summaryWorded, one.summary)), h("p", { class: "facts" }, effectOf(one))), back);
  }

  /** The removal held at once; this gives it again, and so may ask who you are. @param {string} path */
  async function restore(path) {
    if (await show(send("POST", path))) say(t("said.restored"));
  }

  void show(get(`/${name}`));
  const end = state.watch(() => {
    if (standsAt(name) === count) return;
    count = standsAt(name);
    void show(get(`/${name}`));
  });
  return { root, end };
}

/** @param {"mutes" | "grants"} name @returns {string} what in the status tells that a list has changed, or what follows from it */
const standsAt = (name) => `${state.get().status?.[name]} ${state.get().status?.autonomous}`;

/** @param {Said} one @returns {boolean} whether it is work that only runs while autopilot is on */
const isAlone = (one) => !("degree" in one) && one.kind !== "permission";

/** To allow something switches nothing on: that has a switch of its own, which stands here too. @param {(asked: Promise<any>) => Promise<boolean>} show */
function offNote(show) {
  const node = h("div", { class: "note warn", hidden: true });
  const alone = toggle({
    label: t("said.let-off"),
    hint: "",
    change: async (on) => {
      try {
        await send("PATCH", CONFIG, { autonomous: on });
        node.hidden = await show(get("/grants"));
        return { isTaken: true, message: "" };
      } catch (error) {
        return { isTaken: false, message: wordsOf(error) };
      }
    },
  });
  node.append(alone.node);
  return node;
}

/** @param {Partial<import("../types").GrantList>} answer @returns {Node[]} what an update changed, and what goes on by settings and agents' own modes */
function besides({ changed = [], alone = [] }) {
  const before = changed.map((one) => entry(t("said.alone-was", { label: one.was }), `→ ${worded(one.leftWorded, one.left) || t("said.alone-ended")}`));
  const others = alone.map((one) => entry(worded(one.summaryWorded, one.summary), worded(one.changeWorded, one.change)));
  return [...group("said.alone-changed", before), ...group("said.alone-else", others)];
}

/** @param {string} title @param {Node[]} rows @returns {Node[]} a list with its heading; nothing without rows */
function group(title, rows) {
  return rows.length ? [h("h3", {}, t(title)), h("ul", { class: "control-list" }, rows)] : [];
}

/** @param {string} what @param {string} facts */
function entry(what, facts) {
  return h("li", { class: "control-row" }, h("div", { class: "grow" }, h("p", { class: "control-label", dir: "auto" }, what), h("p", { class: "facts", dir: "auto" }, facts)));
}

/** @param {import("../types").GrantKind[]} kinds @param {(asked: Promise<any>) => Promise<unknown>} show @returns {HTMLElement} a form that lets a kind of work run alone */
function letting(kinds, show) {
  const kind = h("select", { name: "kind" }, kinds.map((one) => h("option", { value: one.kind }, worded(one.nameWorded, one.name))));
  const days = h("select", { name: "days" }, DAYS.map((count) => h("option", { value: count }, t("said.let-days", { count }))));
  const yes = h("button", { type: "submit", class: "small" }, t("said.let-yes"));
  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    yes.disabled = true;
    await show(send("POST", "/grants", { kind: kind.value, forS: Number(days.value) * DAY_S }));
    yes.disabled = false;
  }
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) => h("label", { class: "control-field" }, label, input);
  return h("form", { class: "control-let", on: { submit } }, field(t("said.let-kind"), kind), field(t("said.let-for"), days), yes, h("p", { class: "facts" }, t("said.let-says")));
}

/** @param {Said} one @returns {string} what follows from it, in the person's language where the page has the words */
function effectOf(one) {
  if (!("degree" in one)) return `${t("said.alone-until", { until: fullDay(one.until) })} ${t(one.runs ? "said.alone-runs" : "said.alone-never-ran", { count: one.runs })}`;
  return one.degree === "less" ? worded(one.effectWorded, one.effect) : t(`said.effect-${one.degree}`);
}
