import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assessRealm, type Finding } from '../../src/services/realms/assessment/assess.js';
import { countUser } from '../../src/services/realms/assessment/users.js';

const step = (authenticator: string, requirement = 'REQUIRED') => ({ authenticator, requirement });
const below = (flowAlias: string, requirement = 'REQUIRED') => ({ flowAlias, requirement, authenticatorFlow: true });
const flow = (alias: string, ...authenticationExecutions: object[]) => ({
  id: `id of ${alias}`,
  alias,
  authenticationExecutions,
});
const password = step('auth-username-password-form');

const assess = (realm: object, ...users: Record<string, unknown>[]): Finding[] => {
  const counts = new Map<string, number>();
  for (const user of users) countUser(counts, user);
  return assessRealm({ realm: 'moved', ...realm }, counts);
};
const failing = (realm: object, ...users: Record<string, unknown>[]): string[] =>
  assess(realm, ...users).flatMap(({ effect, kind, name, message }) =>
    effect === 'FAILS' ? [`${kind} ${name}: ${message}`] : [],
  );

describe('the assessment of a realm', () => {
  it('follows flows as a login does', () => {
    const forms = flow('forms', password, below('second', 'CONDITIONAL'));
    const second = (...steps: object[]) => flow('second', step('conditional-user-configured'), ...steps);
    const browser = (own: object) => [
      flow('browser', step('auth-spnego', 'ALTERNATIVE'), below('forms', 'ALTERNATIVE')),
      forms,
      own,
    ];
    const of = (own: object) => failing({ authenticationFlows: browser(own) });
    expect(of(second(step('auth-otp-form')))).toEqual([]);
    expect(of(second(step('auth-spnego')))).toEqual([
      'REALM moved: Nobody can log in: the flow leads to the step "auth-spnego", which does not exist.',
    ]);
    expect(of(second(step('auth-spnego', 'DISABLED')))).toEqual([]);
  });

  it.each(['15.0.2', '26.0.8'])('finds a way in by the flows of a new realm of Keycloak %s', (version) => {
    const exported = JSON.parse(readFileSync(`test/realms/exports/keycloak-${version}.json`, 'utf8'));
    expect(failing({ ...exported, identityProviders: [] })).toEqual([]);
  });

  it('follows the condition of newer versions for credentials', () => {
    const of = (config: object) => {
      const condition = { ...step('conditional-credential'), authenticatorConfig: 'condition' };
      const second = [step('conditional-user-configured'), condition, step('auth-otp-form', 'ALTERNATIVE')];
      const authenticationFlows = [
        flow('browser', password, below('second', 'CONDITIONAL')),
        flow('second', ...second, step('webauthn-authenticator', 'DISABLED')),
      ];
      return failing({ authenticationFlows, authenticatorConfig: [{ alias: 'condition', config }] });
    };
    expect(of({ credentials: 'webauthn-passwordless' })).toEqual([]);
    expect(of({ credentials: 'webauthn##webauthn-passwordless', included: 'true' })).toEqual([]);
    expect(of({ credentials: 'webauthn##password' })).toEqual([]);
  });

  it('finds flows that end before anybody is asked for a name', () => {
    const forms = flow('forms', step('conditional-user-configured'), step('auth-otp-form'));
    const authenticationFlows = [flow('browser', below('forms', 'CONDITIONAL')), forms];
    expect(failing({ authenticationFlows })).toEqual([
      'REALM moved: Nobody can log in: the flow ends before it asks who the user is.',
    ]);
  });

  it('looks at registration and resets where the realm has them, and at the flows of clients', () => {
    const authenticationFlows = [
      flow('browser', password),
      flow('own', step('auth-spnego')),
      flow('registration', { ...below('form'), authenticator: 'registration-page-form' }),
      flow('form', step('registration-user-creation'), step('registration-recaptcha-action')),
      flow('reset credentials', step('reset-credentials-choose-user'), step('a-script')),
    ];
    const clients = [
      { clientId: 'shop', authenticationFlowBindingOverrides: { browser: 'id of own', direct_grant: '' } },
    ];
    expect(failing({ authenticationFlows })).toEqual([]);
    const on = { registrationAllowed: true, resetPasswordAllowed: true };
    expect(
      failing({ authenticationFlows, clients, ...on }).map((line) => line.replace(/: the flow|: its own flow/, '')),
    ).toEqual([
      'REALM moved: Nobody can reset a password leads to the step "a-script", which does not exist.',
      'REALM moved: Nobody can register leads to the step "registration-recaptcha-action", which does not exist.',
      'CLIENT shop: Nobody can log in leads to the step "auth-spnego", which does not exist.',
    ]);
  });

  it('names what clients, providers, and policies have that does not exist', () => {
    const realm = {
      clients: [
        { clientId: 'crm', protocol: 'saml', attributes: { 'saml.artifact.binding': 'true' } },
        {
          clientId: 'wiki',
          protocol: 'saml',
          protocolMappers: [{ name: 'script', protocolMapper: 'saml-javascript-mapper' }],
        },
        { clientId: 'works', protocol: 'saml' },
        { clientId: 'off', protocol: 'saml', enabled: false },
        { clientId: 'signs', clientAuthenticatorType: 'federated-jwt' },
        { clientId: 'web', publicClient: true, protocolMappers: [{ name: 'script', protocolMapper: 'script-a.js' }] },
      ],
      identityProviders: [
        { alias: 'corporate', providerId: 'saml' },
        { alias: 'off', providerId: 'saml', enabled: false },
        { alias: 'partner', providerId: 'oidc', postBrokerLoginFlowAlias: 'after' },
      ],
      identityProviderMappers: [
        { name: 'groups', identityProviderAlias: 'partner', identityProviderMapper: 'oidc-advanced-group-idp-mapper' },
        { name: 'role', identityProviderAlias: 'partner', identityProviderMapper: 'oidc-role-idp-mapper' },
      ],
      authenticationFlows: [
        {
          alias: 'after',
          topLevel: true,
          authenticationExecutions: [{ authenticator: 'a-script', requirement: 'REQUIRED' }],
        },
      ],
      requiredActions: [{ alias: 'of-an-extension', enabled: true, defaultAction: true }],
      clientPolicies: {
        policies: [{ name: 'strict', conditions: [{ condition: 'of-an-extension' }, { condition: 'any-client' }] }],
      },
      components: { 'org.keycloak.storage.UserStorageProvider': [{ name: 'legacy', providerId: 'of-an-extension' }] },
      eventsListeners: ['jboss-logging', 'email'],
      loginTheme: 'corporate',
      bruteForceStrategy: 'LINEAR',
    };
    expect(assess(realm).map(({ effect, kind, name }) => `${effect} ${kind} ${name}`)).toEqual([
      'FAILS CLIENT crm',
      'HAS_NO_EFFECT CLIENT wiki',
      'FAILS CLIENT signs',
      'HAS_NO_EFFECT CLIENT web',
      'FAILS IDENTITY_PROVIDER corporate',
      'FAILS IDENTITY_PROVIDER partner',
      'HAS_NO_EFFECT IDENTITY_PROVIDER partner',
      'FAILS REQUIRED_ACTION of-an-extension',
      'HAS_NO_EFFECT COMPONENT legacy',
      'FAILS CLIENT_POLICY strict',
      'HAS_NO_EFFECT REALM moved',
      'HAS_NO_EFFECT REALM moved',
      'HAS_NO_EFFECT FIELD bruteForceStrategy',
    ]);
  });

  it('counts users who cannot log in as before', () => {
    const credential = (algorithm: string) => ({
      type: 'password',
      credentialData: JSON.stringify({ hashIterations: 1, algorithm }),
      secretData: JSON.stringify({ value: Buffer.alloc(32).toString('base64'), salt: 'AAAA' }),
    });
    const users = [
      { credentials: [credential('pbkdf2-sha256')] },
      { credentials: [credential('md5'), { type: 'of-an-extension', credentialData: '{}', secretData: '{}' }] },
      { credentials: [credential('md5')], requiredActions: ['TERMS_AND_CONDITIONS', 'of-an-extension'] },
      { credentials: [{ type: 'password', value: 'plain' }], federatedIdentities: [{ identityProvider: 'corporate' }] },
    ];
    expect(failing({}, ...users)).toEqual([
      'USERS 2: A password of "md5" cannot be verified: a new one is needed.',
      'USERS 1: Nobody can log in with a credential "of-an-extension".',
      'USERS 1: The required action "of-an-extension" cannot be performed: the login is refused.',
    ]);
  });
});
