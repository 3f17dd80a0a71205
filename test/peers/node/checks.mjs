import assert from 'node:assert/strict';

/** A method that this version of the client does not have. */
class Missing extends Error {}

/** Makes calls that the older version of the client may not have. */
export async function ifPresent(calls) {
  try {
    await calls();
  } catch (error) {
    if (!(error instanceof Missing)) throw error;
  }
}

const called = new Set();
export const counts = { passed: 0, failed: 0 };

/** A client whose resources note which of their methods are called. */
export function recorded(client) {
  const resource = (name, target) =>
    new Proxy(target, {
      get(_, method) {
        if (typeof target[method] !== 'function') throw new Missing(`${name}.${String(method)}`);
        called.add(`${name}.${String(method)}`);
        return target[method].bind(target);
      },
    });
  return new Proxy(client, {
    get(_, name) {
      if (client[name] === undefined && name !== 'then') throw new Missing(String(name));
      return isResource(client[name]) ? resource(String(name), client[name]) : client[name];
    },
  });
}

const isResource = (value) => typeof value === 'object' && value !== null && methodsOf(value).length > 0;

const methodsOf = (resource) =>
  [...Object.keys(resource), ...Object.getOwnPropertyNames(Object.getPrototypeOf(resource))].filter(
    (name) => name !== 'constructor' && typeof resource[name] === 'function' && !name.startsWith('make'),
  );

/** Prints how many methods were called, and the names of the others. */
export function report(title, client) {
  const all = Object.keys(client)
    .filter((name) => isResource(client[name]))
    .flatMap((name) => methodsOf(client[name]).map((method) => `${name}.${method}`));
  const others = all.filter((name) => !called.has(name)).sort();
  console.log(`coverage: ${all.length - others.length} of ${all.length} methods of ${title}`);
  for (const name of others) console.log(`  not called: ${name}`);
}

export async function check(name, body) {
  try {
    await body();
    counts.passed += 1;
  } catch (error) {
    if (error instanceof Missing) return console.log(`  ${name}: this version has no ${error.message}`);
    counts.failed += 1;
    console.log(`FAILED ${name}: ${error.stack} ${JSON.stringify(error.responseData ?? error.response?.data ?? '')}`);
  }
}

export function has(items, wanted) {
  const found = items.find((item) => Object.entries(wanted).every(([key, value]) => item[key] === value));
  assert.ok(found, `${JSON.stringify(wanted)} is missing`);
  return found;
}

/** Checks that a call is refused with this status; the clients answer some of 404 with nothing. */
export async function refused(status, call) {
  const answer = await call().then(
    (value) => (value === null || value === undefined ? 404 : value),
    (error) => error.response?.status,
  );
  assert.equal(answer, status);
}
