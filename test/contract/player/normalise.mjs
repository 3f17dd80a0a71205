// Turns an answer into a form that is the same for every run, so that two answers can be compared.
import { naturalKey } from './pairs.mjs';

const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
// A key id: the base64url form of a SHA-256 digest, in mixed letters and digits. One in 1,500 has no digit, and is told from
// a long word by its many capitals.
const keyId = '(?<![\\w-])(?=[\\w-]*[a-z])(?=[\\w-]*[A-Z])(?=[\\w-]*\\d|(?:[\\w-]*?[A-Z]){10})[\\w-]{43}(?![\\w-])';
const identifiers = new RegExp(`(${uuid})|(${keyId})`, 'g');
const token = /\beyJ[\w-]+\.[\w-]+\.[\w-]*(\.[\w-]+\.[\w-]+)?/g;
const pem = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g;
const base64 = /(?<![\w+/])[A-Za-z0-9+/]{100,}={0,2}/g;
const ldapTime = /\b20\d{12}(\.\d+)?Z/g;
const dateTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;
// Error texts about the reference server's insides.
const internals = /\b(java|javax|org|com)\.[a-z]+\.[\w.$]+|^RESTEASY\d+/;

// Fields with a random value, whatever the resource.
const secretFields = /^(secret|client_secret|registrationAccessToken|code|state|session_code|salt)$/;
const keyFields = {
  certificate: '<certificate>',
  publicKey: '<public key>',
  privateKey: '<private key>',
  n: '<modulus>',
  x5t: '<hash>',
  'x5t#S256': '<hash>',
  at_hash: '<hash>',
  c_hash: '<hash>',
  s_hash: '<hash>',
};
// Fields with prose. Texts that the scenario itself sent are kept.
const proseFields = new Set(['helpText', 'description', 'label']);
// Subtrees that describe the machine: only the type of each value counts.
const machineFields = new Set(['memoryInfo', 'systemInfo', 'operationalInfo']);
// Space separated words in no particular order.
const wordListFields = new Set(['scope']);
// Lists as JSON text, in the configuration of an authorization policy.
const listFields = new Set([
  'roles',
  'groups',
  'users',
  'clients',
  'clientScopes',
  'applyPolicies',
  'resources',
  'scopes',
]);

const headersKept = [
  'location',
  'content-disposition',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-expose-headers',
  'access-control-max-age',
  'www-authenticate',
];

/**
 * Normalises an answer. Identifiers met for the first time are left as `<uuid:?…>`:
 * `match` resolves them.
 */
export function normalise(answer, names, { ordered = false, prose = [], framing = false } = {}) {
  const headers = {};
  for (const name of headersKept) {
    const value = answer.headers.get(name);
    if (value !== null) headers[name] = header(name, value, names);
  }
  if (framing) Object.assign(headers, delimiters(answer));
  const type = answer.bytes.length
    ? (answer.headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase()
    : null;
  const result = { status: answer.status, type, headers, body: readBody(answer.bytes, type) };
  const body = clean(result.body, { names, prose: new Set([...proseFields, ...prose]), failed: answer.status >= 400 });
  result.body = sortArrays(body, ordered);
  return result;
}

/** How the end of an answer is told. Of a length only counts whether it is 0. */
function delimiters({ headers }) {
  const length = headers.get('content-length');
  const coding = headers.get('transfer-encoding');
  return {
    ...(length !== null && { 'content-length': length === '0' ? '0' : '<length>' }),
    ...(coding !== null && { 'transfer-encoding': coding }),
  };
}

function header(name, value, names) {
  if (name === 'location') return cleanText(relativeLocation(value, names.base), names);
  if (name === 'access-control-max-age' || !name.startsWith('access-control-')) return cleanText(value, names);
  return cleanText(
    value
      .split(',')
      .map((part) => part.trim())
      .sort()
      .join(', '),
    names,
  );
}

/** A Location as a path relative to the mount, or else relative to the base path. */
function relativeLocation(value, base) {
  if (!value.startsWith(`${base}/`)) return value;
  return value.slice(base.length).replace(/^\/admin\/realms(?=\/)/, '');
}

function readBody(bytes, type) {
  if (!bytes.length) return null;
  const text = bytes.toString('utf8');
  if (/[/+]json$/.test(type)) {
    try {
      return JSON.parse(text);
    } catch {
      return `<invalid JSON> ${text.slice(0, 200)}`;
    }
  }
  if (/octet-stream|zip|image\//.test(type)) return '<binary>';
  const isMarkup = text.trimStart().startsWith('<');
  if (type === 'text/html' && isMarkup) return '<html>';
  return isMarkup ? compactMarkup(text) : jsonInText(text);
}

/** XML without the white space next to tags and between attributes. */
function compactMarkup(text) {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?([<>]) ?/g, '$1');
}

/** JSON served as another type is compared by its meaning. */
function jsonInText(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === 'object' ? { '<json>': value } : text;
  } catch {
    return text;
  }
}

/** Replaces what differs from run to run, in every string and number. */
function clean(value, context, field = '', parent = null) {
  if (Array.isArray(value)) return value.map((item) => clean(item, context, field, value));
  if (value !== null && typeof value === 'object') {
    const result = {};
    for (const key of Object.keys(value)) {
      const kept = machineFields.has(key) ? typesOnly(value[key]) : clean(value[key], context, key, value);
      result[cleanText(key, context.names)] = kept;
    }
    return result;
  }
  if (typeof value === 'number') return cleanNumber(value, field);
  if (typeof value === 'string') return cleanField(value, context, field, parent);
  return value;
}

function typesOnly(value) {
  if (value === null || typeof value !== 'object') return `<${value === null ? 'null' : typeof value}>`;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typesOnly(item)]));
}

/** A point in time of the years 2014 to 2036 becomes a placeholder of its unit; a remaining time is rounded. */
function cleanNumber(value, field) {
  if (field.endsWith('expires_in')) return Math.ceil(value / 10) * 10;
  const between = (unit) => value >= 1.4e9 * unit && value < 2.1e9 * unit;
  if (between(1)) return '<seconds>';
  if (between(1000)) return '<milliseconds>';
  return value;
}

function cleanField(value, { names, prose, failed }, field, parent) {
  if (value === '' || value === '**********') return value;
  const given = names.isGiven(value);
  if (prose.has(field)) return given ? cleanText(value, names) : '<text>';
  if (!given) {
    if (field in keyFields) return keyFields[field];
    if (secretFields.test(field) || (field === 'value' && parent?.type === 'secret')) return '<secret>';
    if (field === 'ipAddress' && /^[\d.:a-f]+$/.test(value)) return '<ip>';
    if (/^1\d{9}$/.test(value)) return '<seconds as string>';
    if (/^1\d{12}$/.test(value)) return '<milliseconds as string>';
    if (value.includes('\n') && !/^\s*[<{[]/.test(value) && !value.startsWith('-----')) return '<text>';
  }
  if (wordListFields.has(field)) return cleanText(value.split(' ').sort().join(' '), names);
  if (field === 'representation' || (listFields.has(field) && value.startsWith('['))) return embeddedJson(value, names);
  const text = cleanText(value, names);
  return failed && internals.test(text) ? '<text>' : text;
}

/** The JSON text inside an admin event or a policy's configuration: its meaning counts, not its spelling. */
function embeddedJson(text, names) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === 'object'
      ? { '<json>': clean(value, { names, prose: proseFields }) }
      : cleanText(text, names);
  } catch {
    return cleanText(text, names);
  }
}

function cleanText(text, names) {
  const origin = new URL(names.base).origin;
  const local = origin.replace('127.0.0.1', 'localhost');
  let result = text;
  for (const [from, to] of [
    [names.base, '<base>'],
    [names.base.replace(origin, local), '<base>'],
    [origin, '<origin>'],
    [local, '<origin>'],
    ...(names.directory ? [[names.directory, '<directory>']] : []),
  ]) {
    result = result.replaceAll(from, to);
  }
  result = result.replace(new RegExp(`(?<![\\w:.])${escaped(new URL(names.base).host)}(?!\\d)`, 'g'), '<host>');
  if (names.realm) result = result.replace(new RegExp(`${escaped(names.realm)}(?!\\d)`, 'g'), '<realm>');
  const unlessGiven =
    (placeholder) =>
    (match, ...groups) =>
      names.mentions(match) ? match : placeholder(match, groups);
  result = result.replace(
    token,
    unlessGiven(() => '<jwt>'),
  );
  result = result.replace(
    pem,
    unlessGiven((_, [kind]) => `<pem ${kind.toLowerCase()}>`),
  );
  result = result.replace(
    base64,
    unlessGiven(() => '<key material>'),
  );
  result = result.replace(
    dateTime,
    unlessGiven(() => '<date-time>'),
  );
  result = result.replace(
    ldapTime,
    unlessGiven(() => '<ldap-time>'),
  );
  result = result.replace(/\(class [\w.$]+\)/g, '(class <class>)');
  return result.replace(
    identifiers,
    unlessGiven((match, [isUuid]) => {
      const id = match.toLowerCase() === match || !isUuid ? match : match.toLowerCase();
      return names.label(id) ?? `<${isUuid ? 'uuid' : 'kid'}:?${id}>`;
    }),
  );
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\-]/g, '\\$&');

/** Sorts the fields of objects and the items of arrays (except the outermost array when it is ordered). */
function sortArrays(value, keepOrder = false) {
  if (Array.isArray(value)) {
    const items = value.map((item) => sortArrays(item));
    if (keepOrder) return items;
    const keyed = items.map((item) => ({ item, key: sortKey(item) }));
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item);
  }
  if (value === null || typeof value !== 'object') return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortArrays(value[key])]));
}

function sortKey(item) {
  const text = typeof item === 'string' ? item : `${naturalKey(item) ?? ''} ${JSON.stringify(item)}`;
  return text.replace(/<(uuid|kid):\?[^>]*>/g, '<$1:?>');
}
