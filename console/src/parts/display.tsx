import {
  Anchor,
  type AnchorProps,
  Badge,
  Box,
  Button,
  Code,
  CopyButton,
  EmptyState,
  Group,
  Paper,
  type PaperProps,
  ScrollArea,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Translate, useFieldName, useFormat, useText, useValueName } from '../text/text.js';
import { type Icon, IconMoodEmpty } from './icons.js';
import { nameIn } from './object-name.js';
import type { ObjectRoute } from './target-kinds.js';
import { texts } from './texts.js';

interface ObjectLinkProps extends AnchorProps {
  to: ObjectRoute;
  id: string;
  /** by default the realm of the address */
  realm?: string;
  children: ReactNode;
}

/** Leads to the screen of an object. */
export function ObjectLink({ to, id, realm, ...anchor }: ObjectLinkProps) {
  const here = useParams({ from: '/$realm' }).realm;
  return (
    <Anchor renderRoot={(props) => <Link to={to} params={{ realm: realm ?? here, id }} {...props} />} {...anchor} />
  );
}

/** Whether an object is enabled. */
export function Status({ isEnabled }: { isEnabled: boolean }) {
  const t = useText(texts);
  return <Badge color={isEnabled ? 'teal' : 'gray'}>{t(isEnabled ? 'enabled' : 'disabled')}</Badge>;
}

/** Whether a user has a role itself, or by something else that has it. */
export function Origin({ isDirect }: { isDirect: boolean }) {
  const t = useText(texts);
  return <Badge color={isDirect ? 'indigo' : 'gray'}>{t(isDirect ? 'direct' : 'inherited')}</Badge>;
}

/** A time in the language of the reader. */
export function Moment({ time }: { time: string | null | undefined }) {
  const { moment } = useFormat();
  return time && moment(time);
}

/** Who has made a change, as the API tells. */
interface Made {
  actor: { username: string } | null;
  actorId: string | null;
}

/** The ID that changes have which the command line made in the database, where nobody is logged in. */
const commandLine = btoa('User:command-line');

/** Names who has made a change: a user, the command line, or somebody whom the caller may not view. */
export function useActorName(): (made: Made | null) => string {
  const t = useText(texts);
  return (made) => made?.actor?.username ?? t(made?.actorId === commandLine ? 'commandLine' : 'someone');
}

/** The object of a change, and what its place in the API is called. */
interface Concerned {
  resource: object | null;
  resourceType: string;
  resourcePath: string;
}

/** Names the object of a change. One that was deleted has the name that is in its path, if that is no ID. */
export function useResourceName(): (change: Concerned) => string {
  const valueName = useValueName();
  return ({ resource, resourceType, resourcePath }) => {
    const last = resourcePath.split('/').at(-1) ?? '';
    const given = /^[\da-f]{8}-[\da-f]{4}/.test(last) ? '' : last;
    const name = resource ? (nameIn(resource) ?? given) : given;
    return `${valueName(resourceType)} ${name}`.trim();
  };
}

/** The logo of the server, as its other pages have it. */
export const Logo = ({ size }: { size: number }) => <img src="/assets/icon.svg" alt="" width={size} height={size} />;

/** A part of a screen with a frame and a title. */
export function Card({ title, children, ...frame }: PaperProps & { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title} {...frame}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

/** In place of an empty list: what would be here, and how it comes here. */
export function Empty({ icon: Icon, title, hint }: { icon: Icon; title: string; hint?: ReactNode }) {
  const icon = <Icon aria-hidden />;
  return (
    <EmptyState
      variant="light"
      color="indigo"
      py="xl"
      maw={420}
      mx="auto"
      icon={icon}
      title={title}
      description={hint}
    />
  );
}

/** In place of an object that does not exist or that the caller may not view. */
export function NotFound() {
  const t = useText(texts);
  return <Empty icon={IconMoodEmpty} title={t('notFound')} hint={t('notFoundHint')} />;
}

/** A text for machines, which can be copied. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  const t = useText(texts);
  return (
    <Box w="100%">
      <Code block tabIndex={0} mah={360} role="region" aria-label={label} style={{ overflow: 'auto' }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button mt="xs" size="xs" onClick={copy} aria-label={t('copyNamed', { name: label })}>
            {copied ? t('copied') : t('copyNamed', { name: label })}
          </Button>
        )}
      </CopyButton>
    </Box>
  );
}

/** One field that a mutation changes, as payloads and events have it. The values are JSON texts. */
export interface Change {
  resourceId?: string | null;
  path: string[];
  before: string | null;
  after: string | null;
}

/** Changes that do the same to several objects, and these objects. */
interface Alike extends Change {
  names: string[];
}

/** Changes with the same values, once each. */
function alike(changes: Change[], nameOf: ((id: string | null) => string) | undefined): Alike[] {
  const groups = Map.groupBy(changes, ({ path, before, after, resourceId }) =>
    JSON.stringify([path, before, after, nameOf ? null : resourceId]),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, names: [first, ...others].map(({ resourceId = null }) => nameOf?.(resourceId) ?? '') }] : [],
  );
}

/** Whether a field is the ID of an object itself or of what contains it, which say nothing to a reader. */
const isOwnId = ({ path: [first = '', ...rest] }: Change): boolean =>
  rest.length === 0 && ['id', 'uuid', 'parent', 'containerId'].includes(first);

/** Whether a field has no value before and after, such as an empty list of an object that is deleted. */
const isNothing = ({ before, after }: Change): boolean =>
  [before, after].every((value) => value === null || value === '[]');

/** As many names as one reads. */
const mostNames = 10;

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
  const t = useText(texts);
  const fieldName = useFieldName();
  const groups = alike(
    changes.filter((change) => !isOwnId(change) && !isNothing(change)),
    nameOf,
  );
  if (groups.length === 0) return <Text>{t('unchanged')}</Text>;
  return (
    <ScrollArea.Autosize mah={280} viewportProps={{ tabIndex: 0 }}>
      <Stack gap={6}>
        {groups.slice(0, most).map(({ resourceId, path, before, after, names }) => (
          <Group key={JSON.stringify([resourceId, path, before, after])} gap="xs" wrap="wrap">
            <Text>{fieldName(path)}</Text>
            {shows !== 'after' && <Value value={before} isOld />}
            {!shows && <Text aria-hidden>→</Text>}
            {shows !== 'before' && <Value value={after} />}
            {nameOf && (
              <Text fw={600}>
                {names.slice(0, mostNames).join(', ')}{' '}
                {names.length > mostNames && t('more', { count: names.length - mostNames })}
              </Text>
            )}
          </Group>
        ))}
        {groups.length > most && <Text>{t('more', { count: groups.length - most })}</Text>}
      </Stack>
    </ScrollArea.Autosize>
  );
}

/** A JSON text as one reads it: an object that has a name by its name, and a flag as yes or no. */
function plainText(value: string | null, nameOf: (value: string) => string, flag: (value: boolean) => string): string {
  if (value === null) return '';
  const plain = (parsed: unknown): string => {
    // other texts may be those of a person
    if (typeof parsed === 'string' && /^[A-Z]+(_[A-Z]+)+$/.test(parsed)) return nameOf(parsed);
    // the settings of providers are texts
    if (parsed === 'true' || parsed === 'false') return flag(parsed === 'true');
    if (typeof parsed === 'string') return parsed;
    if (typeof parsed === 'boolean') return flag(parsed);
    if (Array.isArray(parsed)) return parsed.map(plain).join(', ');
    if (typeof parsed === 'object' && parsed && 'name' in parsed && 'id' in parsed) return String(parsed.name);
    return JSON.stringify(parsed);
  };
  try {
    return plain(JSON.parse(value));
  } catch {
    return value;
  }
}

/** A text as it is shown: a data URL of an image by its type and size, as it says nothing to a reader. */
export function readableText(text: string, t: Translate<typeof texts>): string {
  const [, type, data] = /^data:([\w/+]+);base64,([^=]*)/.exec(text) ?? [];
  return type === undefined || data === undefined
    ? text
    : t('image', { type, bytes: Math.floor((data.length * 3) / 4) });
}

function Value({ value, isOld = false }: { value: string | null; isOld?: boolean }) {
  const t = useText(texts);
  const nameOf = useValueName();
  const text = readableText(
    plainText(value, nameOf, (is) => t(is ? 'yes' : 'no')),
    t,
  );
  const Tag = isOld ? 'del' : 'ins';
  return (
    <Text component={Tag} ff="monospace" className={isOld ? 'before' : 'after'}>
      {text === '' ? t('empty') : text}
    </Text>
  );
}
