/**
 * Tells the hub where the push service finds this browser. A plain script, so that the page and the service worker can
 * load it; it needs `PulseStore` and `PulseSession`, and leaves `PulseAddress`.
 */
/* global PulseSession, PulseStore */

(() => {
  const REGISTERED = "registered";

  /**
   * Register a subscription, unless the hub has just this one already.
   * @param {PushSubscription} subscription
   * @param {string} device this browser's name at the hub
   * @param {string} lang
   * @returns {Promise<boolean>} whether the hub has it now
   */
  async function register(subscription, device, lang) {
    const address = addressOf(subscription, lang);
    const whole = JSON.stringify([device, address]);
    const known = await PulseStore.get("facts", REGISTERED);
    if (known?.whole === whole) return true;
    const answer = await PulseSession.signed(`/api/v1/devices/browser/${encodeURIComponent(device)}/address`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ address }),
      cache: "no-store",
    });
    if (answer.ok) await PulseStore.put("facts", { key: REGISTERED, whole });
    return answer.ok;
  }

  /** Register anew next time, whatever the hub had. */
  function forget() {
    return PulseStore.remove("facts", REGISTERED);
  }

  /** @param {PushSubscription} subscription @param {string} lang */
  function addressOf(subscription, lang) {
    const { endpoint, expirationTime, keys } = subscription.toJSON();
    const expiresAt = expirationTime ? new Date(expirationTime).toISOString() : null;
    return { kind: "web-push", endpoint, p256dh: keys?.p256dh, auth: keys?.auth, origin: location.origin, expiresAt, lang };
  }

  /** @param {string} text URL-safe base64 @returns {Uint8Array<ArrayBuffer>} */
  function bytesOf(text) {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (char) => char.charCodeAt(0));
  }

  /** @param {ArrayBuffer | null | undefined} bytes @param {string} text URL-safe base64 */
  function isKey(bytes, text) {
    if (!bytes) return false;
    const [one, other] = [new Uint8Array(bytes), bytesOf(text)];
    return one.length === other.length && one.every((byte, place) => byte === other[place]);
  }

  globalThis.PulseAddress = { register, forget, bytesOf, isKey };
})();
