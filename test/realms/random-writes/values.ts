import { isJson, type Json, type World } from './world.js';

/** Texts that code could trim, compare in another case, split, take for masks, references, or members of prototypes. */
const texts = [
  ...['', ' ', 'x', 'X', ' x ', 'a/b', '/', '%_\\', '**********', '$'.concat('{x}'), '$'.concat('{file:/etc/passwd}')],
  ...[
    'true',
    '0',
    '-1',
    'null',
    '__proto__',
    'constructor',
    'toString',
    'a\u2028b',
    '😀',
    'é',
    'e\u0301',
    'İ',
    'ß',
    'ﬁ',
  ],
  ...[
    'x'.repeat(255),
    'a b',
    'a,b',
    'a##b',
    '*',
    '+',
    'https://x.example/*',
    'http://localhost:1/',
    '[]',
    '{}',
    '"',
    "'",
  ],
  ...['a\nb', '\t', '\ufeff', '.', '..', 'realm', 'account', 'default', 'User@X.example', 'user@x.example', 'password'],
];

/** Values of fields that are seldom right by chance. */
const hints: Readonly<Record<string, readonly unknown[]>> = {
  requirement: ['REQUIRED', 'ALTERNATIVE', 'DISABLED', 'CONDITIONAL'],
  newName: ['copy', 'Copy', ' copy', 'é', 'e\u0301', 'a b', '0', 'constructor'],
  authenticator: ['auth-cookie', 'auth-otp-form', 'identity-provider-redirector', 'conditional-user-role'],
  provider: ['auth-cookie', 'auth-otp-form', 'identity-provider-redirector', 'registration-page-form'],
  protocol: ['openid-connect', 'openid-connect', 'saml'],
  protocolMapper: ['oidc-usermodel-attribute-mapper', 'oidc-hardcoded-claim-mapper', 'oidc-audience-mapper'],
  identityProviderMapper: ['oidc-user-attribute-idp-mapper', 'hardcoded-attribute-idp-mapper'],
  rootUrl: ['https://x.example', '', '$'.concat('{authBaseUrl}'), 'http://localhost'],
  baseUrl: ['', '/x', 'https://x.example/', '/😀'],
  adminUrl: ['', 'https://x.example/a'],
  email: ['a@b.example', 'User@X.example', 'user@x.example', 'ü@x.example', ''],
  requiredActions: ['UPDATE_PASSWORD', 'x', ''],
  passwordPolicy: ['', 'length(1)', 'hashIterations(1)', 'length(1) and notUsername(undefined)'],
  sslRequired: ['none', 'external', 'all', ''],
  defaultLocale: ['en', 'de', '', 'x y'],
  otpPolicyAlgorithm: ['HmacSHA1', 'HmacSHA256'],
  otpPolicyType: ['totp', 'hotp'],
  defaultSignatureAlgorithm: ['RS256', 'ES256', ''],
  secret: ['', 's', '**********', 'x'.repeat(100), '\u2028'],
  subType: ['authenticated', 'anonymous', '', undefined],
  policyEnforcementMode: ['ENFORCING', 'PERMISSIVE'],
  decisionStrategy: ['UNANIMOUS', 'AFFIRMATIVE'],
  logic: ['POSITIVE', 'NEGATIVE'],
  frontendUrl: [''],
  groups: [undefined],
  scope: [undefined],
  authenticatorConfig: [undefined],
};

/** Values of fields whose names mean something else in parts of the contract. */
const hintsOf: readonly [RegExp, Readonly<Record<string, readonly unknown[]>>][] = [
  [
    /authentication/,
    {
      type: ['basic-flow', 'form-flow'],
      providerId: ['basic-flow', 'client-flow', 'form-flow'],
      alias: ['cfg', 'cfg', 'CFG', 'cfg ', 'review profile config', '😀', 'a b', '__proto__', 'constructor'],
    },
  ],
  [
    /identity-provider/,
    { providerId: ['oidc', 'github', 'saml'], alias: ['idp', 'i1', 'I1', 'a b', 'é', 'constructor'] },
  ],
  [/policy|permission|uma/, { type: ['regex', 'client', 'aggregate', 'urn:x', 'time'] }],
];

/** Fields without which most requests are refused. */
const required =
  /^(name|alias|clientId|username|providerId|protocol|protocolMapper|providerType|identityProviderMapper|identityProviderAlias|requirement|type|value|provider|newName)$/;
/** Fields that the service sets. */
const ids = /^(access|id|_id|internalId|containerId)$/;

/** A part of the schemas of the OpenAPI document. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}

/** Values for a schema of the OpenAPI document. `route` is where they are sent. */
export function createValues(schemas: Readonly<Record<string, Schema>>, world: World, route: string) {
  const { pick, chance } = world;
  const special = hintsOf.filter(([place]) => place.test(route)).map(([, of]) => of);
  const hinted = (name: string): readonly unknown[] | undefined =>
    special.map((of) => (Object.hasOwn(of, name) ? of[name] : undefined)).find(Boolean) ??
    (Object.hasOwn(hints, name) ? hints[name] : undefined);
  const resolved = (schema: Schema): Schema => schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const some = <T>(make: () => T): T[] => Array.from({ length: pick([0, 1, 2]) ?? 0 }, make);

  const text = (name: string): unknown => {
    const { flows, identityProviders, components, realm } = world.content;
    const known = hinted(name);
    if (known && chance(0.93)) return pick(known);
    if (/flow/i.test(name)) {
      const flow = pick(flows.filter(({ builtIn }) => !builtIn || chance(0.2)));
      return /id$|parentFlow/i.test(name) ? flow?.['id'] : flow?.['alias'];
    }
    if (name === 'identityProviderAlias') return pick(identityProviders)?.['alias'];
    if (name === 'parentId') return pick([undefined, realm['id'], pick(components)?.['id']]);
    if (name === 'federationLink') return undefined;
    return pick(texts);
  };

  const value = (given: Schema | undefined, name: string, depth: number): unknown => {
    const schema = resolved(given ?? {});
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return value(pick(alternatives), name, depth);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type;
    if (type === 'boolean') return chance(0.5);
    if (type === 'integer' || type === 'number') return pick([0, 1, -1, 3, 60, 86400, 2147483647]);
    if (schema.properties) return object(schema, depth + 1);
    if (type === 'array') return depth > 3 ? [] : list(schema, name, depth + 1);
    if (type === 'object') return depth > 3 ? {} : map(schema, name, depth + 1);
    return text(name);
  };
  const list = ({ items }: Schema, name: string, depth: number): unknown[] => {
    if (!/roles?$/i.test(name)) return some(() => value(items, name, depth));
    return some(() => pick(world.content.realmRoles)?.['name'] ?? 'x');
  };
  const map = ({ additionalProperties: items }: Schema, name: string, depth: number): Json =>
    Object.fromEntries(
      some(() => [pick(texts) ?? '', value(isJson(items) ? items : { type: 'string' }, name, depth)] as const).filter(
        ([key]) => key !== '__proto__',
      ),
    );
  const object = ({ properties = {} }: Schema, depth: number): Json => {
    const likely = (name: string): number => (required.test(name) ? 0.97 : depth > 1 ? 0.3 : 0.18);
    const names = Object.keys(properties).filter((name) => !ids.test(name) && chance(likely(name)));
    const entries = names.map((name) => [name, value(properties[name], name, depth)] as const);
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  };
  return {
    text: () => pick(texts) ?? '',
    body: (schema: Schema): unknown => value(schema, '', 0),
  };
}

export type { Schema };
