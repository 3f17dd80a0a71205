import { useParams } from '@tanstack/react-router';
import { defineList, pagesOf } from '../parts/define-list.js';
import { choiceField, descriptionField, flagField, nameField, type Section } from '../parts/fields.js';
import { DetailScreen } from '../parts/object-screen.js';
import { mutate, useNode } from '../session/graphql.js';
import { area } from '../shell/areas.js';
import { RealmClientScopes, ScopeDetail } from './documents.js';
import { Mappers } from './mappers.js';
import { NewClients } from './new-clients.js';
import { ScopeMappings } from './scope-mappings.js';
import { texts } from './texts.js';

const uses = { DEFAULT: texts.default, OPTIONAL: texts.optional };

/** The client scopes of a realm, and a new one. */
export const Scopes = defineList({
  area: area.clientScopes,
  pages: pagesOf(
    RealmClientScopes,
    ({ clientScopes }) => clientScopes,
    (search) => ({ filter: { name: { contains: search } } }),
  ),
  columns: [
    { key: 'name', title: texts.clientScope, width: 220 },
    {
      key: 'newClients',
      title: texts.newClients,
      render: ({ newClients }, { translate }) => newClients && translate(uses[newClients]),
    },
    { key: 'protocol', title: texts.kind, render: ({ protocol }, { valueName }) => protocol && valueName(protocol) },
    { key: 'description', title: texts.description, width: 320 },
  ],
  nameOf: ({ name }) => name,
  empty: [texts.noScopes, texts.noScopesHint],
  search: texts.searchScopes,
  to: '/$realm/client-scopes/$id',
  create: {
    title: texts.createScope,
    isAllowed: ({ viewerCan }) => viewerCan?.createClientScope.isAllowed,
    help: 'clientScopeCreate',
    start: { protocol: 'OPENID_CONNECT' },
    fields: [nameField, descriptionField, choiceField('protocol', texts.kind, ['OPENID_CONNECT', 'SAML'])],
    submit: (realm, input) => mutate('clientScopeCreate', { realm, name: '', ...input }),
  },
});

const sections: Section[] = [
  {
    title: texts.general,
    fields: [
      nameField,
      descriptionField,
      flagField('isInTokenScope', texts.namedInTheScopeOfTokens),
      flagField('isOnConsentScreen', texts.anItemOfTheConsent),
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
      area={area.clientScopes}
      kind={texts.clientScope}
      nameOf={({ name }) => name}
      remove={(_, options) => mutate('clientScopeDelete', { id }, options)}
      form={{
        sections,
        save: (input, options) => mutate('clientScopeUpdate', input, options),
        help: 'clientScopeUpdate',
      }}
      above={(part) => <NewClients {...part} />}
      tabs={(part) => [
        ['mappers', texts.mappers, <Mappers {...part} />],
        ['scope-mappings', texts.scopeMappings, <ScopeMappings {...part} />],
      ]}
    />
  );
}
