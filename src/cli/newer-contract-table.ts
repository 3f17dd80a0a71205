import { adminMount } from '../rest/router.js';
import type { Route } from '../rest/table.js';
import { ownMember } from '../services/core/json.js';
import { newerFields } from '../services/core/newer-fields.js';

/** An operation of the administration API of version 26. */
interface NewerOperation {
  method: string;
  /** below `/admin` */
  path: string;
  parameters: string[];
  /** whether version 15 does not have it */
  isNew: boolean;
  /** parameters that version 15 does not have */
  newParameters: string[];
}

const organizations = 'Organizations are not built.';
const credentials = 'Verifiable credentials are not built.';
const noActionSettings = 'Required actions have no settings.';

/** Why an operation is not built, by the start or a part of its path. The first one counts. */
const reasons: readonly [part: RegExp, reason: string][] = [
  [/\/organizations/, organizations],
  [/\/workflows/, 'Workflows are not built.'],
  [/\/vc\//, credentials],
  [/\/client-types/, 'Client types are a feature that Keycloak 26 has switched off.'],
  [/required-actions\/\{alias\}\/config/, noActionSettings],
  [/authentication\/config$/, 'Deprecated in Keycloak 26: settings are created at an execution.'],
  [
    /executions\/\{executionId\}\/config\/\{id\}/,
    'Deprecated in Keycloak 26: settings are read at `authentication/config/{id}`.',
  ],
  [/resource-server\/permission$/, 'Permissions are created at `permission/resource` and `permission/scope`.'],
  [/generate-example-saml-response/, 'Examples of SAML responses are not built.'],
  [/reload-keys/, 'Keys of identity providers are fetched again when a signature names an unknown one.'],
  [/upload-certificate$/, 'Certificates of identity providers are part of their `config`.'],
];

/** Operations of version 15 with another meaning in version 26. */
const notes: Readonly<Record<string, string>> = {
  'PUT /realms/{realm}/users/profile': 'checked, not stored: the profile of users cannot be configured',
};

/** Parameters that are ignored, with the reason. */
const ignoredParameters: Readonly<Record<string, string>> = {
  audience: 'examples have the audiences that the scopes give',
  capability: 'identity providers have one use',
  enabled: 'counted as in version 15',
  exact: 'counted as in version 15',
  idpAlias: 'counted as in version 15',
  idpUserId: 'counted as in version 15',
  'include-global-policies': 'there are no global policies',
  providerId: 'components are filtered by `type`',
  realmOnly: 'all identity providers belong to the realm',
  type: 'identity providers have one use',
};

/** Reads a line of schema/keycloak-26-operations.txt. */
function operationOf(line: string): NewerOperation {
  const isNew = line.startsWith('+ ');
  const [method = '', path = '', ...marked] = line.replace(/^\+ /, '').split(' ');
  const plain = (name: string) => name.replace('+', '');
  return {
    method,
    path,
    isNew,
    parameters: marked.map(plain),
    newParameters: marked.filter((name) => name.startsWith('+')).map(plain),
  };
}

const formOf = (path: string): string => path.replace(/\{[^}]+\}/g, '{}');

/** The routes of the administration API by their method and the form of their path below `/admin`. */
const routesByForm = (routes: readonly Route[]): ReadonlyMap<string, Route> =>
  new Map(
    routes.flatMap((route): [string, Route][] => {
      const address = adminMount.address(route);
      return address === undefined ? [] : [[`${route.method} ${formOf(address.slice('/auth/admin'.length))}`, route]];
    }),
  );

const code = (text: string): string => `\`${text}\``;

/** Returns the ignored parameters of an operation: parameters that no route reads, and parameters of a count. */
function ignoredOf({ path, newParameters }: NewerOperation, { query }: Route): string[] {
  const isCount = path.endsWith('/users/count');
  const counted = ['createdAfter', 'createdBefore', 'q'];
  return newParameters.filter((name) => !query.includes(name) || (isCount && !counted.includes(name)));
}

/** The state of an operation, in words. Throws if it is not built and there is no reason for that. */
function stateOf(operation: NewerOperation, route: Route | undefined): string {
  const { method, path, isNew, newParameters } = operation;
  if (!route) {
    const [, reason] = reasons.find(([part]) => part.test(path)) ?? [];
    if (!reason)
      throw new Error(`${method} ${path} is not built, and src/cli/newer-contract-table.ts states no reason.`);
    return `not built: ${reason}`;
  }
  const note = ownMember(notes, `${method} ${path}`);
  if (note) return note;
  const ignored = ignoredOf(operation, route);
  const built = newParameters.filter((name) => !ignored.includes(name));
  const because = ignored.map((name) => `${code(name)} (${ownMember(ignoredParameters, name) ?? 'not built'})`);
  return [
    isNew
      ? 'built'
      : built.length > 0
        ? `built: ${built.map(code).join(', ')}`
        : newParameters.length === 0
          ? 'same'
          : '',
    ignored.length > 0 ? `ignored: ${because.join(', ')}` : '',
  ]
    .filter(Boolean)
    .join('; ');
}

const head = `# Which requests of Keycloak 26 does the REST API answer?

The contract is that of version 15, with additions of version 26 that tools of today use. They change no answer that clients of version 15 rely on. Paths are below
\`/auth/admin\`, or \`/admin\` with [\`ADDRESS_PREFIX\`](settings.md). This file is generated: \`npm run print-schema\`. It compares
\`schema/keycloak-26-operations.txt\`, which has the operations of Keycloak 26.7.3, with the routes of the service.
`;

const fieldsHead = `
## Fields
A group in a list of subgroups, or found with a parameter of version 26, has \`parentId\`, \`subGroupCount\`, and \`access\`. An identity provider that is hidden on the login page has
\`hideOnLogin\`, which is \`config.hideOnLoginPage\` of version 15. These fields of requests are ignored, and the header \`X-Ignored-Fields\` names them. A
field that neither version has is refused with 400.

| representation | ignored |
| --- | --- |
`;

/** docs/rest-26.md: a row for each operation of version 26. `list` is the text of schema/keycloak-26-operations.txt. */
export function newerContractText(list: string, routes: readonly Route[]): string {
  const known = routesByForm(routes);
  const lines = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const states = lines.map(operationOf).map((operation) => {
    const { method, path } = operation;
    return { operation, state: stateOf(operation, known.get(`${method} ${formOf(path)}`)) };
  });
  const rowOf = ({ operation: { method, path }, state }: (typeof states)[number]) =>
    `| ${code(`${method} ${path}`)} | ${state} |\n`;
  const count = (word: string) => states.filter(({ state }) => state.startsWith(word)).length;
  const rest = states.length - count('same') - count('built') - count('not built');
  const differing = states.filter(({ state }) => state !== 'same');
  const same = states.filter(({ state }) => state === 'same');
  const fields = Object.entries(newerFields).map(
    ([name, ignored]) => `| ${code(name)} | ${ignored.map(code).join(', ')} |\n`,
  );
  return `${head}
Of ${states.length} operations, ${count('same')} are the same, ${count('built')} are new or have new parameters, ${rest} ignore new parameters, and ${count('not built')} are not built.
${fieldsHead}${fields.join('')}
## Operations that version 15 does not have, or that have new parameters
| operation | state |
| --- | --- |
${differing.map(rowOf).join('')}
## Operations that are the same
${same.map(({ operation: { method, path } }) => `- ${code(`${method} ${path}`)}\n`).join('')}`;
}
