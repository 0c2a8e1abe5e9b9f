/**
 * A Mermaid flow chart, as playbooks write one of dependencies: its nodes in layers, and its edges. Pure, and only what
 * `graph`/`flowchart` with plain nodes and arrows needs; anything else is null, and is then shown as the text it is.
 */

/** @typedef {{id: string, label: string, layer: number, place: number}} GraphNode */
/** @typedef {{nodes: GraphNode[], edges: [string, string][], isAcross: boolean, layers: number, widest: number}} Graph */

export const NODES_MAX = 60;
export const EDGES_MAX = 200;
const HEAD = /^\s*(?:graph|flowchart)\s+(TD|TB|LR|RL|BT)?\s*;?\s*$/;
const END = /^\s*([\w.\-/]+)\s*(?:[[({]+"?([^\])}"]+)"?[\])}]+)?\s*$/;
const ARROW = /\s*(?:-->|---|-\.->|==>)(?:\|[^|]*\|)?\s*/;
const ASIDE = /^\s*(%%|classDef |class |style |linkStyle |subgraph\b|end\s*$)/;

/**
 * @param {string} text
 * @returns {Graph | null}
 */
export function graphOf(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  const head = HEAD.exec(lines[0] ?? "");
  if (!head) return null;
  /** @type {Map<string, string>} */
  const labels = new Map();
  /** @type {[string, string][]} */
  const edges = [];
  for (const line of lines.slice(1).filter((one) => !ASIDE.test(one))) {
    const ends = endsOf(line);
    if (!ends) return null;
    for (const [id, label] of ends) if (label || !labels.has(id)) labels.set(id, label || id);
    ends.slice(1).forEach(([id], before) => edges.push([ends[before][0], id]));
  }
  if (!labels.size || labels.size > NODES_MAX || edges.length > EDGES_MAX) return null;
  return laidOut(labels, edges, head[1] === "LR" || head[1] === "RL");
}

/** @param {string} line @returns {[string, string][] | null} the nodes of a line, each with its label or nothing; null for another kind of line */
function endsOf(line) {
  const ends = line.replace(/;\s*$/, "").split(ARROW).map((one) => END.exec(one));
  return ends.every((end) => end !== null) ? ends.map((end) => [end?.[1] ?? "", end?.[2] ?? ""]) : null;
}

/** @param {Map<string, string>} labels @param {[string, string][]} edges @param {boolean} isAcross @returns {Graph} */
function laidOut(labels, edges, isAcross) {
  const layers = layersOf([...labels.keys()], edges);
  /** @type {number[]} */
  const filled = [];
  const nodes = [...labels].map(([id, label]) => {
    const layer = layers.get(id) ?? 0;
    filled[layer] = (filled[layer] ?? 0) + 1;
    return { id, label, layer, place: filled[layer] - 1 };
  });
  return { nodes, edges, isAcross, layers: filled.length, widest: Math.max(...filled.map((count) => count ?? 0)) };
}

/**
 * Each node lies below all that lead to it; a circle is cut where it would go on for ever.
 * @param {string[]} ids
 * @param {[string, string][]} edges
 */
function layersOf(ids, edges) {
  const layers = new Map(ids.map((id) => [id, 0]));
  for (let round = 1; round < ids.length; round += 1) {
    let isStill = true;
    for (const [from, to] of edges) {
      const below = (layers.get(from) ?? 0) + 1;
      if (from === to || below >= ids.length || below <= (layers.get(to) ?? 0)) continue;
      layers.set(to, below);
      isStill = false;
    }
    if (isStill) break;
  }
  const used = [...new Set(layers.values())].sort((one, other) => one - other);
  return new Map([...layers].map(([id, layer]) => [id, used.indexOf(layer)]));
}
