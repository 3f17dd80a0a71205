import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { CodeBlock } from '../parts/code-block.js';
import { Row, RowSection } from '../parts/row.js';
import { TargetSelect } from '../parts/target-select.js';
import { useLoad } from '../session/graphql.js';
import { Failure } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { ClientTokenPreview } from './documents.js';
import type { ClientPart } from './loaded-client.js';
import { texts } from './text.js';

/** The tokens that a login of a user would bring, and the mappers that make them. */
export function ClientToken({ node: client }: ClientPart) {
  const t = useText(texts);
  const [user, setUser] = useState('');
  const [text, setText] = useState('openid');
  const [scope] = useDebouncedValue(text, 300);
  const loaded = useLoad(ClientTokenPreview, { id: client.id, user, scope }, { isPaused: user === '' });
  const node = loaded.data?.node;
  const evaluation = user && node && 'evaluateScopes' in node ? node.evaluateScopes : undefined;
  return (
    <Stack maw={900}>
      <Group grow preventGrowOverflow={false} align="flex-start">
        <TargetSelect kind="user" label={t('user')} value={user} onChange={setUser} />
        <TextInput label={t('scope')} value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} />
      </Group>
      {user === '' && <Text>{t('tokenHint')}</Text>}
      <Failure loaded={loaded} />
      {evaluation &&
        (['accessToken', 'idToken', 'userInfo'] as const).map((name) => (
          <RowSection key={name} title={t(name)}>
            <CodeBlock label={t(name)} text={JSON.stringify(evaluation[name], null, 2)} />
          </RowSection>
        ))}
      {evaluation && (
        <RowSection title={t('mappersInEffect')}>
          {evaluation.protocolMappers.map(({ name, clientScopeName }, at) => (
            <Row key={`${name} ${at}`} name={name} badges={[clientScopeName]} />
          ))}
        </RowSection>
      )}
    </Stack>
  );
}
