import { Button } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Empty } from '../parts/empty.js';
import { FormDialog } from '../parts/form-dialog.js';
import { List } from '../parts/list.js';
import { SearchInput } from '../parts/search-input.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { Screen } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { ScopeAdd, ScopeList } from './documents.js';
import { texts } from './text.js';

/** The client scopes of a realm, and a new one. */
export function Scopes() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { search } = useSearch({ from: '/$realm/client-scopes' });
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const variables = useMemo(
    () => ({ realm, ...(search && { filter: { name: { contains: search } } }) }),
    [realm, search],
  );
  const pages = usePages(ScopeList, variables, ({ realm: found }) => found?.clientScopes);
  const open = (id: string) => navigate({ to: '/$realm/client-scopes/$id', params: { realm, id } });
  const uses = { DEFAULT: t('default'), OPTIONAL: t('optional') };
  return (
    <Screen
      title={t('scopeTitle')}
      loaded={pages}
      actions={
        pages.data?.realm?.viewerCan?.createClientScope.isAllowed && (
          <Button onClick={() => setCreating(true)}>{t('createScope')}</Button>
        )
      }
    >
      {({ realm: found }) => (
        <>
          <SearchInput
            label={t('searchScopes')}
            value={search}
            onChange={(text) => navigate({ to: '.', search: { search: text } as never, replace: true })}
          />
          <List
            label={t('scopeTitle')}
            pages={pages}
            total={found?.clientScopes?.totalCount}
            columns={[
              { key: 'name', title: t('clientScope'), width: 220, render: ({ name }) => name },
              { key: 'newClients', title: t('newClients'), render: ({ newClients }) => newClients && uses[newClients] },
              { key: 'protocol', title: t('kind'), render: ({ protocol }) => protocol },
              { key: 'description', title: t('description'), width: 320, render: ({ description }) => description },
            ]}
            nameOf={({ name }) => name}
            onOpen={({ id }) => open(id)}
            empty={
              <Empty icon={IconStack2} title={t('noScopes')}>
                {t('noScopesHint')}
              </Empty>
            }
          />
          {found && isCreating && (
            <FormDialog
              title={t('createScope')}
              start={{ protocol: 'OPENID_CONNECT' }}
              fields={[
                { path: 'name', label: texts.name, isRequired: true },
                { path: 'description', label: texts.description },
                {
                  path: 'protocol',
                  label: texts.kind,
                  kind: 'choice',
                  choices: ['OPENID_CONNECT', 'SAML'],
                  isRequired: true,
                },
              ]}
              submit={(input) => mutate(ScopeAdd, { input: { realm: found.id, name: '', ...input } })}
              onDone={(data) => data?.clientScopeCreate.clientScope && open(data.clientScopeCreate.clientScope.id)}
              onClose={() => setCreating(false)}
            />
          )}
        </>
      )}
    </Screen>
  );
}
