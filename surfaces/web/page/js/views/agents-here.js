/** The coding agents on this machine, each with how it is connected; one that is not shows the exact change and the command. */

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

/** @param {readonly CodingAgentView[]} agents */
export function agentRows(agents) {
  return h("ul", { class: "here-rows" }, agents.map(agentRow));
}

/** @param {CodingAgentView} view */
function agentRow(view) {
  const isConnected = view.state === "connected";
  const words = h("span", { class: "grow" }, h("bdi", { class: "name" }, view.title), view.notes.map((note) => h("span", { class: "facts", dir: "auto" }, coded(note))));
  if (isConnected) return h("li", { class: "here-row" }, words, h("span", { class: "badge good" }, icon("approve"), t("begin.connected")));
  const label = t(view.state === "not-connected" ? "begin.connect" : "begin.mend");
  const button = h("button", { type: "button", class: "small", aria: { label: t("begin.connect-name", { label, name: view.title }) }, on: { click: () => openConnect(view) } }, label);
  return h("li", { class: "here-row" }, words, button);
}

/**
 * Show what connecting an agent changes, and the command that does it. The page does not run it: connecting an agent
 * lets in the terminal where that is typed.
 * @param {CodingAgentView} view
 */
export function openConnect(view) {
  const { agent, title, file, adds, removes, more, says, saysWorded, notes, command } = view;
  const dialog = openDialog(t("begin.connect-title", { name: title }), "sheet connect");
  const status = h("p", { class: "note", role: "status" }, t("begin.connect-waits"));
  const lines = [...removes.map((line) => ["removed", `- ${line}`]), ...adds.map((line) => ["added", `+ ${line}`])];
  const change = h("pre", { class: "asked diff mono", tabindex: 0, role: "group", aria: { label: t("begin.connect-change", { file }) }, dir: "ltr" }, lines.map(([kind, line]) => h("span", { class: `line ${kind}` }, `${line}\n`)));
  dialog.append(
    h("div", { class: "stack" },
      says.length > 0 && h("p", null, coded(says.map((one, place) => worded(saysWorded?.[place], one)).join(" "))),
      notes.map((note) => h("p", { class: "note warn", dir: "auto" }, coded(note))),
      h("p", null, t(file ? "begin.connect-how" : "begin.connect-where")),
      commandLine(command),
      file && lines.length > 0 && h("details", { open: lines.length < 12 }, h("summary", null, broken(t("begin.connect-change", { file }))), change, more > 0 && h("p", { class: "facts" }, t("begin.connect-more", { count: more }))),
      status,
    ),
  );
  const stop = lookOften();
  const unwatch = agentsHere.watch(({ agents }) => {
    if (agents.find((one) => one.agent === agent)?.state !== "connected") return;
    status.className = "note good";
    setText(status, t("begin.connect-done", { name: title }));
  });
  dialog.addEventListener("close", () => {
    stop();
    unwatch();
  });
}
