import { Accordion, Badge, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { useFormat, useText } from '../text/text.js';
import type { RealmSettingsQuery } from './documents.js';
import { texts } from './text.js';

type Key = NonNullable<NonNullable<RealmSettingsQuery['realm']>['keys']>[number];

/** The keys of a realm, with what others need of them: public keys and certificates. */
export function Keys({ keys }: { keys: Key[] }) {
  const t = useText(texts);
  const format = useFormat();
  return (
    <Accordion variant="separated" maw={760}>
      {keys.map(({ kid, type, use, algorithm, status, priority, publicKey, certificate, certificateExpiresAt }) => (
        <Accordion.Item key={kid} value={kid}>
          <Accordion.Control>
            <Group gap="xs">
              <Text fw={600}>{algorithm}</Text>
              <Badge color={status === 'ACTIVE' ? 'teal' : 'gray'}>{status}</Badge>
              <Badge color="gray">{`${type} ${use}`}</Badge>
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              <Code style={{ overflowWrap: 'anywhere' }}>{kid}</Code>
              <Text size="sm">
                {t('priority', { priority })}
                {certificateExpiresAt && ` · ${t('expires', { moment: format.moment(certificateExpiresAt) })}`}
              </Text>
              {publicKey && <Copied title={t('publicKey')} value={publicKey} />}
              {certificate && <Copied title={t('certificate')} value={certificate} />}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** A long value that is looked at and copied. */
function Copied({ title, value }: { title: string; value: string }) {
  const t = useText(texts);
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy} aria-label={`${t('copy')}: ${title}`}>
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {value}
      </Code>
    </section>
  );
}
