/** The coding agents on this machine, each with how it is connected, and the exact change and the command that connects or disconnects it. */

import { broken, h, icon, setText } from "../dom.js";
import { coded } from "./coded.js";
import { agentsHere, lookOften } from "../coding-agents.js";
import { t } from "../words.js";
import { worded } from "./wordings.js";
import { commandLine } from "./command-line.js";
import { openDialog } from "./dialog.js";
import { needStyles } from "./styles.js";

/** @typedef {import("../types").CodingAgentView} CodingAgentView */

await needStyles("set-up.css");

/**
 * @param {readonly CodingAgentView[]} agents
 * @param {(view: CodingAgentView) => (HTMLElement | "")[]} [about] what more is said of one that is connected, where it can be disconnected as well
 */
export function agentRows(agents, about) {
  return h("ul", { class: "here-rows" }, agents.map((view) => agentRow(view, about)));
}

/** @param {CodingAgentView} view @param {((view: CodingAgentView) => (HTMLElement | "")[]) | undefined} about */
function agentRow(view, about) {
  const isConnected = view.state === "connected";
  const words = h("span", { class: "grow" }, h("bdi", { class: "name" }, view.title), isConnected && about?.(view), notesOf(view).map((note) => h("span", { class: "facts", dir: "auto" }, coded(note))));
  if (isConnected && !about) return h("li", { class: "here-row" }, words, h("span", { class: "badge good" }, icon("approve"), t("begin.connected")));
  const label = t(isConnected ? "agents.disconnect" : view.state === "not-connected" ? "begin.connect" : "begin.mend");
  const button = h("button", { type: "button", class: "small", aria: { label: t("begin.connect-name", { label, name: view.title }) }, on: { click: () => openConnect(view) } }, label);
  return h("li", { class: "here-row" }, words, button);
}

/** @param {CodingAgentView} view @returns {string[]} what stands in the way */
const notesOf = ({ notes, notesWorded }) => notes.map((note, place) => worded(notesWorded?.[place], note));

/**
 * Show what connecting an agent changes, or disconnecting one that is connected, and the command that does it. The page
 * does not run it: connecting an agent lets in the terminal where that is typed.
 * @param {CodingAgentView} view
 */
export function openConnect(view) {
  const { agent, title, file, adds, removes, more, says, saysWorded, command } = view;
  const isConnected = view.state === "connected";
  const dialog = openDialog(t(isConnected ? "agents.disconnect-title" : "begin.connect-title", { name: title }), "sheet connect");
  const status = h("p", { class: "note", role: "status" }, t("begin.connect-waits"));
  const lines = [...removes.map((line) => ["removed", `- ${line}`]), ...adds.map((line) => ["added", `+ ${line}`])];
  const change = h("pre", { class: "asked diff mono", tabindex: 0, role: "group", aria: { label: t("begin.connect-change", { file }) }, dir: "ltr" }, lines.map(([kind, line]) => h("span", { class: `line ${kind}` }, `${line}\n`)));
  dialog.append(
    h("div", { class: "stack" },
      says.length > 0 && h("p", null, coded(says.map((one, place) => worded(saysWorded?.[place], one)).join(" "))),
      notesOf(view).map((note) => h("p", { class: "note warn", dir: "auto" }, coded(note))),
      h("p", null, t(file ? "begin.connect-how" : isConnected ? "agents.disconnect-where" : "begin.connect-where")),
      commandLine(command),
      file && lines.length > 0 && h("details", { open: lines.length < 12 }, h("summary", null, broken(t("begin.connect-change", { file }))), change, more > 0 && h("p", { class: "facts" }, t("begin.connect-more", { count: more }))),
      status,
    ),
  );
  const stop = lookOften();
  const unwatch = agentsHere.watch(({ agents }) => {
    if ((agents.find((one) => one.agent === agent)?.state === "connected") === isConnected) return;
    status.className = "note good";
    setText(status, t(isConnected ? "agents.disconnect-done" : "begin.connect-done", { name: title }));
  });
  dialog.addEventListener("close", () => {
    stop();
    unwatch();
  });
}
