/** The tasks that the page shows follow what is done here at once; the hub tells the other pages, and this one again. */

import { state } from "../state.js";

/** @typedef {import("../types").TaskView} TaskView */

/** Put a task where it stands, or before all others. @param {TaskView} task */
export function show(task) {
  const { tasks } = state.get();
  const isKnown = tasks.some(({ id }) => id === task.id);
  state.set({ tasks: isKnown ? tasks.map((one) => (one.id === task.id ? task : one)) : [task, ...tasks] });
}

/** @param {string} id of a task that is gone */
export function forget(id) {
  state.set({ tasks: state.get().tasks.filter((one) => one.id !== id) });
}
