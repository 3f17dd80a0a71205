import type { SettingKind, TypedSetting } from '../core/setting-types.js';
import type { MapperChoice } from './choices.js';

/** A setting of protocol mappers, with its entry in `config`. */
export interface MapperSetting extends TypedSetting<MapperChoice> {
  entry: string;
}

const setting = (name: string, entry: string, kind: SettingKind<MapperChoice>, description: string): MapperSetting => ({
  name,
  entry,
  kind,
  description: `${description} Null: not set.`,
  nullable: true,
});

const attributeOf = (part: string, what: string): MapperSetting =>
  setting(`${part}Attribute`, `user.attribute.${what}`, 'text', `User attribute with the \`${what}\` of the address.`);

/** Every setting of the types of protocol mappers. */
export const mapperSettings: readonly MapperSetting[] = [
  setting('claimName', 'claim.name', 'text', 'Name of the claim. A dot makes a claim within an object.'),
  setting('jsonType', 'jsonType.label', { choice: 'ClaimJsonType' }, 'JSON type of the claim.'),
  setting('claimValue', 'claim.value', 'text', 'Value of the claim, the same for every user.'),
  setting('isInIdToken', 'id.token.claim', 'flag', 'Whether ID tokens contain the claim.'),
  setting('isInAccessToken', 'access.token.claim', 'flag', 'Whether access tokens contain the claim.'),
  setting('isInUserInfo', 'userinfo.token.claim', 'flag', 'Whether answers of the UserInfo endpoint have the claim.'),
  setting('isInTokenResponse', 'access.tokenResponse.claim', 'flag', 'Whether answers with tokens have the claim.'),
  setting('userAttribute', 'user.attribute', 'text', 'Name of the attribute or property of the user.'),
  setting('isMultivalued', 'multivalued', 'flag', 'Whether the claim is a list of all values.'),
  setting('isAggregated', 'aggregate.attrs', 'flag', 'Whether the values of groups are added to those of the user.'),
  setting('isFullPath', 'full.path', 'flag', 'Whether groups are named by their paths, e.g. `/staff/night`.'),
  setting('audienceClient', 'included.client.audience', 'text', 'Client ID that is the audience.'),
  setting('customAudience', 'included.custom.audience', 'text', 'Audience, if `audienceClient` is not set.'),
  setting('roleName', 'role', 'text', 'Name of the role: `auditor` for a realm role, `api.reader` for a client role.'),
  setting('newRoleName', 'new.role.name', 'text', 'Name of the role in tokens.'),
  setting('roleClient', 'usermodel.clientRoleMapping.clientId', 'text', 'Client ID of the client with the roles.'),
  setting('clientRolePrefix', 'usermodel.clientRoleMapping.rolePrefix', 'text', 'Text before each client role.'),
  setting('realmRolePrefix', 'usermodel.realmRoleMapping.rolePrefix', 'text', 'Text before each realm role.'),
  setting('sectorIdentifierUri', 'sectorIdentifierUri', 'text', 'URI whose host is the sector of the client.'),
  setting('pairwiseSalt', 'pairwiseSubAlgorithmSalt', 'text', 'Salt of pairwise subjects, by default a random one.'),
  setting('sessionNote', 'user.session.note', 'text', 'Name of the note of the user session.'),
  attributeOf('street', 'street'),
  attributeOf('locality', 'locality'),
  attributeOf('region', 'region'),
  attributeOf('postalCode', 'postal_code'),
  attributeOf('country', 'country'),
  attributeOf('formatted', 'formatted'),
  setting('attributeName', 'attribute.name', 'text', 'Name of the SAML attribute.'),
  setting(
    'attributeNameFormat',
    'attribute.nameformat',
    { choice: 'SamlAttributeNameFormat' },
    'Name format of the SAML attribute.',
  ),
  setting('attributeValue', 'attribute.value', 'text', 'Value of the SAML attribute, the same for every user.'),
  setting('friendlyName', 'friendly.name', 'text', 'Friendly name of the SAML attribute.'),
  setting('isSingle', 'single', 'flag', 'Whether all values are in a single SAML attribute.'),
  setting('samlSessionNote', 'note', 'text', 'Name of the note of the user session, for SAML assertions.'),
  setting('nameIdFormat', 'mapper.nameid.format', 'text', 'URN of the NameID format that the mapper applies to.'),
  setting('script', 'Script', 'text', 'Script of a SAML mapper. It is stored, but not run.'),
];

/** The settings of protocol mappers as one object. */
export const mapperSettingGroup = {
  type: 'ProtocolMapperSettings',
  description: 'Settings of a protocol mapper. Each type of mappers uses some of them.',
  settings: mapperSettings,
};
