/** The switch above the cards: whether Pulse works at all. Its words say so, for it holds agents' requests, too. */

import { press } from "../answers.js";
import { send } from "../api.js";
import { h, setText } from "../dom.js";
import { state } from "../state.js";
import { t } from "../words.js";

/** @typedef {import("../state.js").Model} Model */

/** What this switch does not lift: what stands in the place of Stop does, or says what does. */
const LIFTED_ELSEWHERE = new Set(["emergency", "file"]);

/** @returns {HTMLButtonElement} the switch, to be drawn with `drawPower` */
export function powerSwitch() {
  const power = h(
    "button",
    { type: "button", class: "switch", role: "switch", aria: { label: t("deck.power") } },
    h("span", { class: "text", aria: { hidden: true } }),
    h("span", { class: "knob", aria: { hidden: true } }),
  );
  power.addEventListener("click", () => void toggle(power));
  return power;
}

/** @param {HTMLElement} power @param {Model} model */
export function drawPower(power, { status }) {
  const isOn = status?.enabled ?? false;
  power.hidden = LIFTED_ELSEWHERE.has(status?.killedBy ?? "");
  power.setAttribute("aria-checked", String(isOn));
  power.title = isOn ? t("controls.enabled-hint") : "";
  setText(/** @type {Element} */ (power.firstElementChild), t(isOn ? "deck.on" : "deck.off"));
}

/** @param {HTMLButtonElement} power */
async function toggle(power) {
  const enabled = !(state.get().status?.enabled ?? false);
  await press(power, async () => {
    const answer = await send("PATCH", "/crosspoll/config", { enabled });
    if (answer?.status) state.set({ status: answer.status });
  });
}
