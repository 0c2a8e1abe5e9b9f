/** When Pulse keeps still: quiet hours every day, and do-not-disturb until a moment. */

import { h, replace, setText } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../words.js";
import { zoneNote } from "../zones.js";
import { laterThan, localInput, quietChoices } from "./controls-model.js";
import { action, choice, panel } from "./controls-parts.js";

/** @typedef {import("./controls-desk.js").Desk} Desk */
/** @typedef {import("./controls-desk.js").Outcome} Outcome */

const HOURS = 24;
const HOUR_MS = 3_600_000;

/**
 * @param {Desk} desk
 * @returns {HTMLElement}
 */
export function quietPanel(desk) {
  const hours = Array.from({ length: HOURS }, (_, hour) => /** @type {[string, string]} */ ([String(hour), hourName(hour)]));
  const start = choice({ label: t("controls.quiet-from"), choices: hours, change: (hour) => desk.change({ quietHoursStart: Number(hour) }) });
  const end = choice({ label: t("controls.quiet-to"), choices: hours, change: (hour) => desk.change({ quietHoursEnd: Number(hour) }) });
  const zone = h("p", { class: "facts" });
  desk.show((config) => {
    start.show(String(config.quietHoursStart));
    end.show(String(config.quietHoursEnd));
    const isNone = config.quietHoursStart === config.quietHoursEnd;
    setText(zone, `${t(isNone ? "controls.quiet-none" : "controls.quiet-daily")} ${zoneNote()}`.trim());
  });
  return panel(t("controls.quiet"), t("controls.quiet-says"), h("div", { class: "control-fields" }, start.node, end.node), zone, disturb(desk));
}

/** @param {Desk} desk */
function disturb(desk) {
  const says = h("p", { class: "facts", role: "status" });
  const buttons = h("div", { class: "chips" });
  const custom = customForm(desk);
  desk.show(({ dndUntil }) => {
    const now = new Date();
    const isOn = dndUntil !== null && new Date(dndUntil) > now;
    setText(says, isOn ? t("controls.dnd-until", { time: clock(dndUntil, now) }) : t("controls.dnd-none"));
    const until = (/** @type {{choice: string, until: Date}} */ one) =>
      action({ words: t(`controls.dnd-${one.choice}`, { time: clock(one.until) }), work: () => quiet(desk, one.until) });
    const off = isOn && action({ words: t("controls.dnd-off"), tone: "main", work: () => desk.change({ dndOff: true }) });
    const held = buttons.contains(document.activeElement);
    replace(buttons, ...quietChoices(now).map(until), off);
    if (held) buttons.querySelector("button")?.focus();
  });
  return h("div", { class: "control-group" }, h("h3", null, t("controls.dnd")), says, buttons, custom);
}

/** @param {Desk} desk */
function customForm(desk) {
  const told = h("p", { class: "control-told", id: "dnd-told", role: "status", hidden: true });
  const input = h("input", { type: "datetime-local", id: "dnd-time", aria: { describedby: "dnd-told" } });
  const form = h(
    "form",
    { class: "control-field dnd-form", novalidate: true },
    h("label", { for: "dnd-time" }, t("controls.dnd-custom")),
    h("div", { class: "control-input" }, input, h("button", { type: "submit" }, t("controls.dnd-set"))),
    told,
  );
  input.min = localInput(new Date());
  input.value = localInput(new Date(Date.now() + 2 * HOUR_MS));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const moment = laterThan(input.value, new Date());
    const { message } = moment === null ? { message: t("controls.dnd-over") } : await quiet(desk, moment);
    told.hidden = message === "";
    setText(told, message);
  });
  return h("details", { class: "dnd-custom" }, h("summary", null, t("controls.dnd-other")), form);
}

/**
 * @param {Desk} desk
 * @param {Date} until
 * @returns {Promise<Outcome>}
 */
function quiet(desk, until) {
  return desk.change({ dndUntil: until.toISOString() });
}

/** @param {number} hour */
function hourName(hour) {
  return `${String(hour).padStart(2, "0")}:00`;
}
