/** Insight: how well Pulse knows what is wanted, how often it speaks up, and what it costs. */

import { get } from "../api.js";
import { announce, drawn, h, replace } from "../dom.js";
import { number, percent, usd } from "../format.js";
import { t } from "../words.js";
import { zoneNote } from "../zones.js";
import { approvalChart, capsChart, chancesChart, channelsChart, volumeChart } from "./charts.js";
import { activeDays, bucketsOf } from "./chart-math.js";
import { partHead } from "./part-head.js";
import { needStyles } from "./styles.js";
import { troubleNote } from "./trouble-note.js";

/** @typedef {import("../types").InsightAnswer} InsightAnswer */

const YEAR_DAYS = 365;
const SPANS_DAYS = [7, 30, 90, YEAR_DAYS];
const SAVED_AS = "pulse.insight-days";

await needStyles("views.css", "insight.css");

/**
 * @param {HTMLElement} root
 * @returns {() => void}
 */
export function mount(root) {
  let days = savedSpan();
  let asked = 0;
  const body = h("div", { class: "insight-body" });
  const chips = h("div", { class: "chips", role: "group", aria: { label: t("insight.span") } });

  async function load() {
    const turn = ++asked;
    replace(chips, ...SPANS_DAYS.map((one) => chip(one, one === days, choose)));
    body.setAttribute("aria-busy", "true");
    try {
      const answer = await get(`/insight?days=${days}`);
      if (turn !== asked) return;
      chips.hidden = days === YEAR_DAYS ? isEmpty(answer) : isEmpty(answer) && isEmpty(await get(`/insight?days=${YEAR_DAYS}`));
      replace(body, ...content(answer));
    } catch (error) {
      if (turn === asked) replace(body, troubleNote(error, load));
    }
    if (turn === asked) body.removeAttribute("aria-busy");
  }

  /** @param {number} chosen */
  function choose(chosen) {
    days = chosen;
    localStorage.setItem(SAVED_AS, String(chosen));
    void load().then(() => announce(t("insight.shown", { count: chosen })));
    /** @type {HTMLElement | null} */ (chips.querySelector("button[aria-pressed=true]"))?.focus();
  }

  root.append(h("section", { class: "insight is-coming" }, partHead(t("insight.title"), chips), body));
  void load().then(drawn).then(() => root.firstElementChild?.classList.remove("is-coming"));
  return () => {
    asked = 0;
  };
}

/**
 * @param {number} days
 * @param {boolean} isChosen
 * @param {(days: number) => void} choose
 */
function chip(days, isChosen, choose) {
  return h("button", { type: "button", aria: { pressed: isChosen }, on: { click: () => choose(days) } }, t(days === YEAR_DAYS ? "insight.year" : "insight.days", { count: days }));
}

/** @param {InsightAnswer} answer */
const isEmpty = ({ days }) => days.every(({ suggestions, approved, rejected, executed }) => suggestions + approved + rejected + executed === 0);

/** @param {InsightAnswer} answer */
function content(answer) {
  if (isEmpty(answer)) return [h("p", { class: "chart-empty" }, t("insight.empty"))];
  return [
    tiles(answer),
    answer.truncated && h("p", { class: "note" }, t("insight.truncated")),
    h("div", { class: "insight-charts" }, charts(answer)),
    h("p", { class: "facts" }, t("controls.interruptions-counted")),
    zoneNote() && h("p", { class: "facts" }, zoneNote()),
  ];
}

/** A chart stands there once it has something to show. @param {InsightAnswer} answer */
function charts({ days, caps, channels, chances }) {
  const buckets = bucketsOf(days);
  const isAny = (/** @type {("approved" | "rejected" | "suggestions" | "interruptions")[]} */ ...names) => days.some((day) => names.some((name) => day[name] > 0));
  const stack = [
    caps.some(({ spentUsd }) => spentUsd > 0) && capsChart(caps),
    channels.some(({ suggestions }) => suggestions > 0) && channelsChart(channels),
  ];
  return [
    isAny("approved", "rejected") && approvalChart(buckets),
    isAny("suggestions", "interruptions") && volumeChart(buckets),
    chances.more === 0 && chancesChart(chances),
    stack.some(Boolean) && h("div", { class: "insight-stack" }, stack),
  ];
}

/** @param {InsightAnswer} answer */
function tiles({ days }) {
  const total = (/** @type {"approved" | "rejected" | "suggestions" | "interruptions" | "costUsd" | "executed"} */ name) =>
    days.reduce((sum, day) => sum + day[name], 0);
  const answered = total("approved") + total("rejected");
  const active = activeDays(days);
  return h(
    "dl",
    { class: "tiles" },
    answered > 0 && tile(t("insight.rate"), percent(total("approved") / answered)),
    tile(t("insight.suggestions-day"), number(active ? total("suggestions") / active : 0, 1)),
    total("executed") > 0 && tile(t("insight.executed"), number(total("executed"))),
    tile(t("insight.per-day"), number(active ? total("interruptions") / active : 0, 1)),
    total("costUsd") > 0 && tile(t("insight.cost"), usd(total("costUsd"))),
  );
}

/**
 * @param {string} name
 * @param {string} value
 */
function tile(name, value) {
  return h("div", { class: "tile" }, h("dt", null, name), h("dd", null, value));
}

function savedSpan() {
  const saved = Number(localStorage.getItem(SAVED_AS));
  return SPANS_DAYS.includes(saved) ? saved : 30;
}
