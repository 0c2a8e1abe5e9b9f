/** Whether Pulse works at all, and whether it acts alone: the levels of the kill switch (CROSSPOLL 3.7) and the pause. */

import { coded } from "./coded.js";
import { h, replace, setText } from "../dom.js";
import { t } from "../words.js";
import { confirmed } from "./confirm.js";
import { levelOf } from "./controls-model.js";
import { action, panel, toggle } from "./controls-parts.js";
import { progressIn } from "./standing.js";
import { worded } from "./wordings.js";

/** @typedef {import("./controls-desk.js").Desk} Desk */
/** @typedef {import("./controls-model.js").Level} Level */

/** @type {Record<Level, string>} */
const TONES = { emergency: "bad", file: "warn", off: "warn", paused: "warn", alone: "good", cards: "good" };

/**
 * @param {Desk} desk
 * @returns {HTMLElement}
 */
export function powerPanel(desk) {
  const title = h("p", { class: "power-level" });
  const reason = h("p", { class: "power-reason" });
  const banner = h("div", { class: "note power" }, title, reason);
  const enabled = toggle({ label: t("controls.enabled"), hint: t("controls.enabled-hint"), change: (on) => desk.change({ enabled: on }) });
  const alone = toggle({ label: t("controls.autonomous"), hint: t("controls.autonomous-hint"), change: (on) => desk.change({ autonomous: on }) });
  const progress = h("p", { class: "facts" });
  const buttons = h("div", { class: "power-buttons" });
  desk.show(({ status, enabled: isOn, autonomous }) => {
    const level = levelOf(status);
    banner.className = `note power ${TONES[level]}`;
    setText(title, t(level === "cards" && status.grants ? "controls.level-cards-else" : `controls.level-${level}`));
    replace(reason, ...coded(worded(status.reasonWorded, status.reason)));
    enabled.show(isOn, level === "emergency" || level === "file");
    alone.show(autonomous);
    replace(progress, progressIn(status), status.grants > 0 && [" ", h("a", { href: "#/settings/alone" }, t("controls.permissions", { count: status.grants }))]);
    if (buttons.dataset.level === level) return;
    buttons.dataset.level = level;
    replace(buttons, steering(desk, level), emergency(desk, level));
  });
  return panel(t("controls.power"), "", banner, enabled.node, alone.node, progress, buttons);
}

/**
 * @param {Desk} desk
 * @param {Level} level
 */
function steering(desk, level) {
  if (level === "paused") return action({ words: t("controls.resume"), tone: "main", work: () => desk.steer("resume") });
  const canPause = level === "alone" || level === "cards";
  return canPause && action({ words: t("controls.pause"), work: () => desk.steer("pause") });
}

/**
 * @param {Desk} desk
 * @param {Level} level
 */
function emergency(desk, level) {
  if (level === "emergency") return action({ words: t("controls.lift"), tone: "main", work: () => desk.change({ emergencyStop: false }) });
  return action({
    words: t("controls.stop-all"),
    tone: "bad",
    work: async () => {
      const question = { title: t("controls.stop-all-title"), text: t("controls.stop-all-text"), yes: t("controls.stop-all") };
      return (await confirmed(question)) ? desk.change({ emergencyStop: true }) : undefined;
    },
  });
}
