import { Group, ScrollArea, Stack, Text } from '@mantine/core';
import { type Translate, useText } from '../text/text.js';
import { partTexts } from './text.js';

/** One field that a mutation changes, as payloads and events have it. The values are JSON texts. */
export interface Change {
  resourceId?: string | null;
  path: string[];
  before: string | null;
  after: string | null;
}

interface ChangeListProps {
  changes: Change[];
  /** the name of a changed object, if there are several */
  nameOf?(id: string | null): string;
  /** the values that there are: only those after a creation, only those before a deletion */
  shows?: 'before' | 'after' | undefined;
  most?: number;
}

/** Fields with their values before and after. */
export function ChangeList({ changes, nameOf, shows, most = 50 }: ChangeListProps) {
  const t = useText(partTexts);
  if (changes.length === 0) return <Text>{t('unchanged')}</Text>;
  return (
    <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: 0 }}>
      <Stack gap={6}>
        {changes.slice(0, most).map(({ resourceId = null, path, before, after }) => (
          <Group key={`${resourceId} ${path.join('.')}`} gap="xs" wrap="wrap">
            {nameOf && <Text fw={600}>{nameOf(resourceId)}</Text>}
            <Text>{path.join('.')}</Text>
            {shows !== 'after' && <Value value={before} isOld />}
            {!shows && <Text aria-hidden>→</Text>}
            {shows !== 'before' && <Value value={after} />}
          </Group>
        ))}
        {changes.length > most && <Text>{t('more', { count: changes.length - most })}</Text>}
      </Stack>
    </ScrollArea.Autosize>
  );
}

/** A JSON text as one reads it. */
function plainText(value: string | null): string {
  if (value === null) return '';
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'string' ? parsed : JSON.stringify(parsed);
  } catch {
    return value;
  }
}

/** A text as it is shown: a data URL of an image by its type and size, as it says nothing to a reader. */
export function readableText(text: string, t: Translate<typeof partTexts>): string {
  const [, type, data] = /^data:([\w/+]+);base64,([^=]*)/.exec(text) ?? [];
  return type === undefined || data === undefined
    ? text
    : t('image', { type, bytes: Math.floor((data.length * 3) / 4) });
}

function Value({ value, isOld = false }: { value: string | null; isOld?: boolean }) {
  const t = useText(partTexts);
  const text = readableText(plainText(value), t);
  const Tag = isOld ? 'del' : 'ins';
  return (
    <Text component={Tag} ff="monospace" className={isOld ? 'before' : 'after'}>
      {text === '' ? t('empty') : text}
    </Text>
  );
}
