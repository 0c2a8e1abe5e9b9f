/** What the person wants less of, or never: each wish with what follows from it, and a way back. */

import { get, send, wordsOf } from "../api.js";
import { h, icon, replace } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { panel } from "./controls-parts.js";

/** @typedef {import("../types").MuteView} MuteView */

/**
 * @returns {{root: HTMLElement, end: () => void}} the panel; it follows what is said elsewhere
 */
export function mutesPanel() {
  const list = h("ul", { class: "control-list mutes" });
  const told = h("p", { class: "control-told", role: "alert" });
  const root = panel(t("mutes.title"), t("mutes.says"), list, told);
  let count = state.get().status?.mutes;

  /** @param {Promise<any>} asked */
  async function show(asked) {
    try {
      const { mutes } = await asked;
      replace(list, ...(mutes.length ? mutes.map(row) : [h("li", { class: "quiet" }, t("mutes.none"))]));
      told.textContent = "";
    } catch (error) {
      told.textContent = wordsOf(error);
    }
  }

  /** @param {MuteView} mute */
  function row({ id, summary, effect }) {
    const back = h("button", { type: "button", class: "small", on: { click: () => void takeBack() } }, icon("undo"), t("mutes.back"));
    async function takeBack() {
      back.disabled = true;
      await show(send("DELETE", `/mutes/${encodeURIComponent(id)}`));
      back.disabled = false;
    }
    return h("li", { class: "control-row" }, h("div", { class: "grow" }, h("p", { class: "control-label", dir: "auto" }, summary), h("p", { class: "facts" }, effect)), back);
  }

  void show(get("/mutes"));
  const end = state.watch(({ status }) => {
    if (status?.mutes === count) return;
    count = status?.mutes;
    void show(get("/mutes"));
  });
  return { root, end };
}
