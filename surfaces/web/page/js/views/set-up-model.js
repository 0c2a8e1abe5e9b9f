/** What is to be set up, and what is done of it. Pure. */

/** @typedef {{name: "agents" | "repositories" | "phone" | "notifications", isDone: boolean}} Step */

/**
 * @typedef {object} Facts
 * @property {readonly {state: string}[]} agents the coding agents on this machine
 * @property {readonly unknown[]} repositories
 * @property {number} devices how many are paired beside this one
 * @property {{supported: boolean, subscribed: boolean} | null} push of this browser; null while it is not known
 */

/**
 * The steps in their order. What cannot be had in this browser counts as done, for nobody could do it.
 * @param {Facts} facts
 * @returns {readonly Step[]}
 */
export function setUpSteps({ agents, repositories, devices, push }) {
  return [
    { name: "agents", isDone: agents.some(({ state }) => state === "connected") },
    { name: "repositories", isDone: repositories.length > 0 },
    { name: "phone", isDone: devices > 0 },
    { name: "notifications", isDone: push !== null && (push.subscribed || !push.supported) },
  ];
}
