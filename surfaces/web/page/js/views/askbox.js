/** "Ask Pulse…": an idea becomes a card, a task is kept, and a question is a card for an agent that can answer it. */

import { say } from "../answers.js";
import { send as sendTo } from "../api.js";
import { h, replace } from "../dom.js";
import { clock } from "../format.js";
import { apply, state } from "../state.js";
import { t } from "../words.js";

/** @typedef {"hint" | "task" | "question"} Kind */

const QUESTION_CHANNEL = "research";
/** What comes with Pulse runs fixed commands: it has no words to answer with. */
const OWN_AGENT = "playbook";

/**
 * Whether somebody is there who can answer a question.
 * @param {readonly import("../types").AgentView[]} agents
 * @returns {string} the channel that it would go to; empty where there is nobody
 */
export function whoAnswers(agents) {
  const able = agents.filter(({ agent }) => agent !== OWN_AGENT);
  return (able.find(({ channel }) => channel === QUESTION_CHANNEL) ?? able[0])?.channel ?? "";
}

/**
 * Show what a text can be.
 * @param {HTMLElement} root
 */
export function showKinds(root) {
  /** @type {Kind[]} */
  const kinds = whoAnswers(state.get().agents) ? ["hint", "task", "question"] : ["hint", "task"];
  const radios = kinds.map((kind, place) =>
    h(
      "label",
      { class: "kind" },
      h("input", { type: "radio", name: "kind", value: kind, checked: place === 0 }),
      h("span", null, t(`askbox.as-${kind}`)),
    ),
  );
  replace(root, ...radios).hidden = false;
}

/**
 * Hand in what was written.
 * @param {HTMLInputElement} field is emptied once it was taken
 * @param {HTMLElement} root of the kinds
 * @throws {import("../api.js").Problem | import("../api.js").Offline}
 */
export async function send(field, root) {
  const text = field.value.trim();
  if (!text) return field.focus();
  const chosen = root.querySelector("input:checked");
  const kind = chosen instanceof HTMLInputElement ? chosen.value : "hint";
  const told = kind === "task" ? await keep(text) : await suggest(text, kind === "question");
  field.value = "";
  say(told);
}

/** @param {string} title */
async function keep(title) {
  const task = await sendTo("POST", "/tasks", { title });
  state.set({ tasks: [task, ...state.get().tasks] });
  return task.deadline ? t("askbox.kept-until", { until: clock(task.deadline, Date.now()) }) : t("askbox.kept");
}

/** @param {string} hint @param {boolean} isQuestion */
async function suggest(hint, isQuestion) {
  const channel = isQuestion ? whoAnswers(state.get().agents) : "";
  const answer = await sendTo("POST", "/crosspoll/trigger", { hint, force: true, ...(channel ? { targetChannel: channel } : {}) });
  if (!answer.prediction) return answer.message;
  apply(made(answer.prediction)); // the feed says so too, perhaps later
  dispatchEvent(new CustomEvent("pulse:front", { detail: answer.prediction.id }));
  /** @type {HTMLElement | null} */ (document.querySelector('.card[data-depth="0"]'))?.focus();
  return t("askbox.made");
}

/** @param {import("../types").Prediction} prediction */
const made = (prediction) => ({ type: "prediction.new", prediction });
