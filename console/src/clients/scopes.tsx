import { IconStack2 } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { FormDialog } from '../parts/form-dialog.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { ScopeAdd, ScopeList } from './documents.js';
import { texts } from './text.js';

/** The client scopes of a realm, and a new one. */
export function Scopes() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { search } = useSearch({ from: '/$realm/client-scopes' });
  const navigate = useNavigate();
  const variables = useMemo(
    () => ({ realm, ...(search && { filter: { name: { contains: search } } }) }),
    [realm, search],
  );
  const pages = usePages(ScopeList, variables, ({ realm: found }) => found?.clientScopes);
  const found = pages.data?.realm;
  const open = (id: string) => navigate({ to: '/$realm/client-scopes/$id', params: { realm, id } });
  const uses = { DEFAULT: t('default'), OPTIONAL: t('optional') };
  return (
    <ListScreen
      title={t('scopeTitle')}
      pages={pages}
      total={found?.clientScopes?.totalCount}
      search={t('searchScopes')}
      icon={IconStack2}
      empty={{ title: t('noScopes'), hint: t('noScopesHint') }}
      columns={[
        { key: 'name', title: t('clientScope'), width: 220, render: ({ name }) => name },
        { key: 'newClients', title: t('newClients'), render: ({ newClients }) => newClients && uses[newClients] },
        { key: 'protocol', title: t('kind'), render: ({ protocol }) => protocol },
        { key: 'description', title: t('description'), width: 320, render: ({ description }) => description },
      ]}
      nameOf={({ name }) => name}
      onOpen={({ id }) => open(id)}
      create={{
        title: t('createScope'),
        isAllowed: found?.viewerCan?.createClientScope.isAllowed,
        dialog: (onClose) => (
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
            submit={(input) => mutate(ScopeAdd, { input: { realm: found?.id ?? '', name: '', ...input } })}
            onDone={(data) => data?.clientScopeCreate.clientScope && open(data.clientScopeCreate.clientScope.id)}
            onClose={onClose}
          />
        ),
      }}
    />
  );
}
