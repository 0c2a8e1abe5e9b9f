/** A command to be typed in a terminal, with a button that copies it. */

import { announce, broken, h, icon, replace } from "../dom.js";
import { t } from "../words.js";
import { needStyles } from "./styles.js";

const COPIED_MS = 2_000;

await needStyles("set-up.css");

/** @param {string} command */
export function commandLine(command) {
  const copy = h("button", { type: "button", class: "small", aria: { label: t("begin.copy-command", { command }) } }, icon("copy"), h("span", null, t("begin.copy")));
  copy.addEventListener("click", async () => {
    const words = await navigator.clipboard.writeText(command).then(() => t("begin.copied"), () => t("begin.copy-not"));
    announce(words);
    replace(copy, icon("approve"), h("span", null, words));
    setTimeout(() => replace(copy, icon("copy"), h("span", null, t("begin.copy"))), COPIED_MS);
  });
  return h("div", { class: "command-line" }, h("code", { class: "mono grow", dir: "ltr" }, broken(command)), copy);
}
