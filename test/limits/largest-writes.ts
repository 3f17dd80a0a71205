import type { z } from 'zod';
import { routes } from '../../src/rest/routes.js';
import type { Route } from '../../src/rest/table.js';
import { numbered } from './large.js';
import { declared, fieldsOf } from './shape-fields.js';

// Bodies of writes with as much as their limits allow in each field in turn.

type Json = Record<string, unknown>;

/** Most characters of texts, objects of a list, and entries of lists of texts and of maps: see docs/limits.md. */
const lengths = [4_194_304, 524_288, 16_384, 255];
const mostObjects = 1000;
const mostEntries = 10_000;

/** Fields that objects cannot do without, or that their kind follows from. `at` tells objects apart. */
const usual = (at: string): Json => ({
  ...Object.fromEntries(
    ['name', 'username', 'clientId', 'alias', 'realm', 'newName', 'displayName'].map((key) => [key, at]),
  ),
  ...{ protocol: 'openid-connect', protocolMapper: 'oidc-usermodel-attribute-mapper' },
  ...{ providerType: 'org.keycloak.keys.KeyProvider', identityProviderAlias: 'partner' },
  ...{ identityProviderMapper: 'hardcoded-attribute-idp-mapper', ifResourceExists: 'SKIP', enabled: true },
});
const providers: Record<string, string> = {
  'component.create': 'hmac-generated',
  'identityProvider.create': 'oidc',
  'requiredAction.register': 'VERIFY_EMAIL',
};

const pick = (fields: Record<string, unknown>, values: Json): Json =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in fields));

/** The shape of the items of a list. */
function itemOf(shape: z.ZodType | undefined): z.ZodType | undefined {
  const { element, out, innerType } = declared(shape);
  return element ?? (out ? itemOf(out) : innerType && itemOf(innerType));
}

/** Values of a shape that are as large as it takes, of each kind that it takes. */
function largestOf(shape: z.ZodType, at: string): unknown[] {
  const taken = (values: unknown[]): unknown[] => values.filter((value) => shape.safeParse(value).success).slice(0, 1);
  const item = fieldsOf(itemOf(shape));
  const object = (index: number): Json => ({
    ...pick(item, { ...usual(`${at}-${index}`), type: 'password', value: `secret ${index}`, config: {} }),
    ...('providerId' in item && { providerId: 'basic-flow' }),
  });
  return [
    ...taken(lengths.map((length) => 'x'.repeat(length))),
    ...taken(lengths.map((length) => '*a'.repeat(length / 2))),
    ...taken([numbered(mostEntries, (index) => `${at}-${index}`)]),
    ...(Object.keys(item).length > 0 ? taken([numbered(mostObjects, object), numbered(50, object)]) : []),
    ...taken([Object.fromEntries(numbered(mostEntries, (index) => [`k${index}`, 'v']))]),
    ...taken([{ k: numbered(mostEntries, (index) => `v${index}`) }]),
  ];
}

/** The shape of the body of a route; of a merge patch that of the write that it stands for. */
function shapeOf(route: Route): z.ZodType | undefined {
  const { path, admin, takes, operation } = route;
  if (takes !== 'merge patch') return operation.input;
  return routes.find((one) => one.method === 'PUT' && one.path === path && one.admin === admin)?.operation.input;
}

/** A body, and where each part of a form is a file. */
export interface LargeBody {
  type: string;
  body: string;
}

const boundary = 'large';
const file = (content: string): LargeBody => ({
  type: `multipart/form-data; boundary=${boundary}`,
  body: ['keystoreFormat', 'keyAlias', 'keyPassword', 'storePassword', 'providerId']
    .map((name) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nsaml\r\n`)
    .concat(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${content}\r\n--${boundary}--\r\n`,
    )
    .join(''),
});
const json = (value: unknown, type = 'application/json'): LargeBody => ({ type, body: JSON.stringify(value) });

/**
 * The bodies for a route: `present` is what the address shows, which a change begins with, and `rows` are objects of the realm with
 * their IDs, for lists of these. Each object that is made has a name of its own.
 */
export function writesOf(route: Route, present: unknown, rows: readonly Json[]): (LargeBody | undefined)[] {
  const { takes, operation } = route;
  if (takes === 'nothing') return [undefined];
  const map = Object.fromEntries(numbered(mostEntries, (at) => [`k${at}`, 'v']));
  if (takes === 'text') return [{ type: 'text/plain', body: 'x'.repeat(524_288) }];
  if (takes === 'upload') {
    return [file(JSON.stringify(map)), file('x'.repeat(1_000_000)), file(`<a>${'<b/>'.repeat(200_000)}</a>`)];
  }
  const fields = fieldsOf(shapeOf(route));
  const names = Object.keys(fields);
  const at = `large-${operation.name}`;
  if (names.length === 0) {
    const mappers = numbered(mostObjects, (index) =>
      pick({ name: 1, protocol: 1, protocolMapper: 1 }, usual(`${at}-${index}`)),
    );
    return [rows, mappers, numbered(mostEntries, (index) => `v${index}`), map, 'x'.repeat(1_000_000)].map((value) =>
      json(value),
    );
  }
  const isChange = route.method !== 'POST';
  const known =
    typeof present === 'object' && present !== null && !Array.isArray(present) ? pick(fields, present as Json) : {};
  const base = (name: string): Json => {
    if (takes === 'merge patch') return {};
    if (isChange) return known;
    const providerId = providers[operation.name] ?? 'basic-flow';
    return pick(fields, { ...usual(`${at}-${name}`), ...('providerId' in fields && { providerId }) });
  };
  const type = takes === 'merge patch' ? 'application/merge-patch+json' : 'application/json';
  const bodies = names.flatMap((name) =>
    largestOf(fields[name] as z.ZodType, `${at}-${name}`).map((value, index) =>
      json({ ...base(`${name}-${index}`), [name]: value }, type),
    ),
  );
  // beyond the limits: what is looked at before such a body is refused
  const beyond = numbered(90_000, () => ({}));
  return [...bodies, json({ ...base('none'), [names[0] as string]: beyond }, type), json(beyond, type)];
}
