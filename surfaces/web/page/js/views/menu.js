/** What a card's menu offers: less of this, or never, and how far that reaches. Each can be taken back. */

import { answer } from "../answers.js";
import { h, icon } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { openDialog } from "./dialog.js";
import { placeOf } from "./face.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {{verb: "less" | "never", about: import("../types").Breadth, words: string}} Wish */

/**
 * What can be wished for of a card.
 * @param {Prediction} prediction
 * @param {readonly import("../types").RepositoryView[]} repositories
 * @returns {Wish[]}
 */
export function wishesOf(prediction, repositories) {
  const { name } = placeOf(prediction, repositories);
  /** @type {Wish[]} */
  const wishes = [
    { verb: "less", about: "kind", words: t("menu.less") },
    { verb: "never", about: "here", words: t("menu.never") },
    { verb: "never", about: "kind", words: t("menu.never-kind") },
  ];
  return prediction.runs?.folder ? [...wishes, { verb: "never", about: "repository", words: t("menu.never-repository", { name }) }] : wishes;
}

/** @param {Prediction} prediction */
export function openMenu(prediction) {
  const dialog = openDialog(t("menu.title"), "sheet menu-sheet");
  const choices = wishesOf(prediction, state.get().repositories).map(({ verb, about, words }) => {
    const choose = () => {
      dialog.close();
      void answer(prediction, verb, "tap", { about });
    };
    return h("li", null, h("button", { type: "button", on: { click: choose } }, icon(verb === "less" ? "hour" : "stop"), h("span", { class: "grow" }, words)));
  });
  dialog.append(h("p", { class: "quiet what", dir: "auto" }, prediction.prompt), h("ul", { class: "choices" }, choices), h("p", { class: "facts" }, t("menu.says")));
}
