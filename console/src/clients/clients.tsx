import { useParams, useSearch } from '@tanstack/react-router';
import { orderOf } from '../parts/address.js';
import { type BulkAction, useEnableActions } from '../parts/bulk-actions.js';
import { createdIn } from '../parts/dialogs.js';
import { Status } from '../parts/display.js';
import { choiceField, type FieldValues, type FormField } from '../parts/fields.js';
import { IconTrash } from '../parts/icons.js';
import type { Column } from '../parts/list.js';
import { ListScreen } from '../parts/list-screen.js';
import type { ClientCreateInput } from '../session/documents.js';
import { load, mutate, nodeOf } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { area } from '../shell/areas.js';
import { type Text, useStoredName, useText, useTranslated, useValueName } from '../text/text.js';
import * as documents from './documents.js';
import { texts } from './text.js';

type Client = documents.ClientRowFragment;

/** The clients of a realm: search, filter, order, and actions on those that are selected. */
export function Clients() {
  const t = useText(texts);
  const valueName = useValueName();
  const storedName = useStoredName();
  const { realm } = useParams({ from: '/$realm' });
  const { search, sort = 'CLIENT_ID', enabled } = useSearch({ from: '/$realm/clients' });
  const filter = { ...(search && { search }), ...(enabled !== undefined && { isEnabled: enabled }) };
  const variables = { realm, filter, orderBy: orderOf(sort) };
  const pages = usePages(documents.ClientList, variables, ({ realm: found }) => found?.clients);
  const found = pages.data?.realm;
  const columns: Column<Client, documents.ClientOrderField>[] = [
    { key: 'clientId', title: texts.client, sort: 'CLIENT_ID', width: 240 },
    {
      key: 'name',
      title: texts.name,
      sort: 'NAME',
      width: 220,
      render: ({ name }) => name && storedName(name),
    },
    {
      key: 'kind',
      title: texts.kind,
      render: ({ kind, protocol }) => valueName(protocol === 'SAML' ? protocol : kind),
    },
    { key: 'status', title: texts.status, width: 130, render: ({ isEnabled }) => <Status isEnabled={isEnabled} /> },
  ];
  return (
    <ListScreen
      area={area.clients}
      pages={pages}
      search={t('search')}
      filters={[
        {
          key: 'enabled',
          label: t('status'),
          choices: [true, false].map((value) => ({ value, label: t(value ? 'enabled' : 'disabled') })),
        },
      ]}
      empty={{ title: t('none'), hint: t('noneHint') }}
      columns={columns}
      nameOf={({ clientId }) => clientId}
      sort={sort}
      bulk={{ things: t('things'), actions: useActions(found?.id ?? '') }}
      to="/$realm/clients/$id"
      create={{ ...useCreation(found?.id ?? ''), isAllowed: found?.viewerCan?.createClient.isAllowed }}
    />
  );
}

/** What can be done with the selected clients. */
function useActions(realm: string): BulkAction<Client>[] {
  const t = useText(texts);
  const enabling = useEnableActions<Client>((clients, options) => mutate('clientsUpdate', { realm, clients }, options));
  return [
    ...enabling,
    {
      title: t('delete'),
      icon: IconTrash,
      act: (clients, options) => mutate('clientsDelete', { realm, ids: clients.map(({ id }) => id) }, options),
    },
  ];
}

const flows = (enabled: object) => ({ flows: { isStandardEnabled: false, isDirectAccessEnabled: false, ...enabled } });

/** The kinds of applications, with what the API is told of each. */
const kinds: Record<string, { title: Text; input: Partial<ClientCreateInput>; hasAddresses: boolean }> = {
  web: {
    title: ['Web application in a browser', 'Webanwendung im Browser'],
    input: { kind: 'PUBLIC', ...flows({ isStandardEnabled: true }), authorizationRequests: { pkceMethod: 'S256' } },
    hasAddresses: true,
  },
  server: {
    title: ['Application on a server', 'Anwendung auf einem Server'],
    input: { kind: 'CONFIDENTIAL', ...flows({ isStandardEnabled: true }) },
    hasAddresses: true,
  },
  service: {
    title: ['Service account, without users', 'Dienstkonto, ohne Benutzer'],
    input: { kind: 'CONFIDENTIAL', ...flows({ isServiceAccountEnabled: true }) },
    hasAddresses: false,
  },
  bearer: {
    title: ['Service that only checks tokens', 'Dienst, der nur Tokens prüft'],
    input: { kind: 'BEARER_ONLY' },
    hasAddresses: false,
  },
  saml: { title: ['SAML application', 'SAML-Anwendung'], input: { protocol: 'SAML' }, hasAddresses: true },
};

const redirectUris: FormField = { path: 'redirectUris', label: texts.redirectUris, kind: 'lines' };

/** The dialog that creates a client of a kind. */
export function useCreation(realm: string) {
  const t = useText(texts);
  const translate = useTranslated();
  const choices = Object.entries(kinds).map(([value, { title }]) => ({ value, label: translate(title) }));
  return {
    title: t('create'),
    start: { application: 'web' },
    fields: ({ application }: FieldValues): FormField[] => [
      choiceField('application', texts.kind, choices),
      { path: 'clientId', label: texts.clientId, isRequired: true },
      { path: 'name', label: texts.name },
      ...(kinds[application as string]?.hasAddresses ? [redirectUris] : []),
    ],
    submit: ({ application, ...given }: FieldValues) =>
      mutate('clientCreate', { realm, clientId: '', ...kinds[application as string]?.input, ...given }),
    done: (_: unknown, { clientId }: FieldValues) => t('created', { name: String(clientId) }),
    secretOf: async (data: object | undefined) => {
      const id = createdIn(data);
      return id && nodeOf((await load(documents.ClientSecret, { id }))?.node)?.secret;
    },
    secretHint: t('secretHint'),
  };
}
