import type { SettingChoice } from '../core/setting-types.js';

/** Types of protocol mappers: the name in GraphQL, the ID of the contract, and the description. */
export const mapperTypes: SettingChoice = {
  description: 'Type of a protocol mapper.',
  values: {
    ALLOWED_ORIGINS: ['oidc-allowed-origins-mapper', 'Adds the allowed web origins of the client.'],
    AUDIENCE: ['oidc-audience-mapper', 'Adds a fixed audience.'],
    AUDIENCE_RESOLVE: [
      'oidc-audience-resolve-mapper',
      'Adds every client of which the user has a role to the audience.',
    ],
    CLAIMS_PARAMETER: ['oidc-claims-param-token-mapper', 'Adds the claims that the request names in `claims`.'],
    CLIENT_ROLES: ['oidc-usermodel-client-role-mapper', 'Adds the roles of the user in a client.'],
    FULL_NAME: ['oidc-full-name-mapper', 'Adds first and last name of the user as one value.'],
    GROUP_MEMBERSHIP: ['oidc-group-membership-mapper', 'Adds the groups of the user.'],
    HARDCODED_CLAIM: ['oidc-hardcoded-claim-mapper', 'Adds a fixed value for every user.'],
    HARDCODED_ROLE: ['oidc-hardcoded-role-mapper', 'Adds a fixed role for every user.'],
    PAIRWISE_SUBJECT: ['oidc-sha256-pairwise-sub-mapper', 'Uses a different subject for each sector.'],
    REALM_ROLES: ['oidc-usermodel-realm-role-mapper', 'Adds the realm roles of the user.'],
    ROLE_NAME: ['oidc-role-name-mapper', 'Renames a role in tokens.'],
    USER_ADDRESS: ['oidc-address-mapper', 'Adds the postal address of the user, from several attributes.'],
    USER_ATTRIBUTE: ['oidc-usermodel-attribute-mapper', 'Adds an attribute of the user.'],
    USER_PROPERTY: ['oidc-usermodel-property-mapper', 'Adds a property of the user, such as the username.'],
    USER_SESSION_NOTE: ['oidc-usersessionmodel-note-mapper', 'Adds a note of the user session.'],
    SAML_AUDIENCE: ['saml-audience-mapper', 'Adds a fixed audience to SAML assertions.'],
    SAML_AUDIENCE_RESOLVE: [
      'saml-audience-resolve-mapper',
      'Adds every client of which the user has a role to the audience of SAML assertions.',
    ],
    SAML_GROUP_MEMBERSHIP: ['saml-group-membership-mapper', 'Adds the groups of the user to SAML assertions.'],
    SAML_HARDCODED_ATTRIBUTE: ['saml-hardcode-attribute-mapper', 'Adds a fixed value to SAML assertions.'],
    SAML_HARDCODED_ROLE: ['saml-hardcode-role-mapper', 'Adds a fixed role to SAML assertions.'],
    SAML_NAME_ID: ['saml-user-attribute-nameid-mapper', 'Uses an attribute of the user as NameID.'],
    SAML_ROLE_LIST: ['saml-role-list-mapper', 'Adds the roles of the user to SAML assertions.'],
    SAML_ROLE_NAME: ['saml-role-name-mapper', 'Renames a role in SAML assertions.'],
    SAML_SCRIPT: ['saml-javascript-mapper', 'Adds the result of a script to SAML assertions.'],
    SAML_USER_ATTRIBUTE: ['saml-user-attribute-mapper', 'Adds an attribute of the user to SAML assertions.'],
    SAML_USER_PROPERTY: ['saml-user-property-mapper', 'Adds a property of the user to SAML assertions.'],
    SAML_USER_SESSION_NOTE: ['saml-user-session-note-mapper', 'Adds a note of the user session to SAML assertions.'],
    DOCKER_ALLOW_ALL: ['docker-v2-allow-all-mapper', 'Grants every action that a Docker registry requests.'],
  },
};

/** Enums of settings of protocol mappers. */
export const mapperChoices = {
  ClaimJsonType: {
    description: 'JSON type of a claim.',
    values: {
      STRING: ['String', 'A JSON string, e.g. `"sales"`.'],
      LONG: ['long', 'An integer of up to 64 bits.'],
      INT: ['int', 'An integer of up to 32 bits.'],
      BOOLEAN: ['boolean', 'True or false.'],
      JSON: ['JSON', 'The value is the text of a JSON object or list.'],
    },
  },
  SamlAttributeNameFormat: {
    description: 'Name format of an attribute in SAML assertions.',
    values: {
      BASIC: ['Basic', 'The name is a simple text.'],
      URI_REFERENCE: ['URI Reference', 'The name is a URI.'],
      UNSPECIFIED: ['Unspecified', 'The format is not specified.'],
    },
  },
} as const satisfies Record<string, SettingChoice>;

export type MapperChoice = keyof typeof mapperChoices;
