import { flag } from '../parts/address.js';
import { enableActions } from '../parts/bulk-actions.js';
import { defineList, orderedBy, pagesOf } from '../parts/define-list.js';
import { Status } from '../parts/display.js';
import { enabledFilter } from '../parts/filters.js';
import { IconTrash } from '../parts/icons.js';
import { mutate } from '../session/graphql.js';
import { area } from '../shell/areas.js';
import { type ClientOrderField, RealmClients } from './documents.js';
import { newClient } from './new-client.js';
import { texts } from './texts.js';

/** The clients of a realm, a new one of a kind, and actions on those that are selected. */
export const Clients = defineList({
  area: area.clients,
  pages: pagesOf(
    RealmClients,
    ({ clients }) => clients,
    (search, orderBy, { enabled }) => ({ filter: { search, isEnabled: flag(enabled) }, orderBy }),
    orderedBy<ClientOrderField>('CLIENT_ID'),
  ),
  columns: [
    { key: 'clientId', title: texts.client, sort: 'CLIENT_ID', width: 230 },
    {
      key: 'name',
      title: texts.name,
      sort: 'NAME',
      width: 200,
      render: ({ name }, { storedName }) => name && storedName(name),
    },
    {
      key: 'kind',
      title: texts.kind,
      width: 140,
      render: ({ kind, protocol }, { valueName }) => valueName(protocol === 'SAML' ? protocol : kind),
    },
    { key: 'status', title: texts.status, width: 120, render: ({ isEnabled }) => <Status isEnabled={isEnabled} /> },
  ],
  nameOf: ({ clientId }) => clientId,
  empty: [texts.none, texts.noneHint],
  search: texts.search,
  filters: (words) => [enabledFilter(words)],
  bulk: {
    things: texts.things,
    actions: (realm) => [
      ...enableActions((clients, options) => mutate('clientsUpdate', { realm, clients }, options)),
      {
        title: texts.delete,
        icon: IconTrash,
        act: (clients, options) => mutate('clientsDelete', { realm, ids: clients.map(({ id }) => id) }, options),
      },
    ],
  },
  to: '/$realm/clients/$id',
  create: newClient,
});
