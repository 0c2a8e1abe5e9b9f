/** A QR code from its rows, drawn as one path: crisp at every size, and one element instead of a thousand. */

import { svg } from "../dom.js";
import { darkPath } from "./qr-path.js";

/** The quiet zone that scanners need, in modules (ISO/IEC 18004). */
const QUIET_MODULES = 4;

/**
 * @param {readonly string[]} rows `1` is dark; as many characters in a row as there are rows.
 * @param {string} label what it leads to, for who cannot see it.
 * @returns {SVGElement}
 */
export function qrCode(rows, label) {
  const side = rows.length + 2 * QUIET_MODULES;
  return svg(
    "svg",
    { class: "qr", viewBox: `${-QUIET_MODULES} ${-QUIET_MODULES} ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { x: -QUIET_MODULES, y: -QUIET_MODULES, width: side, height: side, fill: "#fff" }),
    svg("path", { d: darkPath(rows), fill: "#000" }),
  );
}
