import type { ClientScopeInput, ProtocolMapperInput } from '../../client-scopes/representation.js';
import { audienceResolveMapper } from './clients.js';
import { message } from './message.js';

/** How clients of a realm get a client scope from the start. */
export type Assignment = 'default' | 'optional';

export interface DefaultClientScope {
  scope: ClientScopeInput & { name: string };
  assignment: Assignment;
}

const everywhere = { 'userinfo.token.claim': 'true', 'id.token.claim': 'true', 'access.token.claim': 'true' };

const mapper = (name: string, protocolMapper: string, config: Record<string, string>): ProtocolMapperInput => ({
  name,
  protocol: 'openid-connect',
  protocolMapper,
  config,
});

const fromUser =
  (kind: 'property' | 'attribute') =>
  (name: string, userField: string, claim: string, type = 'String') =>
    mapper(name, `oidc-usermodel-${kind}-mapper`, {
      ...everywhere,
      'user.attribute': userField,
      'claim.name': claim,
      'jsonType.label': type,
    });
const property = fromUser('property');
const attribute = fromUser('attribute');

// The reference server leaves a placeholder in `user.attribute` of the three mappers of roles.
const roleClaim = {
  multivalued: 'true',
  'user.attribute': 'foo',
  'access.token.claim': 'true',
  'jsonType.label': 'String',
};

interface Consent {
  /** message key of the text on the consent screen; empty when the scope is not shown there */
  text?: string;
  shown: boolean;
  inToken?: boolean;
}

const scope = (name: string, description: string, consent: Consent, protocolMappers: ProtocolMapperInput[] = []) => ({
  name,
  description,
  protocol: 'openid-connect',
  attributes: {
    ...(consent.inToken !== undefined && { 'include.in.token.scope': String(consent.inToken) }),
    'display.on.consent.screen': String(consent.shown),
    ...(consent.text !== undefined && { 'consent.screen.text': consent.text }),
  },
  protocolMappers,
});

const asked = (key: string): Consent => ({ text: message(`${key}ScopeConsentText`), shown: true, inToken: true });

/** The scope for the role of the same name; every realm has it. */
export const offlineAccessScope: DefaultClientScope = {
  assignment: 'optional',
  scope: scope('offline_access', 'Access while the user is offline', {
    text: message('offlineAccessScopeConsentText'),
    shown: true,
  }),
};

/** The client scopes of a realm whose import has none. */
export const defaultClientScopes: readonly DefaultClientScope[] = [
  offlineAccessScope,
  {
    assignment: 'default',
    scope: {
      name: 'role_list',
      description: 'Roles of the user in SAML assertions',
      protocol: 'saml',
      attributes: {
        'consent.screen.text': message('samlRoleListScopeConsentText'),
        'display.on.consent.screen': 'true',
      },
      protocolMappers: [
        {
          name: 'role list',
          protocol: 'saml',
          protocolMapper: 'saml-role-list-mapper',
          config: { single: 'false', 'attribute.nameformat': 'Basic', 'attribute.name': 'Role' },
        },
      ],
    },
  },
  {
    assignment: 'default',
    scope: scope('profile', 'Personal profile of the user', asked('profile'), [
      mapper('full name', 'oidc-full-name-mapper', everywhere),
      property('family name', 'lastName', 'family_name'),
      property('given name', 'firstName', 'given_name'),
      attribute('middle name', 'middleName', 'middle_name'),
      attribute('nickname', 'nickname', 'nickname'),
      property('username', 'username', 'preferred_username'),
      attribute('profile', 'profile', 'profile'),
      attribute('picture', 'picture', 'picture'),
      attribute('website', 'website', 'website'),
      attribute('gender', 'gender', 'gender'),
      attribute('birthdate', 'birthdate', 'birthdate'),
      attribute('zoneinfo', 'zoneinfo', 'zoneinfo'),
      attribute('locale', 'locale', 'locale'),
      attribute('updated at', 'updatedAt', 'updated_at'),
    ]),
  },
  {
    assignment: 'default',
    scope: scope('email', 'Email address of the user', asked('email'), [
      property('email', 'email', 'email'),
      property('email verified', 'emailVerified', 'email_verified', 'boolean'),
    ]),
  },
  {
    assignment: 'optional',
    scope: scope('address', 'Postal address of the user', asked('address'), [
      mapper('address', 'oidc-address-mapper', {
        ...everywhere,
        'user.attribute.formatted': 'formatted',
        'user.attribute.street': 'street',
        'user.attribute.locality': 'locality',
        'user.attribute.region': 'region',
        'user.attribute.postal_code': 'postal_code',
        'user.attribute.country': 'country',
      }),
    ]),
  },
  {
    assignment: 'optional',
    scope: scope('phone', 'Telephone number of the user', asked('phone'), [
      attribute('phone number', 'phoneNumber', 'phone_number'),
      attribute('phone number verified', 'phoneNumberVerified', 'phone_number_verified', 'boolean'),
    ]),
  },
  {
    assignment: 'default',
    scope: scope('roles', 'Roles of the user in the access token', { ...asked('roles'), inToken: false }, [
      mapper('realm roles', 'oidc-usermodel-realm-role-mapper', { ...roleClaim, 'claim.name': 'realm_access.roles' }),
      mapper('client roles', 'oidc-usermodel-client-role-mapper', {
        ...roleClaim,
        'claim.name': `resource_access.${message('client_id')}.roles`,
      }),
      audienceResolveMapper,
    ]),
  },
  {
    assignment: 'default',
    scope: scope(
      'web-origins',
      'Allowed web origins of the client in the access token',
      { text: '', shown: false, inToken: false },
      [mapper('allowed web origins', 'oidc-allowed-origins-mapper', {})],
    ),
  },
  {
    assignment: 'optional',
    scope: scope('microprofile-jwt', 'Claims for MicroProfile JWT', { shown: false, inToken: true }, [
      property('upn', 'username', 'upn'),
      mapper('groups', 'oidc-usermodel-realm-role-mapper', {
        ...roleClaim,
        'id.token.claim': 'true',
        'claim.name': 'groups',
      }),
    ]),
  },
];
