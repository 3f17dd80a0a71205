// Plays one scenario: creates its realm, sends its steps, deletes the realm.
import { send } from './client.mjs';
import { differences } from './compare.mjs';
import { act, prepareEntries, removeEntries } from './directory.mjs';
import { decodeTokens, sign } from './jwt.mjs';
import { match, settle } from './match.mjs';
import { Names } from './names.mjs';
import { normalise } from './normalise.mjs';
import { readPath, removePath } from './paths.mjs';
import { target } from './target.mjs';

const reference = /\$([A-Za-z_]\w*)/g;
// Names that have a value without a step that saves it.
const given = new Set(['realm', 'base', 'directory']);
const ofRequests = ['path', 'query', 'json', 'text', 'form', 'multipart', 'headers'];
const filledParts = [...ofRequests, 'dn', 'to', 'attributes', 'changes', 'password'];

/**
 * Plays a scenario. With `recorded` (a list of recorded steps) it compares; without, it records. A scenario with
 * `directory` (a list of entries) needs a directory at hand.
 * Returns a result per step: { title, note, recording, problems: [...] }.
 */
export async function play(scenario, { options, login, realm, recorded, directory }) {
  const ownRealm = scenario.realm !== null;
  const run = {
    options,
    login,
    recorded,
    realm: ownRealm ? realm : 'master',
    names: new Names(scenario, { base: options.base, realm: ownRealm ? realm : null }),
    saved: new Map([['realm', ownRealm ? realm : 'master']]),
    promised: new Map(), // name -> the title of the step that saves it
    directory,
    begun: Math.floor(Date.now() / 1000),
  };
  scenario.steps.forEach((step, at) => {
    for (const name of [...Object.keys(step.save ?? {}), ...Object.keys(step.sign ?? {})])
      run.promised.set(name, `step ${at + 1}`);
  });
  const leftovers = [
    ...(ownRealm ? [realm] : []),
    ...(scenario.alsoDelete ?? []).map((name) => name.replaceAll('$realm', realm)),
  ];
  let setupProblem = null;
  try {
    await deleteRealms(leftovers, run);
    if (ownRealm) await createRealm(realm, scenario.realm, run);
    if (scenario.directory) await prepareDirectory(scenario, realm, run);
  } catch (error) {
    setupProblem = error.message;
  }
  const results = [];
  for (const [at, step] of scenario.steps.entries()) {
    const result = { title: step.op ?? step.url ?? `LDAP ${step.ldap} ${step.dn}`, note: step.note, problems: [] };
    try {
      if (setupProblem) throw new Error(`the scenario's realm could not be set up: ${setupProblem}`);
      await playStep(step, at, run, result);
    } catch (error) {
      result.problems.push(error.message);
    }
    results.push(result);
  }
  await deleteRealms(leftovers, run).catch(() => {}); // the next run deletes what is left
  if (run.saved.has('base')) await removeEntries(directory, run.saved.get('base')).catch(() => {});
  return results;
}

/** Puts the entries of a scenario into the directory. Its steps write `$base` for their top, `$directory` for the address. */
async function prepareDirectory(scenario, realm, run) {
  run.saved.set('directory', run.directory.url);
  run.names.directory = run.directory.url;
  const base = await prepareEntries(run.directory, realm, scenario.directory, (entry, base) => {
    run.saved.set('base', base);
    return fillIn({ json: entry }, run).json;
  });
  run.saved.set('base', base);
}

async function createRealm(realm, fields, run) {
  const step = { op: 'POST /', json: { ...fields, realm, enabled: fields?.enabled ?? true } };
  // A reference server under load answers 5xx now and then: try again before giving up.
  for (let attempt = 1; ; attempt += 1) {
    const answer = await request(step, run);
    if (answer.status === 201) return;
    if (answer.status < 500 || attempt === 3)
      throw new Error(`POST / answered ${answer.status} ${answer.bytes.toString('utf8').slice(0, 120)}`);
    await deleteRealms([realm], run);
  }
}

async function deleteRealms(names, run) {
  for (const name of names) await request({ op: 'DELETE /{realm}', path: { realm: name } }, run);
}

async function playStep(step, at, run, result) {
  for (const [name, token] of Object.entries(step.sign ?? {}))
    run.saved.set(name, sign(fillIn({ json: token }, run).json, { base: run.options.base, begun: run.begun }));
  const filled = fillIn(step, run);
  if (step.wait) await new Promise((done) => setTimeout(done, step.wait));
  const answer = step.ldap ? await act(run.directory, filled) : await request(filled, run);
  const raw = rawBody(answer);
  const unsaved = save(step.save, answer, raw, run.saved);
  const actual = reduce(normalise(decodeTokens(answer, step.decode), run.names, step), step.compare);

  if (!run.recorded) {
    result.recording = settle(actual, run.names);
    result.problems.push(...unsaved);
    return;
  }
  const { step: title, note, ...expected } = run.recorded[at] ?? {};
  if (title !== result.title) throw new Error('this step is not recorded');
  const matched = match(expected, actual, run.names);
  const refused = step.compare === 'refused' && expected.status >= 400 && actual.status >= 400;
  if (!refused) result.problems.push(...differences(expected, matched, step));
  result.problems.push(...unsaved);
}

/** Keeps of a normalised answer what the step wants to compare. */
function reduce(answer, compare) {
  if (compare === 'status' || compare === 'refused') return { status: answer.status };
  if (compare === 'length')
    return { ...answer, body: Array.isArray(answer.body) ? `<list of ${answer.body.length}>` : answer.body };
  if (compare?.only)
    return {
      ...answer,
      body: Object.fromEntries(compare.only.map((path) => [path, readPath(answer.body, path) ?? null])),
    };
  for (const path of compare?.ignore ?? []) removePath(answer.body, path);
  return answer;
}

async function request(step, run) {
  const { method, path } = target(step, run.options.mount, { realm: run.realm, ...step.path });
  const url = new URL(run.options.base + path);
  for (const [name, value] of Object.entries(step.query ?? {})) {
    for (const item of [value].flat()) url.searchParams.append(name, String(item));
  }
  const { body, type } = requestBody(step);
  const headers = { accept: 'application/json, text/plain, */*' };
  if (type) headers['content-type'] = type;
  const token = step.as === undefined ? await run.login.token() : step.as;
  if (token !== null) headers.authorization = `Bearer ${token}`;
  for (const [name, value] of Object.entries(step.headers ?? {})) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  return send({ method, url, headers, body });
}

function requestBody(step) {
  // Bytes, because fetch would add a content type of its own to a string.
  if (step.json !== undefined) return { body: Buffer.from(JSON.stringify(step.json)), type: 'application/json' };
  if (step.text !== undefined) return { body: Buffer.from(step.text), type: 'text/plain' };
  if (step.form !== undefined)
    return { body: Buffer.from(new URLSearchParams(step.form).toString()), type: 'application/x-www-form-urlencoded' };
  if (step.multipart !== undefined) return { body: multipart(step.multipart) };
  return {};
}

/** Each part is a text, or a file: { filename, content, type, encoding: 'base64' when the content is that }. */
function multipart(parts) {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') {
      form.append(name, part);
      continue;
    }
    const bytes = Buffer.from(part.content, part.encoding ?? 'utf8');
    form.append(name, new Blob([bytes], { type: part.type }), part.filename);
  }
  return form;
}

/** Replaces '$name' in the path, query, body and headers of a step by the saved value. */
function fillIn(step, run) {
  const lookUp = (name) => {
    if (run.saved.has(name)) return run.saved.get(name);
    throw new Error(`'$${name}' is not known: ${run.promised.get(name)} did not give it`);
  };
  const isReference = (name) => given.has(name) || run.promised.has(name);
  const fill = (value) => {
    if (typeof value === 'string') {
      const whole = /^\$([A-Za-z_]\w*)$/.exec(value)?.[1];
      if (whole && isReference(whole)) return lookUp(whole);
      return value.replace(reference, (text, name) => (isReference(name) ? lookUp(name) : text));
    }
    if (Array.isArray(value)) return value.map(fill);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [fill(key), fill(item)]));
  };
  const filled = { ...step };
  for (const part of filledParts) {
    if (step[part] !== undefined) filled[part] = fill(step[part]);
  }
  if (typeof step.as === 'string') {
    if (!isReference(step.as)) throw new Error(`no step saves the token '${step.as}'`);
    filled.as = lookUp(step.as);
  }
  return filled;
}

function rawBody(answer) {
  const text = answer.bytes.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Keeps what the step wants to save; returns a problem for each value that is not there. */
function save(wanted, answer, raw, saved) {
  const problems = [];
  for (const [name, source] of Object.entries(wanted ?? {})) {
    const value =
      source === 'location' ? answer.headers.get('location')?.split('/').pop() : readPath({ body: raw }, source);
    if (value === undefined || value === null)
      problems.push(`nothing to save as '${name}': the answer has no ${source} (status ${answer.status})`);
    else saved.set(name, value);
  }
  return problems;
}
