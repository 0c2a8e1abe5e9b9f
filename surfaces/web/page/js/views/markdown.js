/** Draws the blocks of a Markdown text as elements. */

import { h } from "../dom.js";
import { t } from "../words.js";
import { drawGraph } from "./graph.js";
import { blocksOf } from "./markdown-model.js";

/** @typedef {import("./markdown-model.js").Block} Block */
/** @typedef {import("./markdown-model.js").Span} Span */

const TAGS = /** @type {const} */ ({ strong: "strong", emphasis: "em", code: "code" });

/**
 * @param {string} text
 * @returns {HTMLElement[]}
 */
export function markdown(text) {
  return blocksOf(text).map(blockElement);
}

/** @param {Block} block @returns {HTMLElement} */
function blockElement(block) {
  switch (block.kind) {
    case "heading":
      return h(block.level < 2 ? "h4" : "h5", null, spans(block.spans));
    case "quote":
      return h("blockquote", null, spans(block.spans));
    case "list":
      return h(block.isOrdered ? "ol" : "ul", null, block.items.map((item) => h("li", null, spans(item))));
    case "code":
      return block.language === "mermaid" ? drawGraph(block.text) : code(block.text);
    case "table":
      return tableElement(block.rows);
    case "rule":
      return h("hr", null);
    default:
      return h("p", null, spans(block.spans));
  }
}

/** @param {string} text */
function code(text) {
  return h("pre", { class: "output mono", tabindex: 0, role: "group", aria: { label: t("result.code") }, dir: "ltr" }, text);
}

/** @param {Span[][][]} rows */
function tableElement([head, ...rows]) {
  const cells = (/** @type {Span[][]} */ row, /** @type {"th" | "td"} */ tag) => row.map((cell) => h(tag, null, spans(cell)));
  const table = h("table", null, h("thead", null, h("tr", null, cells(head ?? [], "th"))), h("tbody", null, rows.map((row) => h("tr", null, cells(row, "td")))));
  return h("div", { class: "table", tabindex: 0, role: "group", aria: { label: t("result.table") } }, table);
}

/** @param {Span[]} found */
function spans(found) {
  return found.map((span) => {
    if (span.kind === "text") return span.text;
    if (span.kind === "link") return h("a", { href: span.href, target: "_blank", rel: "noreferrer noopener" }, span.text);
    return h(TAGS[span.kind], null, span.text);
  });
}
