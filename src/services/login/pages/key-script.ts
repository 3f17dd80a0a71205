/**
 * The script of pages that ask the browser for a security key (Web Authentication Level 2). The options of the request and the
 * answer are JSON with base64url in place of bytes.
 */
export const keyScript = `
const field = document.querySelector('input[name=credential]');
const button = document.getElementById('use-key');
const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
const withBytes = (list) => (list || []).map((one) => ({ ...one, id: bytes(one.id) }));
const { purpose } = field.dataset;
const isNew = purpose === 'create';
let pending;
const ask = async (more) => {
  const options = JSON.parse(field.dataset.options);
  options.challenge = bytes(options.challenge);
  if (pending) pending.abort();
  pending = new AbortController();
  if (isNew) {
    options.user.id = bytes(options.user.id);
    options.excludeCredentials = withBytes(options.excludeCredentials);
  } else options.allowCredentials = withBytes(options.allowCredentials);
  let answer = {};
  try {
    const asked = { publicKey: options, signal: pending.signal, ...more };
    const key = await (isNew ? navigator.credentials.create(asked) : navigator.credentials.get(asked));
    const { response } = key;
    answer = { id: key.id, rawId: text(key.rawId), type: key.type, clientExtensionResults: key.getClientExtensionResults(), response: { clientDataJSON: text(response.clientDataJSON) } };
    if (isNew) {
      answer.response.attestationObject = text(response.attestationObject);
      answer.response.transports = response.getTransports ? response.getTransports() : [];
    } else {
      answer.response.authenticatorData = text(response.authenticatorData);
      answer.response.signature = text(response.signature);
      if (response.userHandle) answer.response.userHandle = text(response.userHandle);
    }
  } catch (error) {
    // there is a form beside it
    if (purpose === 'autofill') return;
    answer = { error: String(error.name) };
  }
  field.value = JSON.stringify(answer);
  field.form.noValidate = true;
  field.form.requestSubmit();
};
const offer = async () => {
  const isAvailable = PublicKeyCredential.isConditionalMediationAvailable;
  if (isAvailable && (await isAvailable.call(PublicKeyCredential))) await ask({ mediation: 'conditional' });
};
if (window.PublicKeyCredential) {
  const unsupported = document.getElementById('unsupported');
  if (unsupported) unsupported.hidden = true;
  button.hidden = false;
  button.addEventListener('click', () => ask());
  if (purpose === 'autofill') offer();
}
`;
