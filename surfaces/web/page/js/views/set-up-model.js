/** What is to be set up, what is done of it, and what a browser that is paired is called. Pure. */

/** @typedef {import("../types").DeviceView} DeviceView */

/** The systems of phones and tablets, as a browser on one names itself. */
const PHONES = ["iPhone", "iPad", "Android"];
/** The surfaces that reach a person who is away, and on which they can answer. */
const AWAY = new Set(["phone", "watch", "telegram", "discord", "slack", "matrix", "ntfy", "homeassistant"]);

/** @typedef {{name: "agents" | "repositories" | "phone" | "notifications", isDone: boolean}} Step */

/**
 * @typedef {object} Facts
 * @property {readonly {state: string}[]} agents the coding agents on this machine
 * @property {readonly unknown[]} watched the repositories, and the folders without git
 * @property {readonly DeviceView[]} devices that are paired
 * @property {{supported: boolean, subscribed: boolean} | null} push of this browser; null while it is not known
 */

/**
 * The steps in their order. What cannot be had in this browser counts as done, for nobody could do it.
 * @param {Facts} facts
 * @returns {readonly Step[]}
 */
export function setUpSteps({ agents, watched, devices, push }) {
  return [
    { name: "agents", isDone: agents.some(({ state }) => state === "connected") },
    { name: "repositories", isDone: watched.length > 0 },
    { name: "phone", isDone: awayDevices(devices).length > 0 },
    { name: "notifications", isDone: push !== null && (push.subscribed || !push.supported) },
  ];
}

/**
 * The devices on which a person can answer while they are away. A browser counts where it runs on a phone, by the name
 * that it gave itself.
 * @param {readonly DeviceView[]} devices
 */
export function awayDevices(devices) {
  return devices.filter(({ surface, title }) => AWAY.has(surface) || (surface === "browser" && PHONES.some((name) => title.includes(name))));
}

const BROWSERS = [["Edg/", "Edge"], ["Firefox/", "Firefox"], ["Chrome/", "Chrome"], ["Safari/", "Safari"]];
const SYSTEMS = [...PHONES, "Windows", "Mac", "Linux"];

/**
 * What a browser is called until its person says otherwise. It is kept and read in every language, so it is of none.
 * @param {string} agent as browsers name themselves
 * @returns {string} such as `Firefox (Linux)`
 */
export function deviceTitle(agent) {
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1] ?? "Browser";
  const system = SYSTEMS.find((mark) => agent.includes(mark));
  return system ? `${browser} (${system})` : browser;
}
