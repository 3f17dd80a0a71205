import { defineList, pagesOf } from '../parts/define-list.js';
import { Status } from '../parts/display.js';
import { choiceField, type FieldValues, type FormField, mergedSettings } from '../parts/fields.js';
import { mutate } from '../session/graphql.js';
import { area } from '../shell/areas.js';
import { type IdentityProviderType, RealmIdentityProviders } from './documents.js';
import { credentials, documentField, hasDocument, kindNames, settingsIn } from './kinds.js';
import { texts } from './texts.js';

const kindChoices = Object.entries(kindNames).map(([value, label]) => ({ value, label }));

/** The usual alias of a provider that there is once. */
const aliasOf = (kind: IdentityProviderType) => kind.toLowerCase().replaceAll('_', '-');

/** What is asked of a new identity provider of a kind. */
const fieldsOf = ({ type }: FieldValues): FormField[] => {
  const kind = type as IdentityProviderType;
  return [
    choiceField('type', texts.kind, kindChoices),
    { path: 'alias', label: texts.alias, isRequired: true, start: hasDocument(kind) ? undefined : aliasOf(kind) },
    { path: 'displayName', label: texts.displayName },
    ...(hasDocument(kind) ? [documentField] : []),
    ...(kind === 'SAML' ? [] : credentials),
  ];
};

/** Creates an identity provider with the settings that its document has, and those that are given. */
async function create(id: string, { document, settings, ...input }: FieldValues, realm: string) {
  const type = input.type as IdentityProviderType;
  const given = document ? await settingsIn(realm, type, String(document)) : { data: [], errors: [] };
  if (given.errors.length > 0) return { data: undefined, errors: given.errors };
  const merged = mergedSettings(given.data ?? [], settings);
  return mutate('identityProviderCreate', { realm: id, alias: '', ...input, type, settings: merged });
}

/** The identity providers of a realm, and a new one. */
export const Providers = defineList({
  area: area.identityProviders,
  pages: pagesOf(
    RealmIdentityProviders,
    ({ identityProviders }) => identityProviders,
    (search) => ({ filter: { alias: { contains: search } } }),
  ),
  columns: [
    { key: 'alias', title: texts.alias, width: 200 },
    { key: 'displayName', title: texts.displayName, width: 240 },
    { key: 'kind', title: texts.kind, render: ({ type }) => kindNames[type] },
    { key: 'status', title: texts.status, width: 130, render: ({ isEnabled }) => <Status isEnabled={isEnabled} /> },
  ],
  nameOf: ({ alias }) => alias,
  empty: [texts.none, texts.noneHint],
  search: texts.search,
  to: '/$realm/identity-providers/$id',
  create: {
    title: texts.create,
    isAllowed: ({ viewerCan }) => viewerCan?.createIdentityProvider.isAllowed,
    help: 'identityProviderCreate',
    start: { type: 'OIDC' },
    fields: fieldsOf,
    submit: create,
  },
});
