/** "Add a task or an idea…": an idea becomes a card, a task is kept, and a question is a card for an agent that can answer it. */

import { say } from "../answers.js";
import { send as sendTo } from "../api.js";
import { h, replace } from "../dom.js";
import { clock, inFull, ms, weekday } from "../format.js";
import { apply, state } from "../state.js";
import { forget, show } from "./task-shown.js";
import { t } from "../words.js";
import { worded } from "./wordings.js";

/** @typedef {"hint" | "task" | "question"} Kind */

const QUESTION_CHANNEL = "research";
/** What comes with Pulse runs fixed commands: it has no words to answer with. */
const OWN_AGENT = "playbook";
const HALF_A_DAY_MS = 12 * 3_600_000;
const DAY_MS = 2 * HALF_A_DAY_MS;

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
 * Show what a text can be; one that ends as a question does is none for the list of tasks, until the person chooses.
 * @param {HTMLElement} root
 * @param {HTMLInputElement} field
 */
export function showKinds(root, field) {
  /** @type {Kind[]} */
  const kinds = whoAnswers(state.get().agents) ? ["hint", "task", "question"] : ["task", "hint"];
  const radios = kinds.map((kind, place) =>
    h(
      "label",
      { class: "kind" },
      h("input", { type: "radio", name: "kind", value: kind, checked: place === 0 }),
      h("span", null, t(`askbox.as-${kind}`)),
    ),
  );
  replace(root, ...radios).hidden = false;
  const usual = kinds[0];
  const asking = kinds.includes("question") ? "question" : "hint";
  let isChosen = false;
  root.addEventListener("change", () => (isChosen = true));
  const follow = () => {
    if (!field.value) isChosen = false; // what is written next is another matter
    const kind = field.value.trimEnd().endsWith("?") ? asking : usual;
    const radio = root.querySelector(`input[value="${kind}"]`);
    if (!isChosen && radio instanceof HTMLInputElement) radio.checked = true;
  };
  field.addEventListener("input", follow);
  follow();
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
  if (kind === "task") {
    await keep(text);
    field.value = "";
    return;
  }
  const told = await suggest(text, kind === "question");
  field.value = "";
  say(told);
}

/** Keep a task, and say how its sentence was understood, with a way back. @param {string} title */
async function keep(title) {
  const task = await sendTo("POST", "/tasks", { title });
  show(task);
  const { offer } = await import("./undo.js");
  offer(understood(task, Date.now()), async () => {
    await sendTo("DELETE", `/tasks/${task.id}`);
    forget(task.id);
    say(t("askbox.taken-back"));
  });
}

/**
 * How a sentence was understood: its moment in full, and what else it could have meant.
 * @param {import("../types").TaskView} task
 * @param {number} now ms
 * @returns {string}
 */
export function understood(task, now) {
  if (!task.deadline) return t(task.doubt === "past" ? "askbox.past" : "askbox.kept");
  const at = ms(task.deadline);
  return [t("askbox.kept-until", { moment: inFull(at, now) }), doubted(task.doubt, at)].filter(Boolean).join(" ");
}

/** @param {import("../types").TaskView["doubt"]} doubt @param {number} at ms */
function doubted(doubt, at) {
  if (doubt === "hour") return t("askbox.doubt-hour", { other: clock(at + HALF_A_DAY_MS) });
  if (doubt === "weekday") return t("askbox.doubt-weekday", { weekday: weekday(at) });
  if (doubt === "night") return t("askbox.doubt-night", { weekday: weekday(at - DAY_MS) });
  return "";
}

/** @param {string} hint @param {boolean} isQuestion */
async function suggest(hint, isQuestion) {
  const channel = isQuestion ? whoAnswers(state.get().agents) : "";
  const answer = await sendTo("POST", "/crosspoll/trigger", { hint, force: true, ...(channel ? { targetChannel: channel } : {}) });
  if (!answer.prediction) return worded(answer.messageWorded, answer.message);
  apply(made(answer.prediction)); // the feed says so too, perhaps later
  dispatchEvent(new CustomEvent("pulse:front", { detail: answer.prediction.id }));
  /** @type {HTMLElement | null} */ (document.querySelector('.card[data-depth="0"]'))?.focus();
  return t("askbox.made");
}

/** @param {import("../types").Prediction} prediction */
const made = (prediction) => ({ type: "prediction.new", prediction });
