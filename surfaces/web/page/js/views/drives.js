/** Drives: what presses, whether it wakes Pulse and why, how it was over the last days, and how much each counts. */

import { get } from "../api.js";
import { announce, drawn, h, isStill, replace, setText } from "../dom.js";
import { age, clock, ms, until } from "../format.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { bar, barRow, loadWords } from "./drive-bars.js";
import { drivesChart, outcomeOf, wakesList, wakeWords } from "./drive-chart.js";
import { WeightSlider } from "./drive-weights.js";
import { fullLoad, pressing, totalAfter } from "./drives-model.js";
import { partHead } from "./part-head.js";
import { needStyles } from "./styles.js";
import { troubleNote } from "./trouble-note.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").DrivesView} DrivesView */
/** @typedef {import("../types").DriveView} DriveView */

const CALM_MS = 400;
const AGAIN_MS = 60_000;
const SPANS_DAYS = [1, 7];
const SAVED_AS = "pulse.drives-days";

await needStyles("views.css", "controls.css", "insight.css", "drives.css");

/**
 * @param {HTMLElement} root
 * @returns {() => void}
 */
export function mount(root) {
  const verdict = verdictPanel();
  const bars = barsPanel();
  const past = pastPanel();
  const weights = weightsPanel(() => void load());
  const body = h("div", { class: "drives-body", aria: { busy: true } });
  const trouble = h("div", null);
  root.append(h("section", { class: "drives" }, partHead(t("drives.title")), trouble, body));
  const grid = h("div", { class: "drives-grid" }, h("div", { class: "drives-stack" }, verdict.node, bars.node), weights.node);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let planned;
  let isGone = false;
  let asked = 0;
  let readAt = 0;

  async function load() {
    const turn = ++asked;
    clearTimeout(planned);
    planned = undefined;
    try {
      const view = await get("/drives");
      if (isGone || turn !== asked) return;
      readAt = Date.now();
      show(view);
      replace(trouble);
    } catch (error) {
      if (!isGone && turn === asked) replace(trouble, troubleNote(error, () => void load()));
    }
    body.removeAttribute("aria-busy");
    planned ??= setTimeout(load, AGAIN_MS);
  }

  /** @param {DrivesView} view */
  function show(view) {
    if (!grid.isConnected && isNew(view)) return void replace(body, h("p", { class: "chart-empty" }, t("drives.none")));
    if (!grid.isConnected) replace(body, grid, past.node);
    verdict.show(view);
    bars.show(view);
    weights.show(view);
    past.show(view);
  }

  function tick() {
    if (!readAt) return;
    verdict.tick();
    if (!isStill()) bars.grow(Date.now() - readAt);
  }

  let drives = state.get().status?.drives;
  const unwatch = state.watch(({ status }) => {
    if (status?.drives === drives) return;
    drives = status?.drives;
    clearTimeout(planned);
    planned = setTimeout(load, CALM_MS);
  });
  addEventListener("pulse:tick", tick);
  void load();
  return () => {
    isGone = true;
    clearTimeout(planned);
    weights.flush();
    unwatch();
    removeEventListener("pulse:tick", tick);
  };
}

/** @param {DrivesView} view @returns {boolean} whether there was nothing yet to weigh or to show */
const isNew = ({ drives, lastWake }) => lastWake === null && pressing(drives).length === 0;

/** Why it woke or did not, in one sentence; when that changes by itself; and the last time. */
function verdictPanel() {
  const says = h("p", { class: "drives-says", dir: "auto" });
  const next = h("p", { class: "facts", hidden: true });
  const last = h("p", { class: "facts", hidden: true });
  /** @type {DrivesView | null} */
  let known = null;
  const tick = () => {
    const at = known?.nextAt ?? null;
    const isAhead = at !== null && ms(at) > Date.now();
    next.hidden = !isAhead;
    if (isAhead && known) setText(next, t(known.verdict.rule === "below" ? "drives.next-wakes" : "drives.next-looks", { when: until(at, Date.now()), time: clock(at, Date.now()) }));
  };
  return {
    node: h("section", { class: "panel drives-verdict", aria: { label: t("drives.verdict") } }, says, next, last),
    tick,
    show: (/** @type {DrivesView} */ view) => {
      known = view;
      setText(says, worded(view.verdict.saysWorded, view.verdict.says));
      tick();
      last.hidden = view.lastWake === null;
      if (view.lastWake) replace(last, `${t("drives.last", { age: age(view.lastWake.at, Date.now()) })} ${wakeWords(view.lastWake)} `, ...outcomeOf(view.lastWake));
    },
  };
}

/** All together against what is enough, then a bar for each drive. */
function barsPanel() {
  const sum = h("span", { class: "drive-load" });
  const meter = bar(t("drives.together"));
  const marks = h("p", { class: "facts" });
  const list = h("ol", { class: "drive-list" });
  const together = h("div", { class: "drive drive-sum" }, h("p", { class: "drive-head" }, h("span", { class: "drive-name" }, t("drives.together")), sum), meter.node, marks);
  const empty = h("p", { class: "chart-empty" }, t("drives.empty"));
  /** @type {Map<string, import("./drive-bars.js").Row>} */
  const rows = new Map();
  /** @type {DrivesView | null} */
  let known = null;
  const grow = (/** @type {number} */ sinceMs) => {
    if (!known) return;
    const total = totalAfter(known.drives, sinceMs);
    setText(sum, t("drives.of", { load: loadWords(total), threshold: loadWords(known.threshold) }));
    meter.show(total, { ...known, full: fullLoad(known) }, known.threshold);
    rows.forEach((row) => row.grow(sinceMs));
  };
  return {
    node: h("section", { class: "panel", aria: { label: t("drives.bars") } }, empty, together, list),
    grow,
    show: (/** @type {DrivesView} */ view) => {
      known = view;
      const shown = pressing(view.drives);
      const scale = { ...view, full: fullLoad(view) };
      empty.hidden = shown.length > 0;
      together.hidden = shown.length === 0;
      setText(marks, t("drives.marks", { single: loadWords(view.singleThreshold) }));
      inOrder(list, rows, shown, barRow);
      shown.forEach((drive) => rows.get(drive.name)?.show(drive, scale));
      grow(0);
    },
  };
}

/** How it was: a chart, and when Pulse woke. It is read anew when something came of a wake, or another span is chosen. */
function pastPanel() {
  const chips = h("div", { class: "chips", role: "group", aria: { label: t("insight.span") } });
  const place = h("div", { class: "drives-past is-drawing", aria: { busy: true } });
  let days = localStorage.getItem(SAVED_AS) === "7" ? 7 : 1;
  let [asked, key] = [0, ""];
  const drawChips = () => replace(chips, SPANS_DAYS.map((one) => h("button", { type: "button", aria: { pressed: one === days }, on: { click: () => choose(one) } }, t(`drives.span-${one}`))));
  const load = async () => {
    const turn = ++asked;
    try {
      const history = await get(`/drives/history?days=${days}`);
      if (turn === asked) replace(place, drivesChart(history), h("section", { class: "panel", aria: { label: t("drives.wakes") } }, h("h2", null, t("drives.wakes")), wakesList(history.wakes)));
    } catch (error) {
      if (turn === asked) replace(place, troubleNote(error, () => void load()));
    }
    place.removeAttribute("aria-busy");
    void drawn().then(() => place.classList.remove("is-drawing"));
  };
  const choose = (/** @type {number} */ chosen) => {
    days = chosen;
    localStorage.setItem(SAVED_AS, String(chosen));
    drawChips();
    /** @type {HTMLElement | null} */ (chips.querySelector("button[aria-pressed=true]"))?.focus();
    void load().then(() => announce(t(`drives.span-${chosen}`)));
  };
  drawChips();
  return {
    node: h("section", { class: "drives-history", aria: { label: t("drives.history") } }, h("header", { class: "view-head" }, h("h2", null, t("drives.history")), chips), place),
    /** @param {DrivesView} view */
    show({ lastWake, drives }) {
      const fresh = JSON.stringify([lastWake, drives.map(({ name, weight, open }) => [name, weight, open])]);
      const isRead = place.contains(document.activeElement) || place.querySelector("details[open]") !== null;
      if (fresh === key || (key && isRead)) return; // who reads it keeps it
      key = fresh;
      void load();
    },
  };
}

/** @param {() => void} changed */
function weightsPanel(changed) {
  const list = h("ul", { class: "drive-weights" });
  /** @type {Map<string, WeightSlider>} */
  const sliders = new Map();
  const id = "drives-weights";
  return {
    node: h("section", { class: "panel control", aria: { labelledby: id } }, h("h2", { id }, t("drives.weights")), h("p", { class: "facts" }, t("drives.weights-says")), list),
    /** @param {DrivesView} view */
    show({ drives }) {
      const byName = drives.toSorted((one, other) => one.name.localeCompare(other.name)); // a slider stays under the finger
      inOrder(list, sliders, byName, (name) => new WeightSlider(name, changed));
      byName.forEach((drive) => sliders.get(drive.name)?.show(drive));
    },
    flush: () => sliders.forEach((slider) => slider.flush()),
  };
}

/**
 * Bring a list to what it is to show; what is there stays, with its focus and what was opened in it.
 * @template {{node: HTMLElement}} T
 * @param {HTMLElement} list
 * @param {Map<string, T>} rows
 * @param {readonly DriveView[]} drives
 * @param {(name: string) => T} make
 */
function inOrder(list, rows, drives, make) {
  const names = drives.map(({ name }) => name);
  for (const [name, row] of rows) {
    if (names.includes(name)) continue;
    row.node.remove();
    rows.delete(name);
  }
  names.forEach((name, index) => {
    const row = rows.get(name) ?? make(name);
    rows.set(name, row);
    if (list.children[index] !== row.node) list.insertBefore(row.node, list.children[index] ?? null);
  });
}
