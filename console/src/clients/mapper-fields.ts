import type { FormField } from '../parts/fields.js';
import type { Text } from '../text/text.js';
import type { ClientProtocol, MapperRowFragment, ProtocolMapperType } from './documents.js';

type Setting = keyof MapperRowFragment['settings'];

/** Settings of mappers: their names, and their inputs if they are not texts. */
const settings: Record<Setting, [label: Text, field?: Partial<FormField>]> = {
  claimName: [['Claim', 'Claim'], { hint: ['A dot makes an object.', 'Ein Punkt ergibt ein Objekt.'] }],
  claimValue: [['Value of the claim', 'Wert des Claims']],
  jsonType: [['JSON type', 'JSON-Typ'], { kind: 'choice', choices: ['STRING', 'LONG', 'INT', 'BOOLEAN', 'JSON'] }],
  userAttribute: [['Attribute or property of the user', 'Attribut oder Eigenschaft des Benutzers']],
  sessionNote: [['Note of the session', 'Notiz der Sitzung']],
  roleClient: [['Client ID of the roles', 'Client-ID der Rollen']],
  roleName: [['Role', 'Rolle']],
  newRoleName: [['New name of the role', 'Neuer Name der Rolle']],
  audienceClient: [['Audience: client ID', 'Audience: Client-ID']],
  customAudience: [['Other audience', 'Andere Audience']],
  isInAccessToken: [['In access tokens', 'In Access-Tokens'], { kind: 'flag' }],
  isInIdToken: [['In ID tokens', 'In ID-Tokens'], { kind: 'flag' }],
  isInUserInfo: [['In UserInfo', 'In UserInfo'], { kind: 'flag' }],
  isMultivalued: [['List of all values', 'Liste aller Werte'], { kind: 'flag' }],
  isAggregated: [['With the values of groups', 'Mit den Werten der Gruppen'], { kind: 'flag' }],
  isFullPath: [['Full path of groups', 'Voller Pfad der Gruppen'], { kind: 'flag' }],
  isSingle: [['A single attribute', 'Ein einziges Attribut'], { kind: 'flag' }],
  attributeName: [['SAML attribute', 'SAML-Attribut']],
  attributeValue: [['Value of the attribute', 'Wert des Attributs']],
  friendlyName: [['Friendly name', 'Anzeigename']],
};

const tokens: Setting[] = ['isInAccessToken', 'isInIdToken', 'isInUserInfo'];
const claim: Setting[] = ['claimName', 'jsonType', ...tokens];
const attribute: Setting[] = ['attributeName', 'friendlyName'];

/** The settings of each type of mapper. Types that are not here have none that the form knows. */
const types: Partial<Record<ProtocolMapperType, Setting[]>> = {
  USER_ATTRIBUTE: ['userAttribute', ...claim, 'isMultivalued', 'isAggregated'],
  USER_PROPERTY: ['userAttribute', ...claim],
  USER_SESSION_NOTE: ['sessionNote', ...claim],
  REALM_ROLES: [...claim, 'isMultivalued'],
  CLIENT_ROLES: ['roleClient', ...claim, 'isMultivalued'],
  GROUP_MEMBERSHIP: ['claimName', 'isFullPath', ...tokens],
  FULL_NAME: tokens,
  HARDCODED_CLAIM: ['claimValue', ...claim],
  HARDCODED_ROLE: ['roleName'],
  ROLE_NAME: ['roleName', 'newRoleName'],
  AUDIENCE: ['audienceClient', 'customAudience', 'isInAccessToken', 'isInIdToken'],
  SAML_USER_ATTRIBUTE: ['userAttribute', ...attribute, 'isAggregated'],
  SAML_USER_PROPERTY: ['userAttribute', ...attribute],
  SAML_HARDCODED_ATTRIBUTE: ['attributeValue', ...attribute],
  SAML_GROUP_MEMBERSHIP: [...attribute, 'isSingle', 'isFullPath'],
  SAML_ROLE_LIST: [...attribute, 'isSingle'],
  SAML_HARDCODED_ROLE: ['roleName'],
  SAML_ROLE_NAME: ['roleName', 'newRoleName'],
};

/** The types of mappers that a protocol has. */
export const mapperTypes = (protocol: ClientProtocol | null): string[] =>
  Object.keys(types).filter((type) => type.startsWith('SAML_') === (protocol === 'SAML'));

/** The fields of a type of mapper. */
export const mapperFields = (type: ProtocolMapperType | null | undefined): FormField[] =>
  (type ? (types[type] ?? []) : []).map((setting) => {
    const [label, field] = settings[setting];
    return { path: `settings.${setting}`, label, ...field };
  });
