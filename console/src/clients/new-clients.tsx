import { Button, Group, Text } from '@mantine/core';
import { useAct } from '../parts/act.js';
import { mutate, type NodeOf, type Part, perform } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { type ClientScopeUse, RealmMoveScope, type ScopeDetailQuery } from './documents.js';
import { texts } from './texts.js';

type Use = ClientScopeUse | 'NONE';

const choices = [
  ['NONE', 'notAssigned'],
  ['DEFAULT', 'default'],
  ['OPTIONAL', 'optional'],
] as const;

/** Says how new clients get a client scope. */
export function NewClients({ node: { id, name, newClients, viewerCan }, reload }: Part<NodeOf<ScopeDetailQuery>>) {
  const t = useText(texts);
  const act = useAct();
  const used: Use = newClients ?? 'NONE';
  const set = (from: Use, use: Use) => () => {
    if (use === 'NONE') return mutate('realmRemoveClientScope', { clientScope: id });
    if (from === 'NONE') return mutate('realmAddClientScope', { clientScope: id, use });
    return perform(RealmMoveScope, { clientScope: id, use });
  };
  const change = async (use: Use) => {
    await act(set(used, use), t('saved', { name }), set(use, used));
    reload();
  };
  return (
    <Group gap="xs">
      <Text>{t('newClients')}</Text>
      <Button.Group>
        {choices.map(([use, label]) => (
          <Button
            key={use}
            size="xs"
            variant={use === used ? 'light' : 'default'}
            aria-pressed={use === used}
            disabled={!viewerCan.addToRealm.isAllowed}
            onClick={() => use !== used && change(use)}
          >
            {t(label)}
          </Button>
        ))}
      </Button.Group>
    </Group>
  );
}
