/** What the person calls their devices, so that a card says on which of them it was settled. */

import { get } from "./api.js";
import { state } from "./state.js";

/** Learn the names, and those of devices that turn up later. */
export async function startTitles() {
  /** @type {Set<string>} each is asked for once: a device that was revoked has no name any more */
  const asked = new Set();
  state.watch((model) => {
    const strange = strangersOf(model).filter((place) => !asked.has(place));
    strange.forEach((place) => asked.add(place));
    if (strange.length) void learn().catch(() => {}); // without a name its kind is said
  });
  strangersOf(state.get()).forEach((place) => asked.add(place));
  await learn();
}

/**
 * @param {import("./state.js").Model} model
 * @returns {string[]} devices (`surface/device`) on which a card was settled, and whose names are not known
 */
export function strangersOf({ cards, titles }) {
  const places = Object.values(cards).flatMap(({ prediction: { settled } }) =>
    settled ? [`${settled.surface}/${settled.device}`] : [],
  );
  return [...new Set(places)].filter((place) => !(place in titles));
}

async function learn() {
  const { devices } = await get("/devices");
  state.set({ titles: titlesOf(devices) });
}

/**
 * @param {import("./types").DeviceView[]} devices
 * @returns {Record<string, string>} their names by `surface/device`
 */
export function titlesOf(devices) {
  return Object.fromEntries(devices.map(({ surface, device, title }) => [`${surface}/${device}`, title]));
}
