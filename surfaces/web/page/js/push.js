/** Notifications on this device: the service worker, the browser's permission, and the subscription that the hub knows. */
/* global PulseAddress, PulseStore */

import { send } from "./api.js";
import { state } from "./state.js";
import { lang, t } from "./words.js";
import "./shared/session.js";
import "./shared/session.js";
import "./shared/address.js";

const WORKER = "/sw.js";

/** whether this browser trusts the certificate, as far as is known */
let isTrusted = true;

/**
 * @typedef {object} PushState
 * @property {boolean} supported
 * @property {string} permission `granted`, `denied` or `default`
 * @property {boolean} subscribed
 * @property {boolean} hasButtons whether this browser shows buttons on notifications
 * @property {boolean} isTrusted whether this browser trusts the certificate, without which it notifies of nothing
 * @property {string} reason why it is not supported, or not subscribed; in words
 */

/** Start the service worker, and see that the hub knows the subscription as it is now. */
export async function start() {
  if (!("serviceWorker" in navigator)) return;
  isTrusted = await registered();
  if (!isTrusted) return;
  if (unsupported() || Notification.permission !== "granted") return;
  const subscription = await subscribed();
  if (subscription) await keepKnown(subscription).catch(() => {}); // the hub is away: the next start tells it
}

/** @returns {Promise<boolean>} false where the browser does not trust the certificate: then it takes no worker, and the rest works */
async function registered() {
  try {
    await navigator.serviceWorker.register(/** @type {any} */ (trustedWorker()), { updateViaCache: "none" });
    return true;
  } catch (error) {
    if (Object(error).name === "SecurityError" && location.protocol === "https:") return false;
    throw error;
  }
}

/**
 * Say how it stands.
 * @returns {Promise<PushState>}
 */
export async function pushState() {
  const reason = unsupported();
  if (reason) return { supported: false, permission: "default", subscribed: false, hasButtons: false, reason, isTrusted };
  const isOn = Notification.permission === "granted" && Boolean(await subscribed());
  const hasButtons = Boolean(/** @type {any} */ (Notification).maxActions); // where there are none, it may be missing
  return { supported: true, permission: Notification.permission, subscribed: isOn, hasButtons, reason: "", isTrusted };
}

/**
 * Ask the person, subscribe, and tell the hub. Call it from a click: browsers ask at no other time.
 * @returns {Promise<PushState>}
 */
export async function enablePush() {
  if (unsupported()) return pushState();
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return pushState();
  try {
    await PulseAddress.forget();
    if (await keepKnown((await subscribed()) ?? (await subscribe()))) return pushState();
  } catch (error) {
    return {
      ...(await pushState()),
      subscribed: false,
      reason: t("push.failed", { why: String(Object(error).message) }),
    };
  }
  return { ...(await pushState()), subscribed: false, reason: t("push.not-taken") };
}

/**
 * Unsubscribe, and tell the hub.
 * @returns {Promise<PushState>}
 */
export async function disablePush() {
  await (await subscribed())?.unsubscribe();
  await PulseAddress.forget();
  const device = state.get().session?.device;
  if (device) await send("DELETE", `/devices/browser/${encodeURIComponent(device)}/address`);
  return pushState();
}

/** End the subscription of whoever was signed in here before. */
export async function unsubscribe() {
  await (await subscribed())?.unsubscribe();
  await PulseStore.remove("facts", "device");
  await PulseAddress.forget();
}

/** @returns {string} why notifications cannot be had here; empty when they can */
function unsupported() {
  if (!isSecureContext) return t("push.needs-https");
  if (!isTrusted) return t("push.needs-certificate");
  const isIos =
    /iPhone|iPad/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
  if (isIos && !matchMedia("(display-mode: standalone)").matches) return t("push.needs-home-screen");
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    {return t("push.unsupported");}
  return "";
}

/** @returns {Promise<PushSubscription | null>} */
async function subscribed() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** @returns {Promise<PushSubscription>} */
async function subscribe() {
  const registration = await navigator.serviceWorker.ready;
  const applicationServerKey = PulseAddress.bytesOf(state.get().session?.vapidKey ?? "");
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/**
 * Tell the hub about a subscription; one that was made for another key of the hub's is replaced.
 * @param {PushSubscription} subscription
 * @returns {Promise<boolean>} whether the hub has it now
 */
async function keepKnown(subscription) {
  const { session } = state.get();
  if (!session?.vapidKey) return false;
  let current = subscription;
  if (!PulseAddress.isKey(subscription.options.applicationServerKey, session.vapidKey)) {
    await subscription.unsubscribe();
    current = await subscribe();
  }
  const { device, vapidKey } = session;
  await PulseStore.put("facts", { key: "device", device, vapidKey, lang: lang() });
  return PulseAddress.register(current, device, lang());
}

/** The page's policy lets no script address be made from text; this one is ours. */
function trustedWorker() {
  const types = /** @type {any} */ (window).trustedTypes;
  return types ? types.createPolicy("pulse-worker", { createScriptURL: () => WORKER }).createScriptURL("") : WORKER;
}
