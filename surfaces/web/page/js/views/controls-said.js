/** Controls: what the person has said once and for all (less, never; run alone), each with what follows, and a way back. */

import { get, send, wordsOf } from "../api.js";
import { h, icon, replace } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { panel } from "./controls-parts.js";

/** @typedef {{id: string, summary: string, effect: string}} Said */

/**
 * @param {"mutes" | "grants"} name both where it is read, and the figure in the status that tells of changes
 * @returns {{root: HTMLElement, end: () => void}} the panel; it follows what is said elsewhere
 */
export function saidPanel(name) {
  const list = h("ul", { class: `control-list ${name}` });
  const told = h("p", { class: "control-told", role: "alert" });
  const root = panel(t(`said.title-${name}`), t(`said.says-${name}`), list, told);
  let count = state.get().status?.[name];

  /** @param {Promise<any>} asked */
  async function show(asked) {
    try {
      const said = (await asked)[name];
      replace(list, ...(said.length ? said.map(row) : [h("li", { class: "quiet" }, t(`said.none-${name}`))]));
      told.textContent = "";
    } catch (error) {
      told.textContent = wordsOf(error);
    }
  }

  /** @param {Said} one */
  function row({ id, summary, effect }) {
    const back = h("button", { type: "button", class: "small", on: { click: () => void takeBack() } }, icon("undo"), t(`said.back-${name}`));
    async function takeBack() {
      back.disabled = true;
      await show(send("DELETE", `/${name}/${encodeURIComponent(id)}`));
      back.disabled = false;
    }
    return h("li", { class: "control-row" }, h("div", { class: "grow" }, h("p", { class: "control-label", dir: "auto" }, summary), h("p", { class: "facts" }, effect)), back);
  }

  void show(get(`/${name}`));
  const end = state.watch(({ status }) => {
    if (status?.[name] === count) return;
    count = status?.[name];
    void show(get(`/${name}`));
  });
  return { root, end };
}
