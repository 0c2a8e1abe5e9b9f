/** The charts of Insight: each takes figures of the hub and returns a figure of the page, with its words and its table. */

import { number, percent, usd } from "../format.js";
import { h } from "../dom.js";
import { channelTitle, t } from "../words.js";
import { drawBars, drawLine, drawReliability, drawShares } from "./chart-draw.js";
import { plainChart, readableChart } from "./chart-frame.js";
import { longDay, shortDay } from "./days.js";

/** @typedef {import("./chart-math.js").Bucket} Bucket */
/** @typedef {import("../types").Cap} Cap */
/** @typedef {import("../types").ChancesJudged} ChancesJudged */
/** @typedef {import("../types").ChannelFigures} ChannelFigures */

const NEARLY_FULL = 0.8;

/**
 * How often an answer was yes, over time.
 * @param {Bucket[]} buckets one or more
 */
export function approvalChart(buckets) {
  const approved = sum(buckets, "approved");
  const answered = approved + sum(buckets, "rejected");
  return readableChart({
    title: t("insight.approval"),
    says: t("insight.approval-says", { share: percent(approved / answered), approved, answered }),
    marks: buckets.length,
    read: (index) => `${nameOf(buckets[index])}: ${approvalOf(buckets[index])}`,
    draw: (width) => drawLine(width, { values: buckets.map((one) => one.approvalRate), labels: labelsOf(buckets), share: percent }),
    table: () => ({
      columns: [t("insight.when"), t("insight.approved"), t("insight.rejected"), t("insight.expired"), t("insight.rate")],
      rows: buckets.map((one) => [nameOf(one), number(one.approved), number(one.rejected), number(one.expired), rateOf(one.approvalRate)]),
    }),
  });
}

/**
 * How much was suggested, and how often it interrupted.
 * @param {Bucket[]} buckets one or more
 */
export function volumeChart(buckets) {
  const [suggestions, interruptions] = [sum(buckets, "suggestions"), sum(buckets, "interruptions")];
  return readableChart({
    title: t("insight.volume"),
    says: volumeOf({ suggestions, interruptions }),
    legend: [
      { tone: "tone-a", name: t("insight.suggestions") },
      { tone: "tone-b", name: t("insight.interruptions") },
    ],
    marks: buckets.length,
    read: (index) => `${nameOf(buckets[index])}: ${volumeOf(buckets[index])}`,
    draw: (width) =>
      drawBars(width, {
        up: buckets.map((one) => one.suggestions),
        down: buckets.map((one) => one.interruptions),
        labels: labelsOf(buckets),
        count: number,
      }),
    table: () => ({
      columns: ["when", "suggestions", "interruptions", "executed", "handed-over", "failed", "blocked", "cost"].map((name) => t(`insight.${name}`)),
      rows: buckets.map((one) => [
        nameOf(one),
        ...[one.suggestions, one.interruptions, one.executed, one.handedOver, one.failed, one.blocked].map((count) => number(count)),
        usd(one.costUsd),
      ]),
    }),
  });
}

/**
 * How far the chances of a yes can be believed.
 * @param {ChancesJudged} chances
 */
export function chancesChart({ answers, apart, brier, sharpness, points }) {
  const read = (/** @type {number} */ index) => {
    const { said, came, answers: count } = points[index];
    return t("insight.chances-reads", { said: percent(said), found: percent(came), count });
  };
  return readableChart({
    title: t("insight.chances"),
    says:
      apart === null || brier === null || sharpness === null
        ? undefined
        : t("insight.chances-says", { answers: number(answers), share: percent(apart), brier: number(brier, 2), sharpness: number(sharpness, 2) }),
    marks: points.length,
    read,
    draw: (width) =>
      drawReliability(width, {
        points: points.map(({ said, came, answers: count }) => ({ said, found: came, count })),
        share: percent,
        said: t("insight.chance-said"),
        found: t("insight.found"),
      }),
    table: () => ({
      columns: ["chance", "answered", "chance-expected", "rate"].map((name) => t(`insight.${name}`)),
      rows: points.map((one) => [`${percent(one.low)} – ${percent(one.high)}`, number(one.answers), percent(one.said), percent(one.came)]),
    }),
  });
}

/**
 * What was spent of each cap.
 * @param {Cap[]} caps
 */
export function capsChart(caps) {
  const body = h("ul", { class: "chart-rows" }, caps.map(capRow));
  return plainChart(
    {
      title: t("insight.caps"),
      says: t("insight.caps-says"),
      table: () => ({
        columns: ["cap", "spent", "limit", "share"].map((name) => t(`insight.${name}`)),
        rows: caps.map((cap) => [t(`insight.window-${cap.window}`), usd(cap.spentUsd), usd(cap.capUsd), percent(shareOf(cap))]),
      }),
    },
    body,
  );
}

/**
 * Which channels are suggested for, and what became of that.
 * @param {ChannelFigures[]} channels
 */
export function channelsChart(channels) {
  const sorted = channels.filter((one) => one.suggestions > 0).sort((one, other) => other.suggestions - one.suggestions || one.channel.localeCompare(other.channel));
  const most = Math.max(1, ...sorted.map(({ suggestions }) => suggestions));
  return plainChart(
    {
      title: t("insight.channels"),
      legend: [
        { tone: "tone-a", name: t("insight.approved") },
        { tone: "tone-b", name: t("insight.rejected") },
        { tone: "tone-c", name: t("insight.neither") },
      ],
        table: () => ({
        columns: ["channel", "suggestions", "approved", "rejected", "executed", "handed-over", "failed", "cost"].map((name) => t(`insight.${name}`)),
        rows: sorted.map((one) => [
          channelTitle(one.channel),
          ...[one.suggestions, one.approved, one.rejected, one.executed, one.handedOver ?? 0, one.failed].map((count) => number(count)),
          usd(one.costUsd),
        ]),
      }),
    },
    h("ul", { class: "chart-rows" }, sorted.map((one) => channelRow(one, most))),
  );
}

/** @param {Cap} cap */
function capRow(cap) {
  const share = shareOf(cap);
  const tone = share >= 1 ? "tone-bad" : share >= NEARLY_FULL ? "tone-b" : "tone-a";
  const words = t("insight.of", { spent: usd(cap.spentUsd), cap: usd(cap.capUsd) });
  const name = t(`insight.window-${cap.window}`);
  const gauge = { role: "meter", aria: { label: name, valuemin: 0, valuemax: cap.capUsd, valuenow: Math.min(cap.spentUsd, cap.capUsd), valuetext: words } };
  return h("li", null, rowHead(name, words), h("div", gauge, drawShares([{ share: Math.min(1, share), tone }])));
}

/**
 * @param {ChannelFigures} one
 * @param {number} most the suggestions of the busiest channel
 */
function channelRow(one, most) {
  const rest = Math.max(0, one.suggestions - one.approved - one.rejected);
  const parts = [
    { share: one.approved / most, tone: "tone-a" },
    { share: one.rejected / most, tone: "tone-b" },
    { share: rest / most, tone: "tone-c" },
  ];
  const words = t("insight.channel-says", { count: one.suggestions, approved: one.approved, rejected: one.rejected, cost: usd(one.costUsd) });
  return h("li", null, rowHead(channelTitle(one.channel), words), drawShares(parts));
}

/**
 * @param {string} name
 * @param {string} words
 */
function rowHead(name, words) {
  return h("p", { class: "chart-row" }, h("span", { class: "chart-name" }, name), h("span", { class: "facts" }, words));
}

/** @param {Bucket[]} buckets */
function labelsOf(buckets) {
  return buckets.map(({ from }) => shortDay(from));
}

/** @param {Bucket} bucket */
function nameOf({ from, to }) {
  return from === to ? longDay(from) : `${shortDay(from)} – ${shortDay(to)}`;
}

/** @param {Bucket} bucket */
function approvalOf({ approved, rejected, approvalRate }) {
  if (approvalRate === null) return t("insight.no-answer");
  return t("insight.approval-says", { share: percent(approvalRate), approved, answered: approved + rejected });
}

/** @param {{suggestions: number, interruptions: number}} counts */
function volumeOf({ suggestions, interruptions }) {
  return `${t("insight.suggested", { count: suggestions })}, ${t("insight.interrupted", { count: interruptions })}`;
}

/** @param {number | null} rate */
function rateOf(rate) {
  return rate === null ? "–" : percent(rate);
}

/** @param {Cap} cap */
function shareOf({ spentUsd, capUsd }) {
  return capUsd > 0 ? spentUsd / capUsd : 1;
}

/**
 * @param {Bucket[]} buckets
 * @param {"approved" | "rejected" | "suggestions" | "interruptions"} name
 */
function sum(buckets, name) {
  return buckets.reduce((total, one) => total + one[name], 0);
}
