import { Accordion, Badge, Code, Group, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../parts/code-block.js';
import { useFormat, useText } from '../text/text.js';
import { useValueName } from '../text/values.js';
import type { RealmSettingsQuery } from './documents.js';
import { texts } from './text.js';

type Key = NonNullable<NonNullable<RealmSettingsQuery['realm']>['keys']>[number];

/** The keys of a realm, with what others need of them: public keys and certificates. */
export function Keys({ keys }: { keys: Key[] }) {
  const t = useText(texts);
  const format = useFormat();
  const nameOf = useValueName();
  return (
    <Accordion variant="separated" maw={760}>
      {keys.map(({ kid, type, use, algorithm, status, priority, publicKey, certificate, certificateExpiresAt }) => (
        <Accordion.Item key={kid} value={kid}>
          <Accordion.Control>
            <Group gap="xs">
              <Text fw={600}>{algorithm}</Text>
              <Badge color={status === 'ACTIVE' ? 'teal' : 'gray'}>{nameOf(status)}</Badge>
              <Badge color="gray">{`${type} ${use}`}</Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              <Code style={{ overflowWrap: 'anywhere' }}>{kid}</Code>
              <Text>
                {t('priority', { priority })}
                {certificateExpiresAt && ` · ${t('expires', { moment: format.moment(certificateExpiresAt) })}`}
              </Text>
              {publicKey && <CodeBlock label={t('publicKey')} text={publicKey} />}
              {certificate && <CodeBlock label={t('certificate')} text={certificate} />}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
