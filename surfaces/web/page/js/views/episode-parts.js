/** The parts of an episode: its steps in order of time, the rails' verdicts with their numbers, and its runs. */

import { h, icon } from "../dom.js";
import { clock, dayOf, fullTime, lasted, ms, number, span, usd } from "../format.js";
import { agentTitle, has, t } from "../words.js";
import { folded, isAside, numberName, tally } from "./episode-model.js";
import { resultWords } from "./face.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").StepView} StepView */
/** @typedef {import("../types").VerdictView} VerdictView */
/** @typedef {import("../types").RunView} RunView */

const SECOND_MS = 1_000;
const OUTCOME_ICONS = { pass: "approve", ask: "details", block: "stop" };
/** @type {Record<string, string>} */
const RUN_TONES = { verified: "good", failed: "bad", interrupted: "warn", stopped: "", queued: "accent", active: "accent", finished: "accent" };

/**
 * @param {readonly StepView[]} steps
 * @returns {HTMLElement}
 */
export function timeline(steps) {
  if (steps.length === 0) return h("p", { class: "quiet" }, t("episode.no-steps"));
  const now = new Date();
  let day = "";
  const items = steps.flatMap((step) => {
    const today = dayOf(step.at, now);
    const isNew = today !== day;
    day = today;
    return [isNew && h("li", { class: "step-day facts" }, today), stepItem(step)];
  });
  return h("ol", { class: "steps" }, items);
}

/**
 * @param {readonly RunView[]} runs
 * @returns {HTMLElement}
 */
export function runCards(runs) {
  return h("ul", { class: "attempts" }, runs.map(runCard));
}

/** @param {StepView} step */
function stepItem(step) {
  const kind = has(`episode.kind-${step.kind}`) ? t(`episode.kind-${step.kind}`) : step.kind;
  return h(
    "li",
    { class: isAside(step) ? "step is-aside" : "step", dataset: { kind: step.kind } },
    h("time", { class: "facts", datetime: step.at, title: fullTime(step.at) }, clock(step.at)),
    h(
      "div",
      { class: "step-body" },
      h("p", { class: "step-kind" }, kind),
      h("p", { dir: "auto" }, worded(step.textWorded, step.text)),
      linesOf(step),
      step.verdicts.length > 0 && verdictList(step.verdicts),
    ),
  );
}

/** @param {StepView} step */
function linesOf(step) {
  if (step.lines.length === 0) return null;
  const lines = step.lines.map((line, place) => worded(step.linesWorded?.[place], line));
  if (step.kind === "progress" || step.kind === "result") return unfold("episode.output-lines", lines.length, output(lines.join("\n")));
  const { shown, folded: rest } = folded(lines);
  return [lineList(shown), rest.length > 0 && unfold("episode.lines", rest.length, lineList(rest))];
}

/** @param {readonly string[]} lines */
function lineList(lines) {
  return h("ul", { class: "step-lines" }, lines.map((line) => h("li", { dir: "auto" }, line)));
}

/**
 * @param {string} key of the words that say how much is folded away
 * @param {number} count
 * @param {HTMLElement} body
 */
function unfold(key, count, body) {
  return h("details", null, h("summary", null, t(key, { count })), body);
}

/** @param {readonly VerdictView[]} verdicts */
function verdictList(verdicts) {
  const counts = tally(verdicts);
  const told = Object.entries(counts).flatMap(([outcome, count]) => (count ? [t(`episode.tally-${outcome}`, { count })] : []));
  const says = t("episode.tally", { listed: told.join(", ") });
  return h("details", { open: counts.block > 0 }, h("summary", null, says), h("ul", { class: "verdicts" }, verdicts.map(verdictItem)));
}

/** @param {VerdictView} verdict */
function verdictItem({ outcome, rule, reason, reasonWorded, numbers }) {
  const pairs = Object.entries(numbers);
  return h(
    "li",
    { class: "verdict", dataset: { outcome } },
    h("span", { class: "verdict-mark" }, icon(OUTCOME_ICONS[outcome]), h("span", { class: "only-read" }, t(`episode.verdict-${outcome}`))),
    h(
      "div",
      null,
      h("p", { dir: "auto" }, worded(reasonWorded, reason)),
      h("p", { class: "facts" }, h("span", { class: "mono" }, rule), pairs.map(([name, value]) => ` · ${numberWords(name, value)}`)),
    ),
  );
}

/**
 * @param {string} rawName as a check calls it, its unit last
 * @param {number} value
 * @returns {string}
 */
export function numberWords(rawName, value) {
  const { name: bare, unit } = numberName(rawName);
  const name = has(`rail-number.${rawName}`) ? t(`rail-number.${rawName}`) : bare;
  if (unit === "usd") return `${name} ${usd(value)}`;
  return unit === "s" ? `${name} ${span(value * SECOND_MS)}` : `${name} ${number(value)}`;
}

/** @param {RunView} run */
function runCard(run) {
  const told = run.result?.durationS ?? null; // what else is said of this run has the same
  const tookMs = told !== null ? told * SECOND_MS : run.startedAt && run.endedAt ? ms(run.endedAt) - ms(run.startedAt) : null;
  const facts = [
    agentTitle(run.agent),
    t(run.autonomous ? "episode.alone" : "episode.with-leave"),
    tookMs === null ? "" : t("episode.took", { span: lasted(tookMs) }),
    usd(run.costUsd),
    run.exitCode === null ? "" : t("episode.exit", { code: String(run.exitCode) }),
  ];
  return h(
    "li",
    { class: "attempt stack" },
    h(
      "div",
      { class: "row wrap" },
      h("h3", null, t("episode.attempt", { number: run.attempt })),
      h("span", { class: `badge ${RUN_TONES[run.state]}` }, t(`episode.run-${run.state}`)),
      h("time", { class: "facts", datetime: run.queuedAt, title: fullTime(run.queuedAt) }, clock(run.queuedAt, Date.now())),
    ),
    h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
    run.result && h("p", { dir: "auto" }, resultWords(run.result)),
    run.proof && h("p", { class: run.result ? "facts" : "", dir: "auto" }, worded(run.proofWorded, run.proof)),
    run.output ? h("details", { open: run.state !== "verified" }, h("summary", null, t("episode.output")), output(run.output)) : h("p", { class: "quiet" }, t("episode.no-output")),
  );
}

/**
 * What a program put out, as it put it out. It scrolls by itself, so keys must reach it.
 * @param {string} words
 */
function output(words) {
  return h("pre", { class: "output", tabindex: 0, role: "group", aria: { label: t("episode.output") }, dir: "auto" }, words);
}
