/** What an interruption is to the person: three words, a number of a day, and the times at which the rest is told at once. */

import { h, setText } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../words.js";
import { zoneNote } from "../zones.js";
import { clockTimes } from "./controls-model.js";
import { choice, numberField, panel, textField, toggle } from "./controls-parts.js";

/** @typedef {import("./controls-desk.js").Desk} Desk */

const MISTAKES = /** @type {const} */ (["needlessInterruption", "missedHelp", "wrongAct"]);
const WORDS = /** @type {const} */ (["mild", "bad", "awful"]);

/**
 * @param {Desk} desk
 * @returns {HTMLElement}
 */
export function attentionPanel(desk) {
  const spent = h("p", { class: "facts", role: "status" });
  desk.show(({ status: { attention } }) => {
    if (!attention) return;
    const next = attention.nextDigestAt === null ? "" : t("controls.digest-next", { time: clock(attention.nextDigestAt, new Date()) });
    const waits = attention.held > 0 ? [t("controls.held", { count: attention.held }), next] : [];
    setText(spent, [t("controls.interruptions-spent", { spent: attention.spent, count: attention.perDay }), ...waits].filter(Boolean).join(" "));
  });
  return panel(t("controls.attention"), t("controls.attention-says"), spent, h("div", { class: "control-fields" }, MISTAKES.map((name) => word(desk, name))), budget(desk), onReturn(desk));
}

/**
 * @param {Desk} desk
 * @param {(typeof MISTAKES)[number]} name
 */
function word(desk, name) {
  const choices = WORDS.map((one) => /** @type {[string, string]} */ ([one, t(`controls.is-${one}`)]));
  const field = choice({ label: t(`controls.${name}`), choices, change: (value) => desk.change({ [name]: value }) });
  desk.show((config) => field.show(config[name]));
  return field.node;
}

/** @param {Desk} desk */
function budget(desk) {
  const perDay = numberField({ label: t("controls.interruptionsPerDay"), kind: "count", unit: "", change: (value) => desk.change({ interruptionsPerDay: value }) });
  const times = textField({
    label: t("controls.digestTimes"),
    change: async (text) => {
      const digestTimes = clockTimes(text);
      return digestTimes === null ? { isTaken: false, message: t("controls.bad-times") } : desk.change({ digestTimes });
    },
  });
  times.node.classList.add("wide"); // three times of day and more
  desk.show((config) => {
    perDay.show(config.interruptionsPerDay);
    times.show(config.digestTimes.join(", "));
  });
  return h("div", { class: "control-fields" }, perDay.node, times.node, h("p", { class: "facts wide" }, t("controls.interruptions-counted")), zoneNote() && h("p", { class: "facts wide" }, zoneNote()));
}

/** @param {Desk} desk */
function onReturn(desk) {
  const back = toggle({ label: t("controls.digestOnReturn"), change: (on) => desk.change({ digestOnReturn: on }) });
  desk.show((config) => back.show(config.digestOnReturn));
  return back.node;
}
