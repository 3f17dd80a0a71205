import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openApiText } from '../../src/rest/openapi.js';
import { ClientRepresentation } from '../../src/services/clients/representation.js';
import { ComponentRepresentation } from '../../src/services/components/representation.js';
import { decode } from '../../src/services/core/shape.js';
import { GroupRepresentation } from '../../src/services/groups/representation.js';
import { IdentityProviderRepresentation } from '../../src/services/identity-providers/representation.js';
import { RealmRepresentation } from '../../src/services/realms/representation.js';
import { RoleRepresentation } from '../../src/services/roles/representation.js';
import { UserRepresentation } from '../../src/services/users/representation.js';
import { administrator, type Caller, callerWith } from '../support/fixture.js';
import { startServer } from '../support/server.js';
import { documentedFields, type RecordedClass, representations as recorded } from './documents.js';

interface Document {
  paths: Record<string, Record<string, object>>;
  components: { schemas: Record<string, { properties?: Record<string, { deprecated?: boolean }> }> };
}
const document: Document = JSON.parse(await openApiText());
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
);

let anonymous: Caller;
let admin: Caller;
let url: string;

beforeAll(async () => {
  const server = await startServer();
  url = server.url;
  anonymous = callerWith(server, undefined);
  admin = await administrator(server);
  expect((await admin.send('POST', '/', { realm: 'wire', enabled: true })).status).toBe(201);
});

const bodiless = [204, 304];
const isFramed = ({ status, headers }: { status: number; headers: Headers }): boolean =>
  bodiless.includes(status) || headers.get('content-length') !== null;

describe('the length of answers', () => {
  it('is stated by every operation, whatever becomes of it', { timeout: 180_000 }, async () => {
    const open: string[] = [];
    for (const { method, path } of operations) {
      const address = path.replaceAll('{realm}', method === 'GET' ? 'wire' : 'nowhere').replace(/\{[\w-]+\}/g, 'x');
      for (const caller of [anonymous, admin]) {
        const answer = await caller.send(method, address, ['GET', 'HEAD'].includes(method) ? undefined : {});
        if (!isFramed(answer)) open.push(`${method} ${path}: ${answer.status}`);
      }
    }
    // a whole realm is a stream
    expect(open).toEqual(['GET /{realm}/export: 200']);
  });

  it.each([
    ['roles', { name: 'clerk' }],
    ['users', { username: 'ann' }],
    ['groups', { name: 'staff' }],
    ['clients', { clientId: 'shop' }],
    ['client-scopes', { name: 'orders' }],
    ['identity-provider/instances', { alias: 'partner', providerId: 'oidc' }],
    ['authentication/flows', { alias: 'own', providerId: 'basic-flow', topLevel: true, builtIn: false }],
  ])('is 0 where something was created: %s', async (path, body) => {
    const answer = await admin.send('POST', `/wire/${path}`, body);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([201, '0']);
    expect(answer.headers.get('transfer-encoding')).toBeNull();
  });

  it('is stated by the login, by GraphQL and for other origins', async () => {
    const openid = `${url}/auth/realms/wire/protocol/openid-connect`;
    const answers = await Promise.all([
      fetch(`${openid}/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'password' }) }),
      fetch(`${openid}/auth?client_id=none`),
      fetch(`${openid}/token`, { method: 'OPTIONS', headers: { origin: 'https://app.example.org' } }),
      fetch(`${url}/auth/admin/realms/wire/roles`, { method: 'OPTIONS' }),
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ __typename }' }),
      }),
    ]);
    expect(answers.filter((answer) => !isFramed(answer)).map((answer) => answer.url)).toEqual([]);
  });
});

/** Fields that the documents name and the classes lack, and those of our own exports, which no such client reads. */
const further: Record<string, string[]> = {
  ApplicationRepresentation: ['oauth2DeviceAuthorizationGrantEnabled', 'secretVersion'],
  AuthenticationExecutionRepresentation: ['alternative', 'conditional', 'disabled', 'enabled', 'required'],
  AccessToken: ['category', 'otherClaims'],
  ClientRepresentation: ['oauth2DeviceAuthorizationGrantEnabled', 'secretVersion'],
  CredentialRepresentation: ['rawPassword'],
  IDToken: ['category', 'otherClaims'],
  // of version 26: only answers to its requests, and about hidden providers, have them
  GroupRepresentation: ['parentId', 'subGroupCount'],
  IdentityProviderRepresentation: ['hideOnLogin'],
  OAuthClientRepresentation: ['oauth2DeviceAuthorizationGrantEnabled', 'secretVersion'],
  // newer ones, which only answers about clients that have them set contain
  OIDCClientRepresentation: [
    'dpop_bound_access_tokens',
    'frontchannel_logout_uri',
    'frontchannel_logout_session_required',
  ],
  PermissionRequest: ['scopes'],
  PermissionTicketRepresentation: ['claims'],
  RealmRepresentation: [
    // the reference has this as an attribute only
    'adminEventsExpiration',
    'localizationTexts',
    'oAuth2DeviceCodeLifespan',
    'oAuth2DevicePollingInterval',
    'serviceVersion',
    'webhooks',
  ],
  ResourceRepresentation: ['id', 'scopesUma'],
  RolePolicyRepresentation: ['fetchRoles'],
};
/** Two classes have this name; the other one is recorded. */
const ambiguous = new Set(['ClientPolicyRepresentation']);
/** Fields that no answer has: above all paths and the account of the machine, which would help only an attacker. */
const untold: Record<string, string[]> = {
  // recorded: a device has them in its sessions
  DeviceRepresentation: ['browser', 'id', 'ipAddress'],
  SystemInfoRepresentation: ['javaHome', 'userDir', 'userName'],
  // another name of `sub`, which no answer has
  UserInfo: ['subject'],
  // recorded: only profiles that a realm declares have them
  UserProfileAttributeMetadata: ['annotations'],
};

describe('the fields of representations', () => {
  const described = Object.entries(document.components.schemas).filter(
    ([name, { properties }]) => properties && recorded[name] && !ambiguous.has(name),
  );

  it.each(described)('%s has those of the class of the reference, and no other', (name, { properties = {} }) => {
    const known = recorded[name] as RecordedClass;
    const all = [...Object.keys(known.fields), ...(known.onlyInAnswers ?? []), ...(further[name] ?? [])];
    expect(Object.keys(properties).filter((field) => !all.includes(field))).toEqual([]);
    const missing = Object.keys(known.fields).filter((field) => !(field in properties));
    expect(missing).toEqual(untold[name] ?? []);
  });
});

describe('the OpenAPI document', () => {
  // a map is a map here: these are the fields of the Java class that holds it, and no answer has them
  const ofMaps = new Set(['MultivaluedHashMap']);

  it.each(Object.entries(documentedFields).filter(([name]) => !ofMaps.has(name)))(
    'names every documented field of %s but those about the machine',
    (name, fields) => {
      const { properties = {} } = document.components.schemas[name] ?? {};
      expect(fields.filter((field) => !(field in properties))).toEqual(untold[name] ?? []);
    },
  );
});

const shapes: [string, z.ZodType][] = [
  ['ClientRepresentation', ClientRepresentation],
  ['ComponentRepresentation', ComponentRepresentation],
  ['GroupRepresentation', GroupRepresentation],
  ['IdentityProviderRepresentation', IdentityProviderRepresentation],
  ['RealmRepresentation', RealmRepresentation],
  ['RoleRepresentation', RoleRepresentation],
  ['UserRepresentation', UserRepresentation],
];

interface Property {
  type?: string;
  maxLength?: number;
}
const propertiesOf = (name: string, shape: z.ZodType): [string, Property][] => {
  const { $defs } = z.toJSONSchema(shape, { unrepresentable: 'any' }) as unknown as {
    $defs: Record<string, { properties: Record<string, Property> }>;
  };
  return Object.entries($defs[name]?.properties ?? {});
};

describe.each(shapes)('what %s reads', (name, shape) => {
  const read = (field: string, value: unknown) => (decode(shape, { [field]: value }) as Record<string, unknown>)[field];
  const properties = propertiesOf(name, shape);

  it('has texts, and fields of other types', () => {
    expect(new Set(properties.map(([, { type }]) => type)).size).toBeGreaterThan(1);
  });

  const fieldsOf = (type: string) => properties.flatMap(([field, property]) => (property.type === type ? [field] : []));

  it.each(fieldsOf('boolean'))('takes texts and numbers for a switch, and an empty text for none: %s', (field) => {
    const values = ['true', 'True', 'TRUE', 'false', 'FALSE', 1, 0].map((value) => read(field, value));
    expect(values).toEqual([true, true, true, false, false, true, false]);
    expect([undefined, false]).toContain(read(field, ''));
    expect(() => read(field, 'yes')).toThrow(field);
  });

  it.each(fieldsOf('integer'))('takes texts for a number, and an empty text for none: %s', (field) => {
    expect([read(field, '5'), read(field, 5.9)]).toEqual([5, 5]);
    expect([undefined, 0]).toContain(read(field, ''));
    expect(() => read(field, 'x')).toThrow(field);
  });

  it('takes numbers and switches for texts, up to their greatest length', () => {
    for (const [field, { maxLength }] of properties.filter(([, { type }]) => type === 'string')) {
      if (field === 'sslRequired') continue;
      expect([field, read(field, 5), read(field, true)]).toEqual([field, '5', 'true']);
      if (maxLength === undefined) continue;
      expect(read(field, 'x'.repeat(maxLength))).toHaveLength(maxLength);
      expect(() => read(field, 'x'.repeat(maxLength + 1))).toThrow(field);
    }
  });

  it('takes null for every field, and refuses fields that nobody has ever had', () => {
    for (const [field] of properties) expect(read(field, null)).toBeUndefined();
    expect(() => decode(shape, { 'no-such-field': 1 })).toThrow('no-such-field');
  });
});
