import { Button } from '@mantine/core';
import { Assignments } from '../parts/assignments.js';
import { useAct } from '../parts/use-act.js';
import { mutate, perform } from '../session/mutate.js';
import { useText } from '../text/text.js';
import { ClientMoveScope, type ClientScopeUse } from './documents.js';
import type { ClientPart } from './loaded-client.js';
import { texts } from './text.js';

/** The client scopes of a client, and whether a login has each of them by default. */
export function ClientScopes({ node: client, scopes: known, reload }: ClientPart) {
  const t = useText(texts);
  const act = useAct();
  const { id, protocol } = client;
  const isAllowed = client.viewerCan.addClientScope.isAllowed;
  const scopesOf = (use: ClientScopeUse, list: typeof client.defaultClientScopes) =>
    (list?.nodes ?? []).map((node) => ({ ...node, use }));
  const scopes = [
    ...scopesOf('DEFAULT', client.defaultClientScopes),
    ...scopesOf('OPTIONAL', client.optionalClientScopes),
  ];
  const choices = (known ?? [])
    .filter((one) => one.protocol === protocol && !scopes.some((scope) => scope.id === one.id))
    .map(({ id: value, name: label }) => ({ value, label }));
  const move = (clientScope: string, use: ClientScopeUse) => () => perform(ClientMoveScope, { id, clientScope, use });
  const toggle = ({ id: scope, name, use }: (typeof scopes)[number]) => {
    const isDefault = use === 'DEFAULT';
    const moveTo = async (other: ClientScopeUse) => {
      await act(move(scope, other), t('assigned', { name }), move(scope, use));
      reload();
    };
    return (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t(isDefault ? 'makeOptional' : 'makeDefault', { name })}
        onClick={() => moveTo(isDefault ? 'OPTIONAL' : 'DEFAULT')}
      >
        → {t(isDefault ? 'optional' : 'default')}
      </Button>
    );
  };
  return (
    <Assignments
      nodes={scopes}
      nameOf={({ name }) => name}
      to="/$realm/client-scopes/$id"
      describe={(scope) => ({
        badges: [t(scope.use === 'DEFAULT' ? 'default' : 'optional')],
        actions: isAllowed && toggle(scope),
      })}
      label={t('addScope')}
      choices={choices}
      isAllowed={isAllowed}
      add={(clientScope, before) => mutate('clientAddClientScope', { id, clientScope, use: before?.use ?? 'DEFAULT' })}
      remove={(clientScope) => mutate('clientRemoveClientScope', { id, clientScope })}
      reload={reload}
    />
  );
}
