/** What the browser and an authenticator say to each other (WebAuthn), as JSON text for the hub. */

/** @returns {boolean} whether this browser knows passkeys */
export function knowsPasskeys() {
  return "PublicKeyCredential" in window;
}

/**
 * Make a passkey. Call it from a click.
 * @param {string} options of the hub
 * @returns {Promise<string>}
 * @throws {DOMException} the person declined, or the authenticator cannot
 */
export async function makePasskey(options) {
  const { challenge, user, excludeCredentials, ...rest } = JSON.parse(options);
  const publicKey = {
    ...rest,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials?.map(described),
  };
  const made = /** @type {any} */ (await navigator.credentials.create({ publicKey }));
  const { clientDataJSON, attestationObject } = made.response;
  return told(made, { clientDataJSON: textOf(clientDataJSON), attestationObject: textOf(attestationObject) });
}

/**
 * Let a passkey sign. Call it from a click.
 * @param {string} options of the hub
 * @returns {Promise<string>}
 * @throws {DOMException} the person declined, or there is no such passkey here
 */
export async function signWithPasskey(options) {
  const { challenge, allowCredentials, ...rest } = JSON.parse(options);
  const publicKey = { ...rest, challenge: bytesOf(challenge), allowCredentials: allowCredentials?.map(described) };
  const signed = /** @type {any} */ (await navigator.credentials.get({ publicKey }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = signed.response;
  return told(signed, {
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    userHandle: userHandle ? textOf(userHandle) : null,
  });
}

/** @param {{id: string}} one */
function described(one) {
  return { ...one, id: bytesOf(one.id), type: /** @type {"public-key"} */ ("public-key") };
}

/** @param {PublicKeyCredential} credential @param {object} response */
function told({ id, rawId, type }, response) {
  return JSON.stringify({ id, rawId: textOf(rawId), type, response, clientExtensionResults: {} });
}

/** @param {string} text URL-safe base64 */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}

/** @param {ArrayBuffer} bytes */
function textOf(bytes) {
  const plain = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
