/** The dark modules of a QR code as one path. Pure. */

/**
 * @param {readonly string[]} rows `1` is dark.
 * @returns {string} the `d` of an SVG path, one rectangle for each run of dark modules; a module is one unit.
 */
export function darkPath(rows) {
  return rows.map((row, y) => [...row.matchAll(/1+/g)].map((run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`).join("")).join("");
}
