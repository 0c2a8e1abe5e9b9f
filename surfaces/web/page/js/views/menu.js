/** What a card's menu offers: show less often, never, or always a question, and how far that reaches. Each can be taken back. */

import { answer, say } from "../answers.js";
import { send, wordsOf } from "../api.js";
import { h, icon } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { openDialog } from "./dialog.js";
import { placeOf } from "./face.js";
import { promptOf } from "./wordings.js";

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
    { verb: "never", about: "here", words: prediction.runs?.folder || prediction.repository ? t("menu.never-in", { name }) : t("menu.never") },
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
    return h("li", null, h("button", { type: "button", on: { click: choose } }, icon(verb === "less" ? "hour" : "reject"), h("span", { class: "grow" }, words)));
  });
  const ask = () => {
    dialog.close();
    void alwaysAsk(prediction);
  };
  choices.push(h("li", null, h("button", { type: "button", on: { click: ask } }, icon("details"), h("span", { class: "grow" }, t("menu.ask")))));
  dialog.append(h("p", { class: "quiet what", dir: "auto" }, promptOf(prediction)), h("ul", { class: "choices" }, choices), h("p", { class: "facts" }, t("menu.says")), h("p", { class: "facts" }, h("a", { href: "#/settings/interruptions", on: { click: () => dialog.close() } }, t("menu.where"))));
}

/** @param {import("../types").MuteView[]} mutes */
const newest = (mutes) => mutes.toSorted((one, other) => Date.parse(other.since) - Date.parse(one.since))[0];

/** The card stays; its kind asks from now on, whatever was let run before. @param {Prediction} prediction */
async function alwaysAsk({ id }) {
  try {
    const { mutes } = await send("POST", "/mutes", { degree: "ask", predictionId: id });
    const made = newest(mutes);
    const { offer } = await import("./undo.js");
    offer(t("menu.asks"), async () => {
      await send("DELETE", `/mutes/${encodeURIComponent(made.id)}`);
      say(t("menu.asks-undone"));
    });
  } catch (error) {
    say(wordsOf(error), "bad");
  }
}
