/** What may be spent, how sure an idea must be, and for which channels there are ideas at all. */

import { h, setText, svg } from "../dom.js";
import { percent, usd } from "../format.js";
import { agentTitle, channelTitle, t } from "../words.js";
import { drawShares } from "./chart-draw.js";
import { channelPatch } from "./controls-model.js";
import { action, keyedList, numberField, panel, toggle } from "./controls-parts.js";
import { worded } from "./wordings.js";

/** @typedef {import("./controls-desk.js").Desk} Desk */
/** @typedef {import("../types").ChannelView} ChannelView */
/** @typedef {import("../types").ConfigAnswer} ConfigAnswer */

const CAPS = /** @type {const} */ ([
  { name: "costCapPerHour", spent: "costThisHour", label: "hour" },
  { name: "costCapPerDay", spent: "costToday", label: "day" },
  { name: "costCapPerMonth", spent: "costThisMonth", label: "month" },
]);
const BANDS = /** @type {const} */ (["showThreshold", "suggestThreshold", "autoExecuteThreshold"]);
const BAND_HEIGHT = 10;

/**
 * @param {Desk} desk
 * @returns {HTMLElement}
 */
export function capsPanel(desk) {
  const rows = CAPS.map((cap) => {
    const field = numberField({ label: t(`controls.cap-${cap.label}`), kind: "usd", unit: "USD", change: (value) => desk.change({ [cap.name]: value }) });
    const spent = h("p", { class: "facts" });
    const gauge = h("div", { aria: { hidden: true } });
    desk.show(({ [cap.name]: limit, status }) => {
      field.show(limit);
      setText(spent, t("controls.spent", { spent: usd(status[cap.spent]) }));
      const share = limit > 0 ? Math.min(1, status[cap.spent] / limit) : 1;
      gauge.replaceChildren(drawShares([{ share, tone: share >= 1 ? "tone-bad" : "tone-a" }]));
    });
    return h("div", { class: "cap" }, field.node, gauge, spent);
  });
  const again = action({ words: t("controls.reenable"), work: () => reenabled(desk) });
  const stopped = h("div", { hidden: true }, h("p", { class: "facts" }, t("controls.reenable-says")), again);
  desk.show(({ status }) => {
    stopped.hidden &&= !status.monthStopped; // once shown it stays, with what it says when it was used
  });
  return panel(t("controls.caps"), t("controls.caps-says"), h("div", { class: "control-fields" }, rows), stopped);
}

/**
 * @param {Desk} desk
 * @returns {HTMLElement}
 */
export function thresholdsPanel(desk) {
  const fields = BANDS.map((name) => {
    const field = numberField({ label: t(`controls.${name}`), kind: "percent", unit: "%", change: (value) => desk.change({ [name]: value }) });
    desk.show((config) => field.show(config[name]));
    return field.node;
  });
  const strip = h("div", { class: "bands" });
  desk.show((config) => strip.replaceChildren(bands(config), bandsLegend(config)));
  return panel(t("controls.thresholds"), t("controls.thresholds-says"), strip, h("div", { class: "control-fields" }, fields));
}

/**
 * @param {Desk} desk
 * @returns {HTMLElement}
 */
export function channelsPanel(desk) {
  const list = h("ul", { class: "control-list" });
  /** @type {Map<string, (isOn: boolean) => void>} */
  const shows = new Map();
  desk.show(({ channelViews }) => {
    keyedList(list, channelViews, channelKey, (view) => {
      const { node, show } = channelToggle(desk, view);
      shows.set(view.name, show);
      return h("li", null, node);
    });
    for (const { name, enabled } of channelViews) shows.get(name)?.(enabled);
  });
  return panel(t("controls.channels"), t("controls.channels-says"), list);
}

/** @param {Desk} desk */
async function reenabled(desk) {
  const outcome = await desk.change({ reenableMonth: true });
  return outcome.isTaken ? { isTaken: true, message: t("controls.reenabled") } : outcome;
}

/**
 * @param {Desk} desk
 * @param {ChannelView} view
 */
function channelToggle(desk, view) {
  const facts = [worded(view.specialtyWorded, view.specialty), t("controls.agent", { agent: agentTitle(view.agent) }), t(`controls.risk-${view.risk}`), t("controls.per-run", { cost: usd(view.costPerRunUsd) })];
  return toggle({ label: channelTitle(view.name), hint: facts.filter(Boolean).join(" · "), change: (on) => desk.change(channelPatch(desk.config, view.name, on)) });
}

/** @param {ChannelView} view */
function channelKey({ enabled: _, ...view }) {
  return JSON.stringify(view);
}

/** @param {ConfigAnswer} config */
function bands({ showThreshold, suggestThreshold, autoExecuteThreshold }) {
  const edges = [0, showThreshold, suggestThreshold, autoExecuteThreshold, 1];
  const rects = edges.slice(1).map((end, index) => {
    const width = Math.max(0, end - edges[index]);
    return svg("rect", { class: `band band-${index}`, x: `${edges[index] * 100}%`, width: `${width * 100}%`, height: "100%" });
  });
  return svg("svg", { class: "bands-strip", height: BAND_HEIGHT, aria: { hidden: true } }, rects);
}

/** @param {ConfigAnswer} config */
function bandsLegend({ showThreshold, suggestThreshold, autoExecuteThreshold }) {
  const edges = [showThreshold, showThreshold, suggestThreshold, autoExecuteThreshold];
  const item = (/** @type {number} */ share, /** @type {number} */ index) =>
    h("li", null, h("span", { class: `chart-key band-key-${index}`, aria: { hidden: true } }), t(`controls.band-${index}`, { share: percent(share) }));
  return h("ul", { class: "chart-legend" }, edges.map(item));
}
