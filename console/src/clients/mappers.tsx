import { choiceField, type FieldLines, type FormField, fieldsOf, nameField } from '../parts/fields.js';
import { IconTransform } from '../parts/icons.js';
import { ObjectList } from '../parts/rows.js';
import { mutate, nodeOf, type Part } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText, useValueName } from '../text/text.js';
import { type ClientProtocol, type MapperRowFragment, OwnMappers, type ProtocolMapperType } from './documents.js';
import { texts } from './texts.js';

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
  'settings.claimName': ['text', { hint: texts.claimNameHint }],
  'settings.claimValue': ['text'],
  'settings.jsonType': [['STRING', 'LONG', 'INT', 'BOOLEAN', 'JSON']],
  'settings.userAttribute': ['text'],
  'settings.sessionNote': ['text'],
  'settings.roleClient': ['text'],
  'settings.roleName': ['text'],
  'settings.newRoleName': ['text'],
  'settings.audienceClient': ['text'],
  'settings.customAudience': ['text'],
  'settings.isInAccessToken': ['flag'],
  'settings.isInIdToken': ['flag'],
  'settings.isInUserInfo': ['flag'],
  'settings.isMultivalued': ['flag'],
  'settings.isAggregated': ['flag'],
  'settings.isFullPath': ['flag'],
  'settings.isSingle': ['flag'],
  'settings.attributeName': ['text'],
  'settings.attributeValue': ['text'],
  'settings.friendlyName': ['text'],
} satisfies FieldLines<Pick<typeof texts, `settings.${keyof MapperRowFragment['settings']}` & keyof typeof texts>>;

type Setting = keyof typeof settings extends `settings.${infer Name}` ? Name : never;

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
  (type ? (types[type] ?? []) : []).flatMap((setting) =>
    fieldsOf(texts, { [`settings.${setting}`]: settings[`settings.${setting}`] }),
  );
