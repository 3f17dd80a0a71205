import type { MapperType as ProtocolMapperType, ProviderSetting } from '../providers/provider.js';

/** A kind of identity provider mapper. */
export type MapperType = Omit<ProtocolMapperType, 'priority'>;

const property = (
  name: string,
  label: string,
  helpText: string,
  more: Partial<ProviderSetting> = {},
): ProviderSetting => ({ name, label, helpText, type: 'String', secret: false, ...more });

const role = property('role', 'Role', 'Role that users get. For a client role: `client.role`.', { type: 'Role' });
const target = property(
  'target',
  'Target',
  'Target of the value: the local username, or the ID or username at the identity provider.',
  {
    type: 'List',
    defaultValue: 'LOCAL',
    options: ['LOCAL', 'BROKER_ID', 'BROKER_USERNAME'],
  },
);

const importer = 'Attribute Importer';
const roles = 'Role Importer';
const names = 'Preprocessor';

const hardcodedAttribute: MapperType = {
  id: 'hardcoded-attribute-idp-mapper',
  name: 'Hardcoded Attribute',
  category: importer,
  helpText: 'Sets a fixed attribute for every user of the identity provider.',
  properties: [
    property('attribute', 'User Attribute', 'Name of the user attribute.'),
    property('attribute.value', 'User Attribute Value', 'Fixed value.'),
  ],
};

const hardcodedSessionAttribute: MapperType = {
  id: 'hardcoded-user-session-attribute-idp-mapper',
  name: 'Hardcoded User Session Attribute',
  category: importer,
  helpText: 'Sets a fixed session note for every session started with the identity provider.',
  properties: [
    property('attribute', 'User Session Attribute', 'Name of the session note.'),
    property('attribute.value', 'User Session Attribute Value', 'Fixed value.'),
  ],
};

const hardcodedRole: MapperType = {
  id: 'oidc-hardcoded-role-idp-mapper',
  name: 'Hardcoded Role',
  category: roles,
  helpText: 'Grants a role to every user of the identity provider.',
  properties: [role],
};

const claimUsername: MapperType = {
  id: 'oidc-username-idp-mapper',
  name: 'Username Template Importer',
  category: names,
  helpText: 'Builds the username from data of the identity provider.',
  properties: [
    property(
      'template',
      'Template',
      'Template with the placeholders ALIAS and CLAIM.name, each in braces after a dollar sign, for data of the identity provider.',
      {
        defaultValue: '$' + '{ALIAS}.$' + '{CLAIM.preferred_username}',
      },
    ),
    target,
  ],
};

const claim = property('claim', 'Claim', 'Name of the claim. A dot separates nested claims.');

const claims: MapperType[] = [
  {
    id: 'oidc-user-attribute-idp-mapper',
    name: 'Attribute Importer',
    category: importer,
    helpText: 'Copies a claim to a user attribute.',
    properties: [claim, property('user.attribute', 'User Attribute Name', 'User attribute that stores the claim.')],
  },
  {
    id: 'oidc-role-idp-mapper',
    name: 'Claim to Role',
    category: roles,
    helpText: 'Grants a role to users with a given claim value.',
    properties: [claim, property('claim.value', 'Claim Value', 'Value that the claim must have.'), role],
  },
  {
    id: 'oidc-advanced-role-idp-mapper',
    name: 'Advanced Claim to Role',
    category: roles,
    helpText: 'Grants a role to users for whom all given claim values match.',
    properties: [
      property('claims', 'Claims', 'Names of claims with the values they must have.', { type: 'Map' }),
      property('are.claim.values.regex', 'Regex Claim Values', 'Whether the values are regular expressions.', {
        type: 'boolean',
      }),
      role,
    ],
  },
];

const externalRole: MapperType = {
  id: 'keycloak-oidc-role-to-role-idp-mapper',
  name: 'External Role to Role',
  category: roles,
  helpText: 'Grants a role to users with a given role at the identity provider.',
  properties: [
    property('external.role', 'External role', 'Role at the identity provider. For a client role: `client.role`.'),
    role,
  ],
};

const attributeName = property('attribute.name', 'Attribute Name', 'Name of the attribute in the assertion.');
const friendlyName = property(
  'attribute.friendly.name',
  'Friendly Name',
  'Friendly name of the attribute in the assertion.',
);

const assertions: MapperType[] = [
  {
    id: 'saml-user-attribute-idp-mapper',
    name: 'Attribute Importer',
    category: importer,
    helpText: 'Copies an assertion attribute to a user attribute.',
    properties: [
      attributeName,
      friendlyName,
      property('user.attribute', 'User Attribute Name', 'User attribute that stores the value.'),
    ],
  },
  {
    id: 'saml-role-idp-mapper',
    name: 'SAML Attribute to Role',
    category: roles,
    helpText: 'Grants a role to users with a given assertion attribute value.',
    properties: [
      attributeName,
      friendlyName,
      property('attribute.value', 'Attribute Value', 'Value that the attribute must have.'),
      role,
    ],
  },
  {
    id: 'saml-advanced-role-idp-mapper',
    name: 'Advanced Attribute to Role',
    category: roles,
    helpText: 'Grants a role to users for whom all given assertion attribute values match.',
    properties: [
      property('attributes', 'Attributes', 'Names of attributes with the values they must have.', {
        type: 'Map',
      }),
      property('are.attribute.values.regex', 'Regex Attribute Values', 'Whether the values are regular expressions.', {
        type: 'boolean',
      }),
      role,
    ],
  },
  {
    id: 'saml-username-idp-mapper',
    name: 'Username Template Importer',
    category: names,
    helpText: 'Builds the username from data of the assertion.',
    properties: [
      property(
        'template',
        'Template',
        'Template with the placeholders ALIAS, NAMEID and ATTRIBUTE.name, each in braces after a dollar sign, for data of the assertion.',
        {
          defaultValue: '$' + '{ALIAS}.$' + '{NAMEID}',
        },
      ),
      target,
    ],
  },
];

/** Social providers whose answer about a user can be looked into. */
const withProfiles = new Set([
  'facebook',
  'github',
  'google',
  'instagram',
  'linkedin',
  'microsoft',
  'paypal',
  'stackoverflow',
]);

const profileField = (providerId: string): MapperType => ({
  id: `${providerId}-user-attribute-mapper`,
  name: 'Attribute Importer',
  category: importer,
  helpText: 'Copies a field of the profile at the identity provider to a user attribute.',
  properties: [
    property('jsonField', 'Social Profile JSON Field Path', 'Path of the field, e.g. `contact.address[0].country`.'),
    property('userAttribute', 'User Attribute Name', 'User attribute that stores the value.'),
  ],
});

/** The kinds of mappers that an identity provider of this kind can have. */
export function mapperTypesOf(providerId: string): MapperType[] {
  const all = [hardcodedAttribute, hardcodedSessionAttribute, hardcodedRole];
  if (providerId === 'saml') return [...all, ...assertions];
  if (providerId === 'oidc') return [...all, claimUsername, ...claims];
  if (providerId === 'keycloak-oidc') return [...all, claimUsername, ...claims, externalRole];
  return [...all, claimUsername, ...(withProfiles.has(providerId) ? [profileField(providerId)] : [])];
}
