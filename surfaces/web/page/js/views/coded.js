/** Sentences that name commands: what is typed is set as code, and works as the person called Pulse on their computer. */

import { h } from "../dom.js";
import { state } from "../state.js";

/**
 * A text in which `what is typed` stands out.
 * @param {string} text with backquotes around commands and names
 * @returns {(HTMLElement | string)[]}
 */
export function coded(text) {
  return text.split("`").map((part, place) => (place % 2 ? h("code", { class: "mono", dir: "ltr" }, asCalled(part)) : part));
}

const KEPT_AS = "pulse.command";

/** Keep how Pulse is called where it runs, for when nobody is signed in here. @param {string} command */
export function keepCommand(command) {
  if (command) localStorage.setItem(KEPT_AS, command);
}

/** @returns {string} how Pulse was called when somebody was signed in here last; empty where nobody was */
export function recallCommand() {
  return localStorage.getItem(KEPT_AS) ?? "";
}

/**
 * A command of Pulse's as it is called where it runs.
 * @param {string} command for example `pulse phone`
 * @returns {string} for example `./pulse phone`
 */
export function asCalled(command) {
  const name = state.get().session?.command || "pulse";
  return command.replace(/^pulse(?= )/, () => name);
}
