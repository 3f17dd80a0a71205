import { Button, Select, Stack } from '@mantine/core';
import { Row } from '../parts/row.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { ClientAssignScope, ClientMoveScope, type ClientScopeUse, ClientTakeScope } from './documents.js';
import type { ClientPart } from './loaded-client.js';
import { texts } from './text.js';

/** The client scopes of a client, and whether a login has each of them by default. */
export function ClientScopes({ client, found, reload }: ClientPart) {
  const t = useText(texts);
  const act = useAct();
  const { id, protocol } = client;
  const isAllowed = client.viewerCan.addClientScope.isAllowed;
  const assign = (clientScope: string, use: ClientScopeUse) => () =>
    mutate(ClientAssignScope, { id, clientScope, use });
  const move = (clientScope: string, use: ClientScopeUse) => () => mutate(ClientMoveScope, { id, clientScope, use });
  const take = (clientScope: string) => () => mutate(ClientTakeScope, { id, clientScope });
  const perform = async (...args: Parameters<typeof act>) => {
    await act(...args);
    reload();
  };
  const uses = { DEFAULT: client.defaultClientScopes, OPTIONAL: client.optionalClientScopes } as const;
  const rows = (Object.keys(uses) as ClientScopeUse[]).flatMap((use) =>
    (uses[use]?.edges ?? []).map(({ node }) => ({ ...node, use })),
  );
  const choices = (found.clientScopes?.edges ?? [])
    .map(({ node }) => node)
    .filter((scope) => scope.protocol === protocol && !rows.some((row) => row.id === scope.id));
  return (
    <Stack maw={760} gap="xs">
      {isAllowed && (
        <Select
          label={t('addScope')}
          placeholder={t('choose')}
          searchable
          data={choices.map(({ id: value, name }) => ({ value, label: name }))}
          value={null}
          onChange={(scope, option) =>
            scope && perform(assign(scope, 'DEFAULT'), t('assigned', { name: option?.label ?? '' }), take(scope))
          }
        />
      )}
      {rows.map(({ id: scope, name, use }) => {
        const other = use === 'DEFAULT' ? 'OPTIONAL' : 'DEFAULT';
        const action = t(use === 'DEFAULT' ? 'makeOptional' : 'makeDefault', { name });
        return (
          <Row
            key={scope}
            name={name}
            badges={[t(use === 'DEFAULT' ? 'default' : 'optional')]}
            actions={
              isAllowed && (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={action}
                  onClick={() => perform(move(scope, other), t('assigned', { name }), move(scope, use))}
                >
                  → {t(use === 'DEFAULT' ? 'optional' : 'default')}
                </Button>
              )
            }
            onRemove={isAllowed && (() => perform(take(scope), t('taken', { name }), assign(scope, use)))}
          />
        );
      })}
    </Stack>
  );
}
