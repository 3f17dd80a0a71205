import { choiceField, type FieldLine, type FormField, fieldsOf, nameField } from '../parts/fields.js';
import { IconTransform } from '../parts/icons.js';
import { ObjectList } from '../parts/rows.js';
import { mutate, nodeOf, type Part } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText, useValueName } from '../text/text.js';
import { type ClientProtocol, type MapperRowFragment, OwnMappers, type ProtocolMapperType } from './documents.js';
import { texts } from './text.js';

/** A client or client scope, as its screen has loaded it. */
interface Owner {
  id: string;
  protocol: ClientProtocol | null;
  viewerCan: { createProtocolMapper: { isAllowed: boolean } };
}

/** The protocol mappers of a client or client scope. */
export function Mappers({ node: { id: owner, protocol, viewerCan } }: Part<Owner>) {
  const t = useText(texts);
  const valueName = useValueName();
  return (
    <ObjectList
      pages={usePages(OwnMappers, { id: owner }, ({ node }) => nodeOf(node)?.protocolMappers)}
      isAllowed={viewerCan.createProtocolMapper.isAllowed}
      help="protocolMapperCreate"
      icon={IconTransform}
      empty={{ title: t('noMappers'), hint: t('noMappersHint') }}
      describe={({ type, settings }) => ({
        hint: settings.claimName ?? settings.attributeName,
        badges: [type && valueName(type)],
      })}
      add={{
        title: t('addMapper'),
        start: { 'settings.isInAccessToken': true, 'settings.isInIdToken': true, 'settings.isInUserInfo': true },
        fields: ({ type }) => [
          nameField,
          choiceField('type', texts.kind, mapperTypes(protocol)),
          ...mapperFields(type as ProtocolMapperType | undefined),
        ],
      }}
      create={(input) =>
        mutate('protocolMapperCreate', { owner, name: '', type: input.type as ProtocolMapperType, ...input })
      }
      edit={{
        fields: ({ type }) => mapperFields(type),
        save: ({ id }, input, options) => mutate('protocolMapperUpdate', { id, ...input }, options),
      }}
      remove={({ id }, options) => mutate('protocolMapperDelete', { id }, options)}
    />
  );
}

/** Settings of mappers that the form has, by their names in the API. */
const settings = {
  claimName: ['text', 'Claim', 'Claim', { hint: ['A dot makes an object.', 'Ein Punkt ergibt ein Objekt.'] }],
  claimValue: ['text', 'Value of the claim', 'Wert des Claims'],
  jsonType: [['STRING', 'LONG', 'INT', 'BOOLEAN', 'JSON'], 'JSON type', 'JSON-Typ'],
  userAttribute: ['text', 'Attribute or property of the user', 'Attribut oder Eigenschaft des Benutzers'],
  sessionNote: ['text', 'Note of the session', 'Notiz der Sitzung'],
  roleClient: ['text', 'Client ID of the roles', 'Client-ID der Rollen'],
  roleName: ['text', 'Role', 'Rolle'],
  newRoleName: ['text', 'New name of the role', 'Neuer Name der Rolle'],
  audienceClient: ['text', 'Audience: client ID', 'Audience: Client-ID'],
  customAudience: ['text', 'Other audience', 'Andere Audience'],
  isInAccessToken: ['flag', 'In access tokens', 'In Access-Tokens'],
  isInIdToken: ['flag', 'In ID tokens', 'In ID-Tokens'],
  isInUserInfo: ['flag', 'In UserInfo', 'In UserInfo'],
  isMultivalued: ['flag', 'List of all values', 'Liste aller Werte'],
  isAggregated: ['flag', 'With the values of groups', 'Mit den Werten der Gruppen'],
  isFullPath: ['flag', 'Full path of groups', 'Voller Pfad der Gruppen'],
  isSingle: ['flag', 'A single attribute', 'Ein einziges Attribut'],
  attributeName: ['text', 'SAML attribute', 'SAML-Attribut'],
  attributeValue: ['text', 'Value of the attribute', 'Wert des Attributs'],
  friendlyName: ['text', 'Friendly name', 'Anzeigename'],
} satisfies Partial<Record<keyof MapperRowFragment['settings'], FieldLine>>;

type Setting = keyof typeof settings;

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
const mapperTypes = (protocol: ClientProtocol | null): string[] =>
  Object.keys(types).filter((type) => type.startsWith('SAML_') === (protocol === 'SAML'));

/** The fields of a type of mapper. */
const mapperFields = (type: ProtocolMapperType | null | undefined): FormField[] =>
  (type ? (types[type] ?? []) : []).flatMap((setting) => fieldsOf({ [`settings.${setting}`]: settings[setting] }));
