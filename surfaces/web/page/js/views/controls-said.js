/** Controls: what the person has said once and for all (less, never; run alone), each with what follows, and a way back. */

import { get, send, wordsOf } from "../api.js";
import { h, icon, replace } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { panel } from "./controls-parts.js";
import { fullDay } from "./days.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").GrantView | import("../types").MuteView} Said */

/**
 * @param {"mutes" | "grants"} name both where it is read, and the figure in the status that tells of changes
 * @returns {{root: HTMLElement, end: () => void}} the panel; it follows what is said elsewhere
 */
export function saidPanel(name) {
  const list = h("ul", { class: `control-list ${name}` });
  const told = h("p", { class: "control-told", role: "alert" });
  const beside = h("div", {});
  const root = panel(t(`said.title-${name}`), t(`said.says-${name}`), list, beside, told);
  let count = state.get().status?.[name];

  /** @param {Promise<any>} asked */
  async function show(asked) {
    try {
      const answer = await asked;
      const said = answer[name];
      replace(beside, ...besides(answer));
      replace(list, ...(said.length ? said.map(row) : [h("li", { class: "quiet" }, t(`said.none-${name}`))]));
      told.textContent = "";
    } catch (error) {
      told.textContent = wordsOf(error);
    }
  }

  /** @param {Said} one */
  function row(one) {
    const { id, summary } = one;
    const back = h("button", { type: "button", class: "small", on: { click: () => void takeBack() } }, icon("undo"), t(`said.back-${name}`));
    async function takeBack() {
      back.disabled = true;
      await show(send("DELETE", `/${name}/${encodeURIComponent(id)}`));
      back.disabled = false;
    }
    return h("li", { class: "control-row" }, h("div", { class: "grow" }, h("p", { class: "control-label", dir: "auto" }, "summaryWorded" in one ? worded(one.summaryWorded, summary) : summary), h("p", { class: "facts" }, effectOf(one))), back);
  }

  void show(get(`/${name}`));
  const end = state.watch(({ status }) => {
    if (status?.[name] === count) return;
    count = status?.[name];
    void show(get(`/${name}`));
  });
  return { root, end };
}

/** @param {Partial<import("../types").GrantList>} answer @returns {Node[]} what an update changed, and what goes on by settings and agents' own modes */
function besides({ changed = [], alone = [] }) {
  const before = changed.map((one) => entry(one.was, `→ ${worded(one.leftWorded, one.left) || t("said.alone-ended")}`));
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

/** @param {Said} one @returns {string} what follows from it, in the person's language where the page has the words */
function effectOf(one) {
  if (!("degree" in one)) return `${t("said.alone-until", { until: fullDay(one.until) })} ${t(one.runs ? "said.alone-runs" : "said.alone-never-ran", { count: one.runs })}`;
  return one.degree === "less" ? one.effect : t(`said.effect-${one.degree}`);
}
