/**
 * Markdown as agents and playbooks write it, in blocks and spans. Pure, and deliberately small: headings, paragraphs,
 * lists, quotes, code, tables, rules; emphasis, code and links in a line. What it does not know stays the text it is.
 * Nothing is ever HTML: whoever draws makes elements of blocks.
 */

/** @typedef {{kind: "text" | "strong" | "emphasis" | "code" | "link", text: string, href?: string}} Span */
/**
 * @typedef {{kind: "heading", level: number, spans: Span[]}
 *   | {kind: "paragraph", spans: Span[]}
 *   | {kind: "quote", spans: Span[]}
 *   | {kind: "list", isOrdered: boolean, items: Span[][]}
 *   | {kind: "code", language: string, text: string}
 *   | {kind: "table", rows: Span[][][]}
 *   | {kind: "rule"}} Block
 */

export const BLOCKS_MAX = 2_000;
const FENCE = /^ {0,3}(```+|~~~+)\s*([\w-]*)/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/;
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;
const QUOTE = /^ {0,3}>\s?(.*)$/;
const TABLE = /^\s*\|.*\|\s*$/;
const TABLE_LINE = /^\s*\|[\s:|-]+\|\s*$/;
const SPAN = /`([^`]+)`|\*\*([^*]+)\*\*|__([^_]+)__|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;
const SAFE_LINK = /^https?:\/\//;

/**
 * @param {string} text
 * @returns {Block[]} at most BLOCKS_MAX
 */
export function blocksOf(text) {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  /** @type {Block[]} */
  const blocks = [];
  for (let at = 0; at < lines.length && blocks.length < BLOCKS_MAX; ) {
    if (!lines[at].trim()) {
      at += 1;
      continue;
    }
    const { block, used } = nextOf(lines, at);
    blocks.push(block);
    at += used;
  }
  return blocks;
}

/** @param {string[]} lines @param {number} at @returns {{block: Block, used: number}} */
function nextOf(lines, at) {
  const line = lines[at];
  const fence = FENCE.exec(line);
  if (fence) return codeOf(lines, at, fence);
  const heading = HEADING.exec(line);
  if (heading) return { block: { kind: "heading", level: heading[1].length, spans: spansOf(heading[2]) }, used: 1 };
  if (RULE.test(line)) return { block: { kind: "rule" }, used: 1 };
  if (TABLE.test(line)) return tableOf(lines, at);
  if (ITEM.test(line)) return listOf(lines, at);
  const quoted = run(lines, at, (one) => QUOTE.test(one));
  if (quoted.length) return { block: { kind: "quote", spans: spansOf(quoted.map((one) => one.replace(QUOTE, "$1")).join(" ")) }, used: quoted.length };
  const rest = run(lines, at + 1, (one) => one.trim() !== "" && !isStart(one));
  return { block: { kind: "paragraph", spans: spansOf([line, ...rest].map((one) => one.trim()).join(" ")) }, used: rest.length + 1 };
}

/** @param {string} line */
const isStart = (line) => [FENCE, HEADING, RULE, ITEM, QUOTE, TABLE].some((one) => one.test(line));

/** @param {string[]} lines @param {number} from @param {(line: string) => boolean} fits */
function run(lines, from, fits) {
  const end = lines.findIndex((line, place) => place >= from && !fits(line));
  return lines.slice(from, end < 0 ? undefined : end);
}

/** @param {string[]} lines @param {number} at @param {RegExpExecArray} fence @returns {{block: Block, used: number}} */
function codeOf(lines, at, fence) {
  const body = run(lines, at + 1, (line) => !line.trimStart().startsWith(fence[1]));
  return { block: { kind: "code", language: fence[2], text: body.join("\n") }, used: body.length + 2 };
}

/** @param {string[]} lines @param {number} at @returns {{block: Block, used: number}} */
function tableOf(lines, at) {
  const rows = run(lines, at, (line) => TABLE.test(line));
  const cells = (/** @type {string} */ row) => row.trim().slice(1, -1).split("|").map((cell) => spansOf(cell.trim()));
  return { block: { kind: "table", rows: rows.filter((row) => !TABLE_LINE.test(row)).map(cells) }, used: rows.length };
}

/** @param {string[]} lines @param {number} at @returns {{block: Block, used: number}} a line that goes on belongs to its item */
function listOf(lines, at) {
  const found = run(lines, at, (line) => ITEM.test(line) || /^\s{2,}\S/.test(line));
  /** @type {string[]} */
  const items = [];
  for (const line of found) {
    const item = ITEM.exec(line);
    if (item) items.push(item[2]);
    else items[items.length - 1] += ` ${line.trim()}`;
  }
  return { block: { kind: "list", isOrdered: ITEM.exec(found[0])?.[1] !== undefined, items: items.map(spansOf) }, used: found.length };
}

/**
 * @param {string} text of one line
 * @returns {Span[]}
 */
export function spansOf(text) {
  /** @type {Span[]} */
  const spans = [];
  let from = 0;
  for (const found of text.matchAll(SPAN)) {
    if (found.index > from) spans.push({ kind: "text", text: text.slice(from, found.index) });
    spans.push(spanOf(found));
    from = found.index + found[0].length;
  }
  return from < text.length || !spans.length ? [...spans, { kind: "text", text: text.slice(from) }] : spans;
}

/** @param {RegExpMatchArray} found @returns {Span} an address of any other kind than the web's stays text */
function spanOf([whole, code, strong, alsoStrong, emphasis, label, href]) {
  if (code !== undefined) return { kind: "code", text: code };
  if (strong ?? alsoStrong) return { kind: "strong", text: strong ?? alsoStrong };
  if (emphasis !== undefined) return { kind: "emphasis", text: emphasis };
  return SAFE_LINK.test(href) ? { kind: "link", text: label, href } : { kind: "text", text: whole };
}
