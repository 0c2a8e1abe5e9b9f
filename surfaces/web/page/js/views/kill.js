/** The kill switch and its milder levels. One press opens it, a second one stops everything. */

import { send, wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { announce, h, icon, replace } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { openDialog } from "./dialog.js";
import { canStart, isStopped } from "./stop-state.js";

/** @typedef {{name: string, picture: string, looks: string, act: () => Promise<any>}} Level */

const CONFIG = "/crosspoll/config";

/** @returns {Level[]} what can be done about Pulse as it is now, strongest first */
function levels() {
  const { status } = state.get();
  const stop = {
    name: "all",
    picture: "stop",
    looks: "bad",
    act: () => send("PATCH", CONFIG, { emergencyStop: true }),
  };
  const resume = { name: "resume", picture: "play", looks: "main", act: resumeAll };
  if (isStopped()) return canStart() ? [resume] : [];
  const pause = { name: "pause", picture: "pause", looks: "", act: () => send("POST", "/crosspoll/pause", {}) };
  const unpause = { name: "unpause", picture: "play", looks: "", act: () => send("POST", "/crosspoll/resume", {}) };
  const alone = {
    name: "alone",
    picture: "mission",
    looks: "",
    act: () => send("PATCH", CONFIG, { autonomous: false }),
  };
  return [stop, status?.state === "paused" ? unpause : pause, ...(status?.autonomous ? [alone] : [])];
}

/** Both switches may be off; lifting the one that is not set is no harm. */
async function resumeAll() {
  await send("PATCH", CONFIG, { emergencyStop: false });
  if (!state.get().status?.enabled) return send("PATCH", CONFIG, { enabled: true });
  return null;
}

/** Open the kill switch. */
export function openKillSwitch() {
  const now = isStopped() ? "stopped" : state.get().status?.state === "paused" ? "paused" : "on";
  const dialog = openDialog(t(`kill.title-${now}`), "sheet kill-switch");
  const trouble = h("p", { class: "note bad", role: "alert", hidden: true });
  const list = h("div", { class: "stack" });
  replace(list, ...levels().map((level) => levelButton(level, dialog, trouble)));
  if (now === "stopped" && !canStart()) replace(list, h("p", null, coded(t("kill.file"))));
  dialog.append(list, trouble);
  list.querySelector("button")?.focus();
}

/** @param {Level} level @param {HTMLDialogElement} dialog @param {HTMLElement} trouble */
function levelButton({ name, picture, looks, act }, dialog, trouble) {
  const button = h(
    "button",
    { type: "button", class: `level ${looks}` },
    icon(picture),
    h(
      "span",
      { class: "grow" },
      h("strong", null, t(`kill.${name}`)),
      h("span", { class: "means" }, t(`kill.${name}.means`)),
    ),
  );
  button.addEventListener("click", () => void press());
  async function press() {
    button.disabled = true;
    try {
      const answer = await act();
      if (answer?.status) state.set({ status: answer.status });
      dialog.close();
      announce(t(`kill.${name}.done`), true);
    } catch (error) {
      trouble.hidden = false;
      replace(trouble, ...coded(wordsOf(error)));
      button.disabled = false;
    }
  }
  return button;
}
