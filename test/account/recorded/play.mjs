// Sends the steps of `steps.json` to a server with the realm of `realm.json`, and returns the answers with what differs from
// run to run taken out.
import { readFileSync } from 'node:fs';

const json = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** The steps, in order. */
export const steps = json('steps.json');

const realm = json('realm.json');
/** A device for one-time passwords, which a user gets after the logins, as they would ask for it. */
const device = {
  type: 'otp',
  userLabel: 'Phone',
  secretData: '{"value":"MFRGGZDFMZTWQ2LK0000"}',
  credentialData: '{"subType":"totp","digits":6,"counter":0,"period":30,"algorithm":"HmacSHA1"}',
};
const clients = { narrow: {}, photos: { client_secret: 'photos-secret' } };

async function send(url, method, { token, body, headers = {} } = {}) {
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  let parsed = text;
  try {
    parsed = JSON.parse(text);
  } catch {
    // a text, or nothing
  }
  return { status: response.status, headers: response.headers, body: parsed };
}

async function tokenOf(base, realmName, form) {
  const address = `${base}/realms/${realmName}/protocol/openid-connect/token`;
  const { body } = await send(address, 'POST', { body: new URLSearchParams(form) });
  if (!body.access_token) throw new Error(`No token: ${JSON.stringify(body)}`);
  return body.access_token;
}

const passwordOf = (username, clientId) => ({
  grant_type: 'password',
  client_id: clientId,
  username,
  password: `pw-${username}`,
  ...clients[clientId],
});

/** Makes the realm with what the steps need. Returns the names of the values that the steps use. */
async function prepare(base, administrator) {
  const admin = await tokenOf(base, 'master', { grant_type: 'password', client_id: 'admin-cli', ...administrator });
  const asked = async (method, path, body) => {
    const answer = await send(`${base}/admin/realms${path}`, method, {
      token: admin,
      body: body && JSON.stringify(body),
    });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await send(`${base}/admin/realms/${realm.realm}`, 'DELETE', { token: admin });
  await asked('POST', '', realm);
  const at = `/${realm.realm}`;
  const users = await asked('GET', `${at}/users`);
  const values = Object.fromEntries(users.map(({ username, id }) => [username, id]));
  for (const { name, id } of await asked('GET', `${at}/client-scopes`)) values[`scope.${name}`] = id;
  const photos = await tokenOf(base, realm.realm, {
    grant_type: 'client_credentials',
    client_id: 'photos',
    client_secret: 'photos-secret',
  });
  const resource = {
    name: 'Album',
    type: 'album',
    ownerManagedAccess: true,
    owner: values.alice,
    resource_scopes: ['view', 'print'],
    uris: ['/album'],
  };
  const made = await send(`${base}/realms/${realm.realm}/authz/protection/resource_set`, 'POST', {
    token: photos,
    body: JSON.stringify(resource),
  });
  values.resource = made.body._id;
  const tokens = { photos };
  const login = (name, clientId) => tokenOf(base, realm.realm, passwordOf(name, clientId));
  for (const name of ['alice', 'bob', 'carol', 'dave', 'erin']) tokens[name] = await login(name, 'app');
  tokens['alice@narrow'] = await login('alice', 'narrow');
  await asked('PUT', `${at}/users/${values.alice}`, { credentials: [device] });
  const payload = JSON.parse(Buffer.from(tokens['alice@narrow'].split('.')[1], 'base64url').toString());
  values.otherSession = payload.sid ?? payload.session_state;
  tokens['!broken'] = `${tokens.alice.slice(0, -4)}AAAA`;
  tokens['!elsewhere'] = admin;
  return { values, tokens };
}

/** Has Bob ask the owner of the resource for a scope, as a resource server and its client do (UMA 2.0). */
async function ask(base, { resource }, { photos, bob }, scope) {
  const body = JSON.stringify([{ resource_id: resource, resource_scopes: [scope] }]);
  const permission = `${base}/realms/${realm.realm}/authz/protection/permission`;
  const { body: asked } = await send(permission, 'POST', { token: photos, body });
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:uma-ticket',
    ticket: asked.ticket,
    submit_request: 'true',
  };
  const address = `${base}/realms/${realm.realm}/protocol/openid-connect/token`;
  await send(address, 'POST', { token: bob, body: new URLSearchParams(form) });
}

const at = (value, path) => path.split('.').reduce((part, key) => part?.[key], value);
const filled = (text, values) => text.replace(/\{([\w.]+)\}/g, (whole, name) => values[name] ?? whole);

/** The kept headers of answers: those that pages of other origins go by. */
const keptHeaders = ['access-control-allow-origin', 'access-control-allow-credentials', 'access-control-allow-methods'];

function normal(value, { values, base }, key = '') {
  const next = (inner, name) => normal(inner, { values, base }, name);
  if (Array.isArray(value)) return value.map((inner) => next(inner, key));
  if (value && typeof value === 'object') {
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((name) => [name, next(value[name], name)]),
    );
  }
  if (typeof value === 'number' && value > 1_600_000_000)
    return value > 1_600_000_000_000 ? '{milliseconds}' : '{seconds}';
  if (typeof value !== 'string') return value;
  const named = Object.entries(values).reduce((text, [name, id]) => text.replaceAll(id, `{${name}}`), value);
  return named
    .replaceAll(base, '{base}')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '{id}')
    .replace(/([?&](?:nonce|hash)=)[^&]*/g, '$1{secret}')
    .replace(/^[\w-]{43}$/, '{hash}')
    .replace(/^(127\.0\.0\.1|0:0:0:0:0:0:0:1|::1|::ffff:127\.0\.0\.1)$/, '{address}');
}

/** Plays all steps. Each answer has the name of its step. */
export async function play(base, administrator) {
  const { values, tokens } = await prepare(base, administrator);
  const answers = [];
  for (const step of steps) {
    if (step.ask) {
      await ask(base, values, tokens, step.ask);
      continue;
    }
    const [method, path] = step.send.split(' ');
    const body = step.text ?? (step.body === undefined ? undefined : filled(JSON.stringify(step.body), values));
    const headers = {
      ...(step.origin && { origin: step.origin }),
      ...(step.preflight && { 'access-control-request-method': step.preflight }),
      ...(step.text && { 'content-type': 'application/json' }),
    };
    const address = `${base}/realms/${realm.realm}/account${filled(path, values)}`;
    const answer = await send(address, method, { token: tokens[step.as], body, headers });
    for (const [name, from] of Object.entries(step.keep ?? {})) {
      const kept = at(answer.body, from);
      if (kept !== undefined) values[name] = kept;
    }
    const kept = keptHeaders.flatMap((name) => (answer.headers.has(name) ? [[name, answer.headers.get(name)]] : []));
    answers.push({
      name: step.name,
      status: answer.status,
      ...(kept.length > 0 && { headers: Object.fromEntries(kept) }),
      ...(answer.body !== '' && { body: normal(answer.body, { values, base }) }),
    });
  }
  return answers;
}
