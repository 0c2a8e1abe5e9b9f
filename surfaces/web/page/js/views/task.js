/** One task: what it is and when it is due, to be ticked off, opened again or deleted. */

import { get, send, wordsOf } from "../api.js";
import { h, icon } from "../dom.js";
import { clock } from "../format.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { coded } from "./coded.js";
import { openDialog } from "./dialog.js";
import { forget, show } from "./task-shown.js";
import { offer, say } from "./undo.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").TaskView} TaskView */

const OPEN = new Set(["queued", "running"]);

/** @param {string} id */
export async function openTask(id) {
  document.querySelector("dialog.task")?.remove();
  const dialog = openDialog(t("task.title"), "sheet task");
  try {
    draw(dialog, state.get().tasks.find((one) => one.id === id) ?? (await get(`/tasks/${encodeURIComponent(id)}`)));
  } catch (error) {
    dialog.append(h("p", { class: "note bad" }, coded(wordsOf(error))));
  }
}

/** @param {HTMLDialogElement} dialog @param {TaskView} task */
function draw(dialog, task) {
  const now = Date.now();
  const facts = [
    ["task.state", t(`status.${task.status}`)],
    ["task.due", task.deadline ? clock(task.deadline, now) : t("task.no-time")],
    ["task.added", clock(task.createdAt, now)],
  ];
  const isOpen = OPEN.has(task.status);
  const press = (/** @type {() => Promise<void>} */ act) => () => {
    dialog.close();
    void act().catch((error) => say(wordsOf(error), "bad"));
  };
  dialog.append(
    h("p", { class: "prompt", dir: "auto" }, worded(task.titleWorded, task.title)),
    task.notes ? h("p", { class: "kept-lines", dir: "auto" }, task.notes) : "",
    h("dl", { class: "figures" }, facts.map(([key, text]) => h("div", null, h("dt", null, t(key)), h("dd", null, text)))),
    h(
      "div",
      { class: "row end wrap" },
      h("button", { type: "button", on: { click: press(() => remove(task)) } }, icon("reject"), t("task.delete")),
      h("button", { type: "button", class: "main", on: { click: press(() => mark(task, isOpen ? "completed" : "queued")) } }, icon(isOpen ? "approve" : "undo"), t(isOpen ? "task.done" : "task.reopen")),
    ),
  );
}

/** @param {TaskView} task @param {"completed" | "queued"} status */
async function mark(task, status) {
  show(await send("PATCH", `/tasks/${task.id}`, { status }));
  offer(t(status === "completed" ? "task.is-done" : "task.is-open"), async () => show(await send("PATCH", `/tasks/${task.id}`, { status: task.status })));
}

/** @param {TaskView} task */
async function remove(task) {
  await send("DELETE", `/tasks/${task.id}`);
  forget(task.id);
  const { title, notes, deadline, status } = task;
  offer(t("task.is-deleted"), async () => show(await send("POST", "/tasks", { title, notes, status, ...(deadline ? { deadline } : {}) })));
}
