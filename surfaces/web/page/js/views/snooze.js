/** When a card is to come back: four usual times, or one of the person's own. */

import { answer } from "../answers.js";
import { h, icon } from "../dom.js";
import { clock } from "../format.js";
import { t } from "../words.js";
import { openDialog } from "./dialog.js";
import { promptOf } from "./wordings.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {{name: string, picture: string, at: Date}} Choice */

const MINUTE_MS = 60_000;
const TONIGHT_HOUR = 19;
const MORNING_HOUR = 8;
const DAYS_MAX = 7;

/**
 * The usual times, as of now, in this browser's time zone. Tonight is left out once it is nearly there.
 * @param {Date} now
 * @returns {Choice[]}
 */
export function choicesOf(now) {
  const tonight = atHour(now, 0, TONIGHT_HOUR);
  const all = [
    { name: "minutes", picture: "hour", at: new Date(now.getTime() + 10 * MINUTE_MS) },
    { name: "hour", picture: "snooze", at: new Date(now.getTime() + 60 * MINUTE_MS) },
    { name: "tonight", picture: "moon", at: tonight },
    { name: "morning", picture: "sun", at: atHour(now, now.getHours() < MORNING_HOUR - 3 ? 0 : 1, MORNING_HOUR) },
  ];
  return all.filter((one) => one.name !== "tonight" || tonight.getTime() - now.getTime() > 90 * MINUTE_MS);
}

/** @param {Date} now @param {number} days @param {number} hour */
function atHour(now, days, hour) {
  const at = new Date(now);
  at.setDate(at.getDate() + days);
  at.setHours(hour, 0, 0, 0);
  return at;
}

/**
 * @param {Prediction} prediction
 * @param {import("../answers.js").Input} input
 */
export function openSnooze(prediction, input) {
  const now = new Date();
  const dialog = openDialog(t("snooze.title"), "sheet snooze");
  /** @param {Date} at */
  const choose = (at) => {
    dialog.close();
    void answer(prediction, "snooze", input, { until: at.toISOString() });
  };
  const choices = choicesOf(now).map(({ name, picture, at }) =>
    h(
      "li",
      null,
      h(
        "button",
        { type: "button", on: { click: () => choose(at) } },
        icon(picture),
        h("span", { class: "grow" }, t(`snooze.${name}`)),
        h("time", { class: "facts", datetime: at.toISOString() }, clock(at, now)),
      ),
    ),
  );
  dialog.append(
    h("p", { class: "quiet what", dir: "auto" }, promptOf(prediction)),
    h("ul", { class: "choices" }, choices),
    ownTime(now, choose),
    h("p", { class: "facts" }, t("snooze.left", { count: prediction.snoozesLeft })),
  );
  dialog.querySelector("ul")?.querySelector("button")?.focus();
}

/** @param {Date} now @param {(at: Date) => void} choose */
function ownTime(now, choose) {
  const latest = new Date(now.getTime() + DAYS_MAX * 24 * 60 * MINUTE_MS);
  const field = h("input", {
    type: "datetime-local",
    id: "snooze-own",
    required: true,
    min: localText(now),
    max: localText(latest),
  });
  const form = h(
    "form",
    { class: "own" },
    h("label", { for: "snooze-own" }, t("snooze.own")),
    h("div", { class: "row wrap" }, field, h("button", { type: "submit" }, t("snooze.set"))),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    choose(new Date(field.value));
  });
  return form;
}

/** A time as such a field wants it: local, without a zone. @param {Date} date */
function localText(date) {
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}
