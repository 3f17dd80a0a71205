import { useParams, useSearch } from '@tanstack/react-router';
import { choiceField, descriptionField, nameField } from '../parts/fields.js';
import { ListScreen } from '../parts/list-screen.js';
import { mutate } from '../session/mutate.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { ScopeList } from './documents.js';
import { texts } from './text.js';

/** The client scopes of a realm, and a new one. */
export function Scopes() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const { search } = useSearch({ from: '/$realm/client-scopes' });
  const variables = { realm, ...(search && { filter: { name: { contains: search } } }) };
  const pages = usePages(ScopeList, variables, ({ realm: found }) => found?.clientScopes);
  const found = pages.data?.realm;
  const uses = { DEFAULT: t('default'), OPTIONAL: t('optional') };
  return (
    <ListScreen
      area={area.clientScopes}
      pages={pages}
      search={t('searchScopes')}
      empty={{ title: t('noScopes'), hint: t('noScopesHint') }}
      columns={[
        { key: 'name', title: texts.clientScope, width: 220 },
        { key: 'newClients', title: texts.newClients, render: ({ newClients }) => newClients && uses[newClients] },
        { key: 'protocol', title: texts.kind },
        { key: 'description', title: texts.description, width: 320 },
      ]}
      nameOf={({ name }) => name}
      to="/$realm/client-scopes/$id"
      create={{
        title: t('createScope'),
        isAllowed: found?.viewerCan?.createClientScope.isAllowed,
        start: { protocol: 'OPENID_CONNECT' },
        fields: [nameField, descriptionField, choiceField('protocol', texts.kind, ['OPENID_CONNECT', 'SAML'])],
        submit: (input) => mutate('clientScopeCreate', { realm: found?.id ?? '', name: '', ...input }),
      }}
    />
  );
}
