import { describe, expect, it } from 'vitest';
import { accountOf, type BrokeredIdentity } from '../../src/services/brokering/identity.js';
import { kindOf } from '../../src/services/brokering/kinds.js';
import { type MappingTime, mappedIdentity } from '../../src/services/brokering/mapping.js';
import { mapperTypesOf } from '../../src/services/identity-providers/mapper-types.js';
import { providerNames } from '../../src/services/identity-providers/settings.js';

const identity: BrokeredIdentity = {
  alias: 'corp',
  label: 'Corp',
  isAsserted: true,
  nameId: { value: 'n-42' },
  id: '42',
  username: 'ann',
  email: 'ann@corp.example',
  isEmailVerified: true,
  claims: [
    {
      department: 'sales',
      address: { city: 'Bonn' },
      groups: ['a', 'b'],
      level: 3,
      'with.dot': 'x',
      constructor: 'own',
    },
    { nameId: 'n-42', attributes: [{ name: 'urn:unit', friendlyName: 'unit', values: ['sales', 'v'] }] },
    { department: 'other', realm_access: { roles: ['boss'] }, resource_access: { 'my.app': { roles: ['r.1'] } } },
  ],
};

const mapped = (
  identityProviderMapper: string,
  config: Record<string, string>,
  time: MappingTime = 'new',
  settings: Record<string, string> = {},
) => mappedIdentity(identity, [{ identityProviderMapper, config }], settings, time);

describe('mappers of identity providers', () => {
  it('copy claims to attributes and to the profile', () => {
    const copy = (claim: string, attribute = 'a') =>
      mapped('oidc-user-attribute-idp-mapper', { claim, 'user.attribute': attribute });
    expect(copy('department').attributes).toEqual({ a: ['sales'] });
    expect(copy('address.city').attributes).toEqual({ a: ['Bonn'] });
    expect(copy('groups').attributes).toEqual({ a: ['a', 'b'] });
    expect(copy('level').attributes).toEqual({ a: ['3'] });
    expect(copy('with\\.dot').attributes).toEqual({ a: ['x'] });
    expect(copy('missing').attributes).toEqual({ a: [] });
    expect(copy('toString').attributes).toEqual({ a: [] });
    expect(copy('department', 'lastName').identity.lastName).toBe('sales');
    expect(copy('department', 'email').identity).toMatchObject({ email: 'sales', isEmailVerified: false });
    expect(mapped('github-user-attribute-mapper', { jsonField: 'groups[1]', userAttribute: 'g' }).attributes).toEqual({
      g: ['b'],
    });
  });

  it('set fixed attributes, roles, and notes of the session', () => {
    expect(mapped('hardcoded-attribute-idp-mapper', { attribute: 'a', 'attribute.value': 'v' }).attributes).toEqual({
      a: ['v'],
    });
    expect(mapped('oidc-hardcoded-role-idp-mapper', { role: 'r' }).granted).toEqual(['r']);
    expect(
      mapped('hardcoded-user-session-attribute-idp-mapper', { attribute: 'n', 'attribute.value': 'v' }, 'again').notes,
    ).toEqual({ n: 'v' });
  });

  it.each([
    ['oidc-role-idp-mapper', { claim: 'groups', 'claim.value': 'b' }, { claim: 'groups', 'claim.value': 'c' }],
    [
      'oidc-advanced-role-idp-mapper',
      { claims: '[{"key":"department","value":"sales"},{"key":"groups","value":"a"}]' },
      { claims: '[{"key":"department","value":"sales"},{"key":"groups","value":"c"}]' },
    ],
    [
      'oidc-advanced-role-idp-mapper',
      { claims: '[{"key":"department","value":"sa.*"}]', 'are.claim.values.regex': 'true' },
      { claims: '[{"key":"department","value":"sa"}]', 'are.claim.values.regex': 'true' },
    ],
    ['keycloak-oidc-role-to-role-idp-mapper', { 'external.role': 'boss' }, { 'external.role': 'clerk' }],
    ['keycloak-oidc-role-to-role-idp-mapper', { 'external.role': 'my.app.r.1' }, { 'external.role': 'my.app.r' }],
  ])('grant and remove roles by %s', (type, fitting, other) => {
    const role = (config: object, time: MappingTime, syncMode: string) => {
      const { granted, removed } = mapped(type, { ...config, role: 'r' }, time, { syncMode });
      return { granted, removed };
    };
    const [nothing, grant, remove] = [
      { granted: [], removed: [] },
      { granted: ['r'], removed: [] },
      { granted: [], removed: ['r'] },
    ];
    for (const mode of ['IMPORT', 'LEGACY', 'FORCE']) {
      expect(role(fitting, 'new', mode)).toEqual(grant);
      expect(role(other, 'new', mode)).toEqual(nothing);
    }
    expect(['IMPORT', 'LEGACY', 'FORCE'].map((mode) => role(fitting, 'again', mode))).toEqual([
      nothing,
      nothing,
      grant,
    ]);
    expect(['IMPORT', 'LEGACY', 'FORCE'].map((mode) => role(other, 'again', mode))).toEqual([nothing, remove, remove]);
  });

  it('build names from templates', () => {
    const name = (template: string, target = 'LOCAL', time: MappingTime = 'new', syncMode = 'FORCE') =>
      mapped('oidc-username-idp-mapper', { template, target }, time, { syncMode }).identity;
    expect(name('$' + '{ALIAS}.$' + '{CLAIM.department}').username).toBe('corp.sales');
    expect(name('$' + '{CLAIM.department | uppercase}-$' + '{CLAIM.missing}').username).toBe('SALES-');
    expect(name('$' + '{CLAIM.level}', 'BROKER_ID').id).toBe('3');
    expect(name('$' + '{CLAIM.department}', 'BROKER_USERNAME')).toMatchObject({
      username: 'ann',
      accountName: 'sales',
    });
    expect(name('x', 'LOCAL', 'again').username).toBe('x');
    expect(name('x', 'LOCAL', 'again', 'LEGACY').username).toBe('ann');
    expect(name('', 'LOCAL').username).toBe('ann');
  });

  it('read the attributes of an assertion by their name or friendly name', () => {
    const copied = (config: Record<string, string>) =>
      mapped('saml-user-attribute-idp-mapper', { 'user.attribute': 'a', ...config }).attributes.a;
    expect(copied({ 'attribute.name': 'urn:unit' })).toEqual(['sales', 'v']);
    expect(copied({ 'attribute.friendly.name': 'unit' })).toEqual(['sales', 'v']);
    expect(copied({ 'attribute.name': 'department' })).toEqual([]);
    expect(copied({})).toEqual([]);
    const grants = (attributes: string, isPattern = 'false') =>
      mapped('saml-advanced-role-idp-mapper', { attributes, 'are.attribute.values.regex': isPattern, role: 'r' })
        .granted;
    expect(grants('[{"key":"unit","value":"s.*"}]')).toEqual([]);
    expect(grants('[{"key":"unit","value":"s.*"}]', 'true')).toEqual(['r']);
    expect(grants('[{"key":"unit","value":"v"},{"key":"level","value":"9"}]')).toEqual([]);
    const template = '$' + '{ALIAS}-$' + '{ATTRIBUTE.unit | uppercase}-$' + '{NAMEID}';
    expect(mapped('saml-username-idp-mapper', { template }).identity.username).toBe('corp-SALES-n-42');
  });

  it('have the sync mode of the provider unless they have one of their own', () => {
    const grants = (own: string, ofProvider: string) =>
      mapped('oidc-hardcoded-role-idp-mapper', { role: 'r', syncMode: own }, 'again', { syncMode: ofProvider }).granted;
    expect(grants('INHERIT', 'FORCE')).toEqual(['r']);
    expect(grants('INHERIT', 'IMPORT')).toEqual([]);
    expect(grants('FORCE', 'IMPORT')).toEqual(['r']);
  });

  it('all have an effect', () => {
    const idle = [...providerNames.keys()]
      .filter((providerId) => kindOf(providerId, {}))
      .flatMap((providerId) => mapperTypesOf(providerId))
      .filter(({ id }) => {
        const config = {
          attribute: 'a',
          'attribute.value': 'v',
          'user.attribute': 'a',
          userAttribute: 'a',
          claim: 'department',
          jsonField: 'department',
          'claim.value': 'sales',
          claims: '[{"key":"level","value":"3"}]',
          'external.role': 'boss',
          role: 'r',
          template: 'x',
          'attribute.name': 'unit',
          attributes: '[{"key":"urn:unit","value":"sales"}]',
        };
        const result = mapped(id, config);
        const changed = { ...result, identity: result.identity === identity ? undefined : 'changed' };
        return JSON.stringify(changed) === JSON.stringify({ attributes: {}, granted: [], removed: [], notes: {} });
      });
    expect(idle).toEqual([]);
  });
});

describe('a pattern', () => {
  it('is not tried again after a value that it takes too long for', () => {
    const has = (...values: string[]) =>
      mappedIdentity(
        { ...identity, claims: [{ values }] },
        [
          {
            identityProviderMapper: 'oidc-advanced-role-idp-mapper',
            config: {
              role: 'r',
              'are.claim.values.regex': 'true',
              claims: '[{"key":"values","value":"(?=.)(?:b|(?:a+)+c)"}]',
            },
          },
        ],
        {},
        'new',
      ).granted.length > 0;
    expect(has('x', 'b')).toBe(true);
    expect(has('a'.repeat(40), 'b')).toBe(false);
  });
});

describe('a template', () => {
  const filled = (template: string, claims = identity.claims) =>
    mappedIdentity(
      { ...identity, claims },
      [{ identityProviderMapper: 'oidc-username-idp-mapper', config: { template } }],
      {},
      'new',
    ).identity.username;

  it.each([`\${${' '.repeat(16_000)}`, '${'.repeat(8000), `\${a${'|'.repeat(16_000)}`])(
    'that does not end takes no time',
    (template) => {
      expect(filled(template)).toBe(template.trim());
    },
  );

  it('is not filled with more than a name can have', () => {
    expect(filled(`\${CLAIM.long}\${CLAIM.long}`, [{ long: 'x'.repeat(60_000) }])).toHaveLength(512);
  });
});

describe('an account', () => {
  const account = (providerId: string, ...claims: object[]) => {
    const kind = kindOf(providerId, {});
    if (!kind) throw new Error(`there is no kind ${providerId}`);
    return accountOf(kind, claims);
  };

  it('is read by the fields of its provider', () => {
    expect(
      account('oidc', { sub: 's', preferred_username: 'p', email: 'e', given_name: 'G', family_name: 'F' }),
    ).toEqual({
      id: 's',
      username: 'p',
      email: 'e',
      firstName: 'G',
      lastName: 'F',
    });
    expect(account('github', { id: 7, login: 'octo', name: 'Mona Lisa Octocat' })).toEqual({
      id: '7',
      username: 'octo',
      firstName: 'Mona Lisa',
      lastName: 'Octocat',
    });
    expect(account('twitter', { data: { id: '1', username: 't', name: 'One' } })).toEqual({
      id: '1',
      username: 't',
      firstName: 'One',
    });
    expect(account('stackoverflow', { items: [{ user_id: 5, display_name: 'A B' }] })?.id).toBe('5');
    expect(account('openshift-v4', { metadata: { uid: 'u', name: 'n' } })).toEqual({ id: 'u', username: 'n' });
    expect(account('microsoft', { id: 'm', userPrincipalName: 'p@x', givenName: 'G', surname: 'S' })).toMatchObject({
      email: 'p@x',
      lastName: 'S',
    });
    expect(account('oidc', { name: 'nobody' })).toBeUndefined();
    // JSON has read another number
    expect(account('github', JSON.parse('{ "id": 12345678901234567890 }'))).toBeUndefined();
  });
});
