import { IconShield } from '@tabler/icons-react';
import { ObjectList } from '../parts/object-list.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { ClientRoleAdd, ClientRoleDelete } from './documents.js';
import type { ClientPart } from './loaded-client.js';
import { texts } from './text.js';

/** The roles of a client. */
export function ClientRoles({ client, reload }: ClientPart) {
  const t = useText(texts);
  return (
    <ObjectList
      nodes={client.roles?.edges.map(({ node }) => node) ?? []}
      isAllowed={client.viewerCan.createRole.isAllowed}
      icon={IconShield}
      empty={{ title: t('noRoles'), hint: t('noRolesHint') }}
      describe={({ description }) => ({ hint: description })}
      add={{
        title: t('addRole'),
        fields: [
          { path: 'name', label: texts.name, isRequired: true },
          { path: 'description', label: ['Description', 'Beschreibung'] },
        ],
      }}
      create={(input) => mutate(ClientRoleAdd, { input: { container: client.id, name: '', ...input } })}
      remove={({ id }, options) => mutate(ClientRoleDelete, { id }, options)}
      reload={reload}
    />
  );
}
