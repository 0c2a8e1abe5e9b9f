/** How long a pairing code is still good for. Pure. */

const SECOND_MS = 1_000;
const SECONDS_PER_MINUTE = 60;

/**
 * @param {number} leftMs
 * @returns {string | null} minutes and seconds, such as `9:05`; null when the time is over
 */
export function leftWords(leftMs) {
  if (leftMs <= 0) return null;
  const seconds = Math.ceil(leftMs / SECOND_MS);
  return `${Math.floor(seconds / SECONDS_PER_MINUTE)}:${String(seconds % SECONDS_PER_MINUTE).padStart(2, "0")}`;
}
