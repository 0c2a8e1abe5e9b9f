/** Draws a flow chart: boxes in layers, arrows between them. What is no such chart is shown as the text it is. */

import { h, svg } from "../dom.js";
import { t } from "../words.js";
import { graphOf } from "./graph-model.js";

/** @typedef {import("./graph-model.js").Graph} Graph */
/** @typedef {import("./graph-model.js").GraphNode} GraphNode */

const BOX = { wide: 150, high: 34, gapWide: 26, gapHigh: 46 };
const LABEL_CHARS_MAX = 20;

/**
 * @param {string} text as Mermaid has it
 * @returns {HTMLElement}
 */
export function drawGraph(text) {
  const graph = graphOf(text);
  const plain = h("pre", { class: "output mono", tabindex: 0, role: "group", aria: { label: t("result.code") }, dir: "ltr" }, text);
  if (!graph) return plain;
  return h("div", { class: "graph stack" }, h("div", { class: "graph-room", tabindex: 0, role: "group", aria: { label: t("result.graph") } }, drawn(graph)), h("details", null, h("summary", null, t("result.graph-text")), plain));
}

/** @param {Graph} graph */
function drawn(graph) {
  const { nodes, edges, layers, widest, isAcross } = graph;
  const step = isAcross ? { layer: BOX.wide + BOX.gapHigh, place: BOX.high + BOX.gapWide } : { layer: BOX.high + BOX.gapHigh, place: BOX.wide + BOX.gapWide };
  const [long, broad] = [layers * step.layer, widest * step.place];
  const [width, height] = isAcross ? [long, broad] : [broad, long];
  const counts = nodes.reduce((sum, { layer }) => sum.set(layer, (sum.get(layer) ?? 0) + 1), /** @type {Map<number, number>} */ (new Map()));
  const at = new Map(nodes.map((node) => {
    const shift = ((widest - (counts.get(node.layer) ?? 0)) * step.place) / 2;
    const [along, aside] = [node.layer * step.layer, node.place * step.place + shift];
    return [node.id, isAcross ? { x: along, y: aside } : { x: aside, y: along }];
  }));
  const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0 0l8 4-8 4z" }));
  const lines = edges.map(([from, to]) => line(at.get(from), at.get(to), isAcross));
  const says = t("result.graph-says", { count: nodes.length, edges: edges.length });
  return svg("svg", { viewBox: `-2 -2 ${width + 4} ${height + 4}`, width: width + 4, height: height + 4, role: "img", aria: { label: says } }, svg("defs", null, arrow), lines, nodes.map((node) => box(node, at.get(node.id))));
}

/** @param {{x: number, y: number} | undefined} from @param {{x: number, y: number} | undefined} to @param {boolean} isAcross */
function line(from, to, isAcross) {
  if (!from || !to) return null;
  const [begin, end] = isAcross
    ? [{ x: from.x + BOX.wide, y: from.y + BOX.high / 2 }, { x: to.x, y: to.y + BOX.high / 2 }]
    : [{ x: from.x + BOX.wide / 2, y: from.y + BOX.high }, { x: to.x + BOX.wide / 2, y: to.y }];
  return svg("path", { class: "edge", d: `M${begin.x} ${begin.y}L${end.x} ${end.y}`, "marker-end": "url(#arrow)" });
}

/** @param {GraphNode} node @param {{x: number, y: number} | undefined} place */
function box({ label }, place) {
  const short = label.length > LABEL_CHARS_MAX ? `${label.slice(0, LABEL_CHARS_MAX - 1)}…` : label;
  const { x, y } = place ?? { x: 0, y: 0 };
  return svg("g", { class: "node" }, svg("title", null, label), svg("rect", { x, y, width: BOX.wide, height: BOX.high, rx: 8 }), svg("text", { x: x + BOX.wide / 2, y: y + BOX.high / 2, "text-anchor": "middle", "dominant-baseline": "central" }, short));
}
