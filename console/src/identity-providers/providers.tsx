import { Badge } from '@mantine/core';
import { IconCloudLock } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { FieldValues, FormField } from '../parts/field-input.js';
import { FormDialog } from '../parts/form-dialog.js';
import { ListScreen } from '../parts/list-screen.js';
import { mergedSettings } from '../parts/provider-settings.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { type IdentityProviderType, ProviderAdd, ProviderList } from './documents.js';
import { credentials, hasDocument, kindNames } from './kinds.js';
import { settingsIn } from './settings.js';
import { texts } from './text.js';

/** The identity providers of a realm, and a new one. */
export function Providers() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { search } = useSearch({ from: '/$realm/identity-providers' });
  const navigate = useNavigate();
  const variables = useMemo(
    () => ({ realm, ...(search && { filter: { alias: { contains: search } } }) }),
    [realm, search],
  );
  const pages = usePages(ProviderList, variables, ({ realm: found }) => found?.identityProviders);
  const found = pages.data?.realm;
  const open = (id: string) => navigate({ to: '/$realm/identity-providers/$id', params: { realm, id } });
  const create = async ({ document, settings, ...input }: FieldValues) => {
    const type = input.type as IdentityProviderType;
    const given = document ? await settingsIn(realm, type, String(document)) : { data: [], errors: [] };
    if (given.errors.length > 0) return { data: undefined, errors: given.errors };
    const merged = mergedSettings(given.data ?? [], settings);
    return mutate(ProviderAdd, { input: { realm: found?.id ?? '', alias: '', ...input, type, settings: merged } });
  };
  return (
    <ListScreen
      title={t('title')}
      pages={pages}
      total={found?.identityProviders?.totalCount}
      search={t('search')}
      icon={IconCloudLock}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={[
        { key: 'alias', title: t('alias'), width: 200, render: ({ alias }) => alias },
        { key: 'displayName', title: t('displayName'), width: 240, render: ({ displayName }) => displayName },
        { key: 'kind', title: t('kind'), render: ({ type }) => kindNames[type] },
        {
          key: 'status',
          title: t('status'),
          width: 130,
          render: ({ isEnabled }) => (
            <Badge color={isEnabled ? 'teal' : 'gray'}>{t(isEnabled ? 'enabled' : 'disabled')}</Badge>
          ),
        },
      ]}
      nameOf={({ alias }) => alias}
      onOpen={({ id }) => open(id)}
      create={{
        title: t('create'),
        isAllowed: found?.viewerCan?.createIdentityProvider.isAllowed,
        dialog: (onClose) => (
          <FormDialog
            title={t('create')}
            start={{ type: 'OIDC' }}
            fields={fieldsOf}
            submit={create}
            onDone={(data) => {
              const made = data?.identityProviderCreate.identityProvider;
              if (made) open(made.id);
            }}
            onClose={onClose}
          />
        ),
      }}
    />
  );
}

/** What is asked of a new identity provider of a kind. */
const fieldsOf = ({ type }: FieldValues): FormField[] => {
  const kind = type as IdentityProviderType;
  return [
    {
      path: 'type',
      label: texts.kind,
      kind: 'choice',
      isRequired: true,
      choices: Object.entries(kindNames).map(([value, label]) => ({ value, label })),
    },
    { path: 'alias', label: texts.alias, isRequired: true },
    { path: 'displayName', label: texts.displayName },
    ...(hasDocument(kind)
      ? [{ path: 'document', label: texts.document, hint: texts.documentHint, kind: 'long' } as const]
      : []),
    ...(kind === 'SAML' ? [] : credentials),
  ];
};
