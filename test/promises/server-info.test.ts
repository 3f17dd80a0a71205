import { beforeAll, describe, expect, it } from 'vitest';
import { agentOf, authorizationUrl } from '../login/agent.js';
import { callback } from '../oauth/relying-party.js';
import * as uses from './server-info-uses.js';
import { newClient, openWorld, realm, shownBy, type World } from './world.js';

// Every provider, enum, and theme of the server information is used. One without a use fails by its name.

interface Type {
  id: string;
  properties: { name: string; options?: string[] }[];
}
interface Info {
  providers: Record<string, { providers: Record<string, unknown> }>;
  componentTypes: Record<string, Type[]>;
  clientInstallations: Record<string, { id: string }[]>;
  protocolMapperTypes: Record<string, Type[]>;
  builtinProtocolMappers: Record<string, { name: string; protocolMapper: string }[]>;
  enums: Record<string, string[]>;
  themes: Record<string, { name: string; locales?: string[] }[]>;
}

let world: World;
let info: Info;
let discovered: Record<string, string[]>;

beforeAll(async () => {
  world = await openWorld();
  info = (await world.admin.send('GET', '/admin/serverinfo')).body;
  discovered = (await (await fetch(`${world.issuer}/.well-known/openid-configuration`)).json()) as typeof discovered;
});

const unused = 'The reference lists it in the recordings. ';
/** Providers that the recordings have, and that cannot be used, with what becomes of who tries. */
const deviations: Readonly<Record<string, [reason: string, use: uses.ProviderUse]>> = {
  ...Object.fromEntries(
    [
      'auth-spnego',
      'basic-auth',
      'basic-auth-otp',
      'console-username-password',
      'no-cookie-redirect',
      'http-basic-authenticator',
    ].map((id) => [`authenticator ${id}`, [`${unused}A flow that needs it cannot be bound.`, uses.unboundStep]]),
  ),
  'form-action registration-recaptcha-action': [
    `${unused}A registration flow that needs it cannot be bound.`,
    shownBy('test/login/registration.test.ts', 'registration-recaptcha-action'),
  ],
  'cekmanagement RSA1_5': [
    `${unused}A client with it is refused.`,
    async (at) => {
      const attributes = { 'id.token.encrypted.response.alg': 'RSA1_5' };
      await uses.sent(at, 'POST', '/clients', { clientId: 'old', attributes }, [400]);
    },
  ],
  'eventsListener email': [
    `${unused}The answer names it as ignored.`,
    async (at) => {
      const { headers } = await uses.sent(at, 'PUT', '', { eventsListeners: ['jboss-logging', 'email'] });
      expect(headers.get('x-ignored-fields')).toBe('1: eventsListeners');
    },
  ],
  'storage kerberos': [
    `${unused}The answer names it as ignored.`,
    shownBy('test/promises/without-effect.test.ts', "'kerberos'"),
  ],
  'protocol-mapper saml-javascript-mapper': [
    `${unused}Assessments of realm files name it.`,
    shownBy('test/realms/assessment.unit.test.ts', 'saml-javascript-mapper'),
  ],
  ...Object.fromEntries(
    ['VERIFY_PROFILE', 'update_user_locale'].map((id) => [
      `required-action ${id}`,
      [`${unused}Users are not asked for it: it acts by itself in the reference.`, () => undefined],
    ]),
  ),
};

const in_ = (...files: string[]): uses.ProviderUse => {
  return (_, id) => {
    const found = files.some((file) => {
      try {
        shownBy(file, `${id}`)();
        return true;
      } catch {
        return false;
      }
    });
    expect(found ? [] : [`${id} is in none of ${files.join(', ')}`]).toEqual([]);
  };
};

const propertiesOf = (type: string) => (id: string) =>
  info.componentTypes[type]?.find((one) => one.id === id)?.properties ?? [];
const listedIn =
  (...members: string[]): uses.ProviderUse =>
  (_, value) => {
    for (const member of members) expect(discovered[member]).toContain(value);
  };

const defaultFlows = 'src/services/realms/defaults/flows.ts';
const tests = (...names: string[]): uses.ProviderUse => in_(...names.map((name) => `test/${name}.ts`));

// the flows that every realm has are run by the tests of logins
const stepsOfFlows = in_(
  defaultFlows,
  'test/login/steps.test.ts',
  'test/login/flow.unit.test.ts',
  'test/brokering/attacks.test.ts',
  'test/login/devices.test.ts',
  'test/login/certificate-realm.ts',
  'test/promises/detected-account.test.ts',
  'test/browser/security-keys.test.ts',
);

const kinds: Record<string, uses.ProviderUse> = {
  authenticator: (at, id) => (id === 'allow-access-authenticator' ? uses.passedStep(at, id) : stepsOfFlows(at, id)),
  'form-action': in_(defaultFlows),
  'form-authenticator': in_(defaultFlows),
  'client-authenticator': tests('promises/flows', 'oauth/certificates', 'tokens/client-assertion.test'),
  'identity-provider-mapper': (at, id) => {
    const isSocial = /^(?!github)[a-z]+-user-attribute-mapper$/.test(id);
    // one mechanism reads the fields of all profiles
    return tests('brokering/mapping.unit.test', 'saml-providers/settings.test')(
      at,
      isSocial ? 'github-user-attribute-mapper' : id,
    );
  },
  keys: uses.keys(propertiesOf('org.keycloak.keys.KeyProvider')),
  'protocol-mapper': tests(
    'tokens/claims.test',
    'tokens/roles.test',
    'tokens/docker.test',
    'evaluate-scopes/tokens.test',
    'login/requested-claims.test',
    'saml/login.test',
    'protocol-mappers/mappers.test',
  ),
  'client-policy-condition': uses.policyPart(
    'condition',
    propertiesOf('org.keycloak.services.clientpolicy.condition.ClientPolicyConditionProvider'),
  ),
  'client-policy-executor': uses.policyPart(
    'executor',
    propertiesOf('org.keycloak.services.clientpolicy.executor.ClientPolicyExecutorProvider'),
  ),
  'client-registration-policy': uses.registrationPolicy,
  storage: tests('ldap/sync.test', 'ldap/directory'),
  'ldap-mapper': in_(
    'test/ldap/active-directory.test.ts',
    'test/ldap/sync.test.ts',
    'test/ldap/writes.test.ts',
    'test/ldap/grantable.test.ts',
    // no free directory has the flags of Active Directory LDS
    'test/contract/live/scenarios/mapper-settings.mjs',
  ),
  'client-installation': uses.installation(
    (id) => Object.entries(info.clientInstallations).find(([, all]) => all.some((one) => one.id === id))?.[0] ?? '',
  ),
  identity_provider: uses.identityProvider,
  social: uses.identityProvider,
  actionTokenHandler: tests('tokens/kinds', 'login/mails.test'),
  signature: listedIn('id_token_signing_alg_values_supported'),
  clientSignature: listedIn(
    'request_object_signing_alg_values_supported',
    'token_endpoint_auth_signing_alg_values_supported',
  ),
  cekmanagement: listedIn('id_token_encryption_alg_values_supported'),
  contentencryption: listedIn('id_token_encryption_enc_values_supported'),
  eventsListener: async (at, id) => {
    const { headers } = await uses.sent(at, 'PUT', '', { eventsListeners: [id] });
    expect(headers.get('x-ignored-fields')).toBeNull();
  },
  'login-protocol': tests('tokens/docker.test', 'saml/login.test', 'promises/server-info.test'),
  'required-action': tests(
    'login/pages.test',
    'login/mails.test',
    'login/takeover.test',
    'account/attacks.test',
    'browser/security-keys.test',
    'authentication/links.test',
  ),
  'password-hashing': uses.passwordHashing,
  'password-policy': uses.passwordPolicy,
  // colours and logo of the realm
  theme: () => shownBy('test/login/appearance.test.ts', 'colours')(),
};

describe('the server information', () => {
  it.each(Object.keys(kinds))(
    'promises providers of the kind %s, and keeps it',
    async (kind) => {
      const ids = Object.keys(info.providers[kind]?.providers ?? {});
      expect(ids.length).toBeGreaterThan(0);
      for (const id of ids) {
        const [, use = kinds[kind]] = deviations[`${kind} ${id}`] ?? [];
        await use?.(world, id);
      }
    },
    30_000,
  );

  it('promises no other kind, and deviates only where it says', () => {
    expect(Object.keys(info.providers).filter((kind) => !Object.hasOwn(kinds, kind))).toEqual([]);
    const all = Object.entries(info.providers).flatMap(([kind, { providers }]) =>
      Object.keys(providers).map((id) => `${kind} ${id}`),
    );
    expect(Object.keys(deviations).filter((one) => !all.includes(one))).toEqual([]);
    for (const [reason] of Object.values(deviations)) expect(reason).toMatch(/recordings/);
  });

  it('promises events that can be stored and asked for', async () => {
    const { eventType = [], operationType = [], resourceType = [] } = info.enums;
    expect(Object.keys(info.enums).toSorted()).toEqual(['eventType', 'operationType', 'resourceType']);
    await uses.sent(world, 'PUT', '/events/config', { eventsEnabled: true, enabledEventTypes: eventType });
    const { body } = await uses.sent(world, 'GET', '/events/config');
    expect(body.enabledEventTypes.toSorted()).toEqual(eventType.toSorted());
    for (const one of eventType) await uses.sent(world, 'GET', `/events?type=${one}`);
    for (const one of operationType) await uses.sent(world, 'GET', `/admin-events?operationTypes=${one}`);
    for (const one of resourceType) await uses.sent(world, 'GET', `/admin-events?resourceTypes=${one}`);
  });

  it('promises themes and languages, which the pages have', async () => {
    for (const [kind, themes] of Object.entries(info.themes)) {
      if (kind === 'common' || kind === 'welcome') continue;
      for (const { name } of themes) {
        const { headers } = await uses.sent(world, 'PUT', '', { [`${kind}Theme`]: name });
        // the reference has an unstyled theme, which the recordings list
        expect(headers.get('x-ignored-fields')).toBe(name === 'base' ? `1: ${kind}Theme` : null);
      }
    }
    const locales = info.themes.login?.flatMap(({ locales: all = [] }) => all) ?? [];
    await uses.sent(world, 'PUT', '', { internationalizationEnabled: true, supportedLocales: [...new Set(locales)] });
    const client_id = await newClient(world);
    for (const locale of new Set(locales)) {
      const asked = authorizationUrl(realm, { client_id, redirect_uri: callback, ui_locales: locale });
      expect((await agentOf(world.server).get(asked)).text).toContain(`<html lang="${locale}"`);
    }
  });

  it('promises mappers that are made by one request', async () => {
    const { headers } = await uses.sent(world, 'POST', '/clients', { clientId: 'mapped', protocol: 'openid-connect' });
    const path = `/clients/${headers.get('location')?.split('/').at(-1)}/protocol-mappers`;
    const mappers = info.builtinProtocolMappers['openid-connect'] ?? [];
    await uses.sent(world, 'POST', `${path}/add-models`, mappers);
    const { body } = await uses.sent(world, 'GET', `${path}/models`);
    expect(body.map(({ name }: { name: string }) => name).toSorted()).toEqual(
      mappers.map(({ name }) => name).toSorted(),
    );
    const types = Object.values(info.protocolMapperTypes).flatMap((all) => all.map(({ id }) => id));
    expect(Object.keys(info.providers['protocol-mapper']?.providers ?? {}).toSorted()).toEqual(types.toSorted());
  });
});
