/** Controls: what Pulse may do, when it may speak, what it may cost; then the devices. */

import { wordsOf } from "../api.js";
import { h, replace } from "../dom.js";
import { t } from "../words.js";
import { attentionPanel } from "./controls-attention.js";
import { Desk } from "./controls-desk.js";
import { capsPanel, channelsPanel, thresholdsPanel } from "./controls-limits.js";
import { powerPanel } from "./controls-power.js";
import { quietPanel } from "./controls-quiet.js";
import { saidPanel } from "./controls-said.js";
import { devicesPanels } from "./devices.js";
import { needStyles } from "./styles.js";

await needStyles("views.css", "controls.css");

/**
 * @param {HTMLElement} root
 * @returns {() => void}
 */
export function mount(root) {
  const body = h("div", { class: "controls-grid", aria: { busy: true } });
  const devices = h("div", { class: "controls-grid" });
  /** @type {Desk | null} */
  let desk = null;
  const said = [saidPanel("grants"), saidPanel("mutes")];
  let isGone = false;

  async function load() {
    try {
      desk = await Desk.open();
      if (isGone) desk.close();
      else replace(body, ...panels(desk), h("div", { class: "controls-wide" }, ...said.map((one) => one.root)));
    } catch (error) {
      if (!isGone) replace(body, trouble(error, load));
    }
    body.removeAttribute("aria-busy");
  }

  root.append(
    h(
      "section",
      { class: "controls" },
      h("header", { class: "view-head" }, h("h1", null, t("controls.title"))),
      body,
      h("p", { class: "note" }, t("controls.keeps")),
      h("h2", { class: "controls-second", id: "devices" }, t("devices.title")),
      devices,
    ),
  );
  void load();
  const leaveDevices = devicesPanels(devices);
  return () => {
    isGone = true;
    desk?.close();
    for (const { end } of said) end();
    leaveDevices();
  };
}

/** @param {Desk} desk */
function panels(desk) {
  return [
    h("div", { class: "controls-stack" }, powerPanel(desk), attentionPanel(desk), quietPanel(desk)),
    h("div", { class: "controls-stack" }, capsPanel(desk), thresholdsPanel(desk)),
    h("div", { class: "controls-wide" }, channelsPanel(desk)),
  ];
}

/**
 * @param {unknown} error
 * @param {() => void} again
 */
function trouble(error, again) {
  const retry = h("button", { type: "button", class: "small", on: { click: () => void again() } }, t("controls.again"));
  return h("div", { class: "note bad stack", role: "alert" }, h("p", null, wordsOf(error)), h("div", null, retry));
}
