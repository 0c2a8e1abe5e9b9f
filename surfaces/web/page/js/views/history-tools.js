/** What narrows the timeline: words, a span of days, and what became of the cards. */

import { h, replace } from "../dom.js";
import { t } from "../words.js";
import { FILTERS, SEARCH_CHARS_MAX, WHENS } from "./history-model.js";

/** @typedef {import("./history-model.js").Wanted} Wanted */

const SEARCH_WAIT_MS = 250;

/**
 * @param {Wanted} wanted changed in place
 * @param {() => void} changed called whenever something else is wanted; of words once the person has stopped typing
 */
export function historyTools(wanted, changed) {
  return h("div", { class: "history-tools" }, h("div", { class: "history-search", role: "search" }, searchField(wanted, changed), whenField(wanted, changed)), filterChips(wanted, changed));
}

/** @param {Wanted} wanted @param {() => void} changed */
function searchField(wanted, changed) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const input = h("input", {
    type: "search",
    value: wanted.search,
    maxlength: SEARCH_CHARS_MAX,
    placeholder: t("history.search"),
    autocomplete: "off",
    enterkeyhint: "search",
    aria: { label: t("history.search") },
  });
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    wanted.search = input.value;
    waiting = setTimeout(changed, SEARCH_WAIT_MS);
  });
  return input;
}

/** @param {Wanted} wanted @param {() => void} changed */
function whenField(wanted, changed) {
  const field = h("select", { name: "when", aria: { label: t("history.when") } }, WHENS.map((when) => h("option", { value: when, selected: when === wanted.when }, t(`history.when-${when}`))));
  field.addEventListener("change", () => {
    wanted.when = /** @type {import("./history-model.js").When} */ (field.value);
    changed();
  });
  return field;
}

/** @param {Wanted} wanted @param {() => void} changed */
function filterChips(wanted, changed) {
  const chips = h("div", { class: "chips history-filters", role: "group", aria: { label: t("history.filter") } });
  const choose = (/** @type {import("./history-model.js").Filter} */ filter) => {
    wanted.filter = filter;
    for (const one of chips.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one.dataset.filter === filter));
    changed();
  };
  return replace(chips, FILTERS.map((filter) => h("button", { type: "button", dataset: { filter }, aria: { pressed: filter === wanted.filter }, on: { click: () => choose(filter) } }, t(`history.only-${filter}`))));
}
