import { useParams, useSearch } from '@tanstack/react-router';
import { choiceField, descriptionField, flagField, nameField, type Section } from '../parts/fields.js';
import { ListScreen } from '../parts/list-screen.js';
import { DetailScreen } from '../parts/object-screen.js';
import { mutate, useNode } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { useText } from '../text/text.js';
import { ScopeDetail, ScopeList } from './documents.js';
import { Mappers } from './mappers.js';
import { NewClients } from './new-clients.js';
import { ScopeMappings } from './scope-mappings.js';
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

const sections: Section[] = [
  {
    title: texts.general,
    fields: [
      nameField,
      descriptionField,
      flagField('isInTokenScope', ['Named in the scope of tokens', 'Im Scope von Tokens genannt']),
      flagField('isOnConsentScreen', ['An item of the consent', 'Ein Punkt der Einwilligung']),
      { path: 'consentText', label: texts.consentText, kind: 'long' },
    ],
  },
];

/** A client scope: its settings, its mappers, the roles in its scope, and whether new clients get it. */
export function Scope() {
  const { id } = useParams({ from: '/$realm/client-scopes/$id' });
  return (
    <DetailScreen
      shown={useNode(ScopeDetail, { id })}
      kind={texts.clientScope}
      nameOf={({ name }) => name}
      remove={(_, options) => mutate('clientScopeDelete', { id }, options)}
      form={{ sections, save: (input, options) => mutate('clientScopeUpdate', input, options) }}
      above={(part) => <NewClients {...part} />}
      tabs={(part) => [
        ['mappers', texts.mappers, <Mappers {...part} />],
        ['scope-mappings', texts.scopeMappings, <ScopeMappings {...part} />],
      ]}
    />
  );
}
