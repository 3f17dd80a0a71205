import { decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientChoices } from '../../src/graph/clients/choices.js';
import { settingPaths } from '../../src/graph/clients/settings.js';
import { choices } from '../../src/graph/realms/choices.js';
import { type Setting, type SettingGroup, settingGroups } from '../../src/graph/realms/settings.js';
import { agentOf, authorizationUrl } from '../login/agent.js';
import { callback, keySetOf } from '../oauth/relying-party.js';
import * as algorithms from './algorithms.js';
import * as flows from './flows.js';
import { sent } from './server-info-uses.js';
import { credentials, keyFor, newClient, openWorld, post, realm, shownBy, tokensFor, type World } from './world.js';

// Every value of every setting that is an enum of GraphQL is stored, read back, and used. A setting without a use fails by its name.

type Values = Readonly<Record<string, readonly string[]>>;
const allChoices: Record<string, { values: Values }> = { ...choices, ...clientChoices };
const choiceOf = (kind: unknown): string | undefined =>
  typeof kind === 'object' && kind !== null ? Object.values(kind as Record<string, string>)[0] : undefined;

let world: World;
let realmId: string;

beforeAll(async () => {
  world = await openWorld();
  const { data } = await world.admin.graphql<{ realm: { id: string } }>(`{ realm(name: "${realm}") { id } }`);
  realmId = data.realm.id;
  const user = { enabled: true, credentials: [{ type: 'password', value: 'pw' }], email: 'act@example.org' };
  const named = { username: 'act', firstName: 'Act', lastName: 'Tester' };
  for (const providerId of ['webauthn-register', 'webauthn-register-passwordless'])
    await sent(world, 'POST', '/authentication/register-required-action', { providerId, name: providerId });
  await sent(world, 'POST', '/users', { ...user, ...named });
});

type Use = (world: World, stored: string, setting: { wire: string }) => unknown;

/** Opens a login, with a request object or the address of one. */
async function opened(client_id: string, more: Record<string, string> = {}): Promise<string | null> {
  const asked = { client_id, redirect_uri: callback, ...more };
  return (await agentOf(world.server).get(authorizationUrl(realm, asked))).location;
}

const samlTests = shownBy.bind(undefined, 'test/saml/login.test.ts');
const inDiscovery = (name: string): Use => shownBy('test/promises/discovery.test.ts', name);

const usesOfClients: Record<string, Use> = {
  'tokens.accessTokenAlgorithm': async (at, alg) => {
    const { access_token = '' } = await tokensFor(at, await newClient(at, { 'access.token.signed.response.alg': alg }));
    expect(decodeProtectedHeader(access_token).alg).toBe(alg);
  },
  'tokens.idTokenAlgorithm': inDiscovery('algorithms.signedIdToken'),
  'tokens.userInfoAlgorithm': inDiscovery('algorithms.signedUserInfo'),
  'authorizationRequests.responseAlgorithm': inDiscovery('algorithms.signedResponse'),
  'authentication.assertionAlgorithm': inDiscovery('algorithms.assertedAt'),
  'authorizationRequests.requestObjectAlgorithm': async (at, alg) => {
    if (alg !== 'any') return inDiscovery('algorithms.signedRequest')(at, alg, { wire: '' });
    const { jwk } = await keyFor('ES256');
    const client = await newClient(at, { ...keySetOf(jwk), 'request.object.signature.alg': alg });
    for (const used of ['ES256', 'HS256'])
      expect(await opened(client, { request: await algorithms.signedObject(at, client, used) })).toBeNull();
  },
  'authorizationRequests.pkceMethod': flows.challengeMethod,
  'authorizationRequests.requestObject': async (at, required) => {
    const { jwk } = await keyFor('ES256');
    const client = await newClient(at, { ...keySetOf(jwk), 'request.object.required': required });
    const request = await algorithms.signedObject(at, client, 'ES256');
    const isOpen = async (more: Record<string, string> = {}) =>
      !(await opened(client, more))?.includes('Missing+parameter');
    const [plain, byValue, byAddress] = [
      await isOpen(),
      await isOpen({ request }),
      await isOpen({ request_uri: 'x:y' }),
    ];
    expect([plain, byValue, byAddress]).toEqual(
      {
        'not required': [true, true, true],
        'request or request_uri': [false, true, true],
        'request only': [false, true, false],
        'request_uri only': [false, false, true],
      }[required],
    );
  },
  'ciba.deliveryMode': flows.deliveryMode,
  'ciba.requestAlgorithm': async (at, alg) => {
    if (!alg.startsWith('HS')) return flows.signedBackchannel(at, alg);
    // the client has to sign with a key of its own (OpenID Connect CIBA Core section 7.1.1)
    const attributes = { 'oidc.ciba.grant.enabled': 'true', 'ciba.backchannel.auth.request.signing.alg': alg };
    const form = { ...credentials(await newClient(at, attributes)), scope: 'openid', login_hint: 'ann' };
    expect((await post(at, 'ext/ciba/auth', form)).body.error_description).toBe('Missing parameter: request');
  },
  'saml.signatureAlgorithm': (_, stored) => {
    // realms have no such keys: its description says that another algorithm is used
    if (stored !== 'DSA_SHA1') samlTests('RSA_SHA')();
  },
  'saml.signatureKeyName': samlTests('CERT_SUBJECT', 'KEY_ID'),
  'saml.canonicalization': samlTests('REC-xml-c14n-20010315#WithComments', 'xml-exc-c14n#'),
  'saml.nameIdFormat': samlTests('saml_name_id_format'),
};

/** The page for a required action of a user who has typed the password. */
async function actionPage(action: string): Promise<string> {
  const [user] = (await sent(world, 'GET', '/users?username=act')).body;
  await sent(world, 'PUT', `/users/${user.id}`, { ...user, requiredActions: [action] });
  const agent = agentOf(world.server);
  const asked = { client_id: await newClient(world), redirect_uri: callback };
  const page = await agent.get(authorizationUrl(realm, asked));
  return (await agent.submit(page, { username: 'act', password: 'pw' })).text;
}

const webAuthn: Use = async (_, stored, { wire }) => {
  const page = await actionPage(wire.includes('Passwordless') ? 'webauthn-register-passwordless' : 'webauthn-register');
  const options = JSON.parse((/data-options="([^"]*)"/.exec(page)?.[1] ?? '{}').replaceAll('&quot;', '"'));
  const {
    attestation,
    authenticatorSelection: { authenticatorAttachment, residentKey, userVerification } = {} as never,
    pubKeyCredParams,
  } = options;
  const unset = stored === 'not specified';
  if (wire.endsWith('AttestationConveyancePreference')) expect(attestation ?? 'none').toBe(unset ? 'none' : stored);
  else if (wire.endsWith('AuthenticatorAttachment')) expect(authenticatorAttachment).toBe(unset ? undefined : stored);
  else if (wire.endsWith('RequireResidentKey'))
    expect(residentKey).toBe({ Yes: 'required', No: 'discouraged' }[stored] ?? residentKey);
  else if (wire.endsWith('UserVerificationRequirement'))
    expect(userVerification).toBe(unset ? userVerification : stored);
  else {
    const numbers = { ES256: -7, ES384: -35, ES512: -36, RS256: -257, RS384: -258, RS512: -259, RS1: -65535 };
    const offered = pubKeyCredParams.map(({ alg }: { alg: number }) => alg);
    expect(offered).toEqual([numbers[stored as keyof typeof numbers]]);
  }
};

const usesOfRealms: Record<string, Use> = {
  defaultSignatureAlgorithm: async (at, alg) => {
    const { access_token = '' } = await tokensFor(at, await newClient(at));
    expect(decodeProtectedHeader(access_token).alg).toBe(alg);
  },
  otpPolicyType: async (_, type) =>
    expect(await actionPage('CONFIGURE_TOTP')).toContain(type === 'totp' ? '<dt>Interval in seconds' : '<dt>Counter'),
  otpPolicyAlgorithm: async (_, algorithm) =>
    expect(await actionPage('CONFIGURE_TOTP')).toContain(`<dd>${algorithm.replace('Hmac', '')}</dd>`),
  sslRequired: async (_, demand) => {
    const page = await agentOf(world.server).get(
      authorizationUrl(realm, { client_id: await newClient(world), redirect_uri: callback }),
    );
    expect(page.text.includes('name="password"')).toBe(demand !== 'all');
  },
  enabledEventTypes: shownBy('test/promises/server-info.test.ts', 'enabledEventTypes'),
};
const useOfRealm = (wire: string): Use | undefined =>
  wire.startsWith('webAuthnPolicy') ? webAuthn : Object.hasOwn(usesOfRealms, wire) ? usesOfRealms[wire] : undefined;

const ofClients = settingPaths.flatMap(([path, { kind }]) => {
  const choice = choiceOf(kind);
  return choice === undefined ? [] : [[path, choice] as const];
});
const ofRealms = settingGroups.flatMap((group) =>
  group.settings.flatMap((setting) => {
    const choice = choiceOf(setting.kind);
    return choice === undefined ? [] : [[setting.wire, choice, group, setting] as const];
  }),
);

const valuesOf = (choice: string): [name: string, stored: string][] =>
  Object.entries(allChoices[choice]?.values ?? {}).map(([name, [stored = '']]) => [name, stored]);

/** Writes a setting by GraphQL, and reads it by GraphQL. */
async function written(mutation: string, input: object, type: string, path: string): Promise<unknown> {
  const [group = '', field = ''] = path.split('.');
  const { data, errors } = await world.admin.graphql<Record<string, never>>(
    `mutation ($input: ${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { userErrors { message } ${type} { id ${group} { ${field} } } } }`,
    { input },
  );
  expect(errors).toBeUndefined();
  const payload = data[mutation] as unknown as { userErrors: []; [type: string]: unknown };
  expect(payload.userErrors).toEqual([]);
  return payload[type];
}

describe('the values of settings', () => {
  it.each(ofClients)('of clients are stored and used: %s', async (path, choice) => {
    const use = Object.hasOwn(usesOfClients, path) ? usesOfClients[path] : undefined;
    if (!use) throw new Error(`There is no use for ${path}`);
    const [group = '', field = ''] = path.split('.');
    const attribute = settingPaths.find(([one]) => one === path)?.[1].attribute ?? '';
    const made = (await written('clientCreate', { realm: realmId, clientId: path }, 'client', path)) as { id: string };
    const id = Buffer.from(made.id, 'base64').toString().replace('Client:', '');
    for (const [name, stored] of valuesOf(choice)) {
      const read = await written('clientUpdate', { id: made.id, [group]: { [field]: name } }, 'client', path);
      expect(read).toMatchObject({ [group]: { [field]: name } });
      expect((await sent(world, 'GET', `/clients/${id}`)).body.attributes[attribute]).toBe(stored);
      await use(world, stored, { wire: attribute });
    }
  });

  it.each(ofRealms)(
    'of realms are stored and used: %s',
    async (wire, choice, group: SettingGroup, setting: Setting) => {
      const use = useOfRealm(wire);
      if (!use) throw new Error(`There is no use for ${wire}`);
      const before = (await sent(world, 'GET', '')).body[wire];
      const isList = 'choices' in (setting.kind as object);
      for (const [name, stored] of valuesOf(choice)) {
        const value = isList ? [name] : name;
        const input = { id: realmId, [group.name]: { [setting.name]: value } };
        const read = await written('realmUpdate', input, 'realm', `${group.name}.${setting.name}`);
        expect(read).toMatchObject({ [group.name]: { [setting.name]: value } });
        expect((await sent(world, 'GET', '')).body[wire]).toEqual(isList ? [stored] : stored);
        await use(world, stored, { wire });
      }
      await sent(world, 'PUT', '', { [wire]: before });
    },
  );

  it('are of settings that exist', () => {
    const known: string[] = ofClients.map(([path]) => path);
    expect(Object.keys(usesOfClients).filter((path) => !known.includes(path))).toEqual([]);
    expect(ofClients.length + ofRealms.length).toBeGreaterThan(20);
  });
});
