// Where each mount serves the operation of a step.

// The documented paths that the admin mount serves under another path than /admin/realms/{realm}/….
const adminPaths = {
  'GET /': '/admin/serverinfo',
  'POST /': '/admin/realms',
  'GET /{id}/name': '/admin/realms/{realm}/user-storage/{id}/name',
  'OPTIONS /{any}': '/admin/realms/{any}',
};

// Path parameters whose value may span several segments.
const multiSegment = new Set(['path', 'any']);

/** The method and path (relative to /auth) of a step. */
export function target(step, mount, pathValues) {
  const name = step.op ?? step.url;
  const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(name);
  let template = path;
  if (step.op && mount === 'admin') template = adminPaths[name] ?? `/admin/realms${path}`;
  return { method, path: fill(template, pathValues) };
}

function fill(template, values) {
  return template.replace(/\{([^}]+)\}/g, (_, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for path parameter {${name}}`);
    const encode = (text) => encodeURIComponent(text);
    return multiSegment.has(name) ? String(value).split('/').map(encode).join('/') : encode(String(value));
  });
}
