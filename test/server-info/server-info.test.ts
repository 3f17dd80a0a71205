import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadGroup } from '../contract/player/groups.mjs';
import { administrator, type Caller } from '../support/fixture.js';
import { startServer } from '../support/server.js';

let admin: Caller;

beforeAll(async () => {
  admin = await administrator(await startServer());
});

interface Type {
  id: string;
  properties: {
    name: string;
    type: string;
    defaultValue?: unknown;
    options?: string[];
    label: string;
    helpText: string;
  }[];
  helpText: string;
}

describe('the server information', () => {
  it('explains every kind of provider and every setting', async () => {
    const { body } = await admin.send('GET', '/');
    const types = Object.values(body.componentTypes as Record<string, Type[]>).flat();
    expect(types.length).toBeGreaterThan(140);
    const silent = types.flatMap(({ id, helpText, properties }) => [
      ...(helpText ? [] : [id]),
      ...properties.filter((property) => !property.label || !property.helpText).map(({ name }) => `${id}: ${name}`),
    ]);
    expect(silent).toEqual([]);
  });

  it('labels settings as the reference server does, for who searches for them', async () => {
    const { body } = await admin.send('GET', '/');
    const mappers = (Object.values(body.protocolMapperTypes) as Type[][]).flat();
    const components = (Object.values(body.componentTypes) as Type[][]).flat();
    const labelOf = (types: Type[], id: string, setting: string) =>
      types.find((type) => type.id === id)?.properties.find(({ name }) => name === setting)?.label;
    expect(labelOf(mappers, 'oidc-usermodel-attribute-mapper', 'claim.name')).toBe('Token Claim Name');
    expect(labelOf(mappers, 'saml-role-list-mapper', 'single')).toBe('Single Role Attribute');
    expect(labelOf(components, 'group-ldap-mapper', 'groups.dn')).toBe('LDAP Groups DN');
    const length = (body.passwordPolicies as { id: string; displayName: string }[]).find(({ id }) => id === 'length');
    expect(length?.displayName).toBe('Minimum Length');
    const redirector = '/master/authentication/config-description/identity-provider-redirector';
    expect((await admin.send('GET', redirector)).body.properties[0].label).toBe('Default Identity Provider');
  });

  it('names only providers that can be set up', async () => {
    const { body } = await admin.send('GET', '/');
    for (const { id } of body.componentTypes['org.keycloak.keys.KeyProvider'] as Type[]) {
      const provider = { name: id, providerId: id, providerType: 'org.keycloak.keys.KeyProvider', config: {} };
      const { status, body: refusal } = await admin.send('POST', '/master/components', provider);
      expect([201, refusal?.errorMessage ?? '']).toContain(status === 201 ? 201 : refusal.errorMessage);
    }
  });

  it('is in GraphQL, and as little open to others', async () => {
    const { data, errors } = await admin.graphql(
      `{ serverInfo { version contractVersion uptime process { runtime os } memory { total used free } themes { type name locales }
        passwordRules { name defaultValue canRepeat } providers(type: KEY_PROVIDER) { providerId } disabledFeatures } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.serverInfo).toMatchObject({
      version: JSON.parse(await readFile('package.json', 'utf8')).version,
      contractVersion: '15.0.2',
      process: { runtime: 'Node.js' },
      memory: { total: expect.any(Number), used: expect.any(Number), free: expect.any(Number) },
      themes: expect.arrayContaining([{ type: 'common', name: 'keycloak', locales: [] }]),
      passwordRules: expect.arrayContaining([{ name: 'length', defaultValue: '8', canRepeat: false }]),
      providers: expect.arrayContaining([{ providerId: 'rsa-generated' }]),
      disabledFeatures: expect.arrayContaining(['UPLOAD_SCRIPTS']),
    });
  });

  it('has the kinds, settings and values that tools build their forms of', async () => {
    const recorded = loadGroup('root')[0]?.recorded[0]?.body;
    const { body } = await admin.send('GET', '/');
    const byId = (types: Type[]) => Object.fromEntries(types.map((type) => [type.id, shape(type)]));
    const shape = ({ properties }: Type) =>
      properties
        .map(({ name, type, defaultValue, options }) => ({
          name,
          type,
          ...(defaultValue !== undefined && name !== 'Script' && { defaultValue }),
          ...(options && { options: [...options].sort() }),
        }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    // said only in this place, and without any effect
    const deny = 'deny-access-authenticator';
    for (const [type, expected] of Object.entries(recorded.componentTypes as Record<string, Type[]>)) {
      const known = expected.filter(({ id }) => id !== deny);
      expect(byId(body.componentTypes[type])).toMatchObject(byId(known));
    }
    const sorted = (items: { id: string }[]) => items.map(({ id }) => id).sort();
    for (const part of ['passwordPolicies', 'identityProviders', 'socialProviders']) {
      expect(sorted(body[part])).toEqual(sorted(recorded[part]));
    }
    for (const kind of ['actionTokenHandler', 'signature', 'clientSignature', 'cekmanagement', 'contentencryption']) {
      expect(Object.keys(body.providers[kind].providers).sort()).toEqual(
        Object.keys(recorded.providers[kind].providers),
      );
    }
    for (const part of ['eventType', 'operationType', 'resourceType']) {
      expect([...body.enums[part]].sort()).toEqual(recorded.enums[part]);
    }
    for (const protocol of Object.keys(recorded.protocolMapperTypes)) {
      expect(sorted(body.protocolMapperTypes[protocol])).toEqual(sorted(recorded.protocolMapperTypes[protocol]));
    }
    for (const protocol of Object.keys(recorded.clientInstallations)) {
      expect(sorted(body.clientInstallations[protocol])).toEqual(sorted(recorded.clientInstallations[protocol]));
    }
  });
});
