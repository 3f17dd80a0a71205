import { useParams, useSearch } from '@tanstack/react-router';
import { Status } from '../parts/display.js';
import { choiceField, type FieldValues, type FormField, mergedSettings } from '../parts/fields.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { type IdentityProviderType, ProviderList } from './documents.js';
import { credentials, documentField, hasDocument, kindNames, settingsIn } from './kinds.js';
import { texts } from './text.js';

/** The identity providers of a realm, and a new one. */
export function Providers() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { search } = useSearch({ from: '/$realm/identity-providers' });
  const variables = { realm, ...(search && { filter: { alias: { contains: search } } }) };
  const pages = usePages(ProviderList, variables, ({ realm: found }) => found?.identityProviders);
  const found = pages.data?.realm;
  const create = async ({ document, settings, ...input }: FieldValues) => {
    const type = input.type as IdentityProviderType;
    const given = document ? await settingsIn(realm, type, String(document)) : { data: [], errors: [] };
    if (given.errors.length > 0) return { data: undefined, errors: given.errors };
    const merged = mergedSettings(given.data ?? [], settings);
    return mutate('identityProviderCreate', { realm: found?.id ?? '', alias: '', ...input, type, settings: merged });
  };
  return (
    <ListScreen
      area={area.identityProviders}
      pages={pages}
      search={t('search')}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={[
        { key: 'alias', title: texts.alias, width: 200 },
        { key: 'displayName', title: texts.displayName, width: 240 },
        { key: 'kind', title: texts.kind, render: ({ type }) => kindNames[type] },
        { key: 'status', title: texts.status, width: 130, render: ({ isEnabled }) => <Status isEnabled={isEnabled} /> },
      ]}
      nameOf={({ alias }) => alias}
      to="/$realm/identity-providers/$id"
      create={{
        title: t('create'),
        isAllowed: found?.viewerCan?.createIdentityProvider.isAllowed,
        start: { type: 'OIDC' },
        fields: fieldsOf,
        submit: create,
      }}
    />
  );
}

const kindChoices = Object.entries(kindNames).map(([value, label]) => ({ value, label }));

/** What is asked of a new identity provider of a kind. */
const fieldsOf = ({ type }: FieldValues): FormField[] => {
  const kind = type as IdentityProviderType;
  return [
    choiceField('type', texts.kind, kindChoices),
    { path: 'alias', label: texts.alias, isRequired: true },
    { path: 'displayName', label: texts.displayName },
    ...(hasDocument(kind) ? [documentField] : []),
    ...(kind === 'SAML' ? [] : credentials),
  ];
};
