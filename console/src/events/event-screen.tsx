import { DataList, Drawer, Stack, Switch, TextInput } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TypedDocument } from '../../../client/src/document.js';
import { useChange } from '../parts/address.js';
import { DownloadMenu } from '../parts/download-menu.js';
import { saveFile } from '../parts/file-content.js';
import { type Filter, filterSize } from '../parts/filters.js';
import type { Column } from '../parts/list.js';
import { ListScreen } from '../parts/list-screen.js';
import { TargetSelect } from '../parts/target-select.js';
import { type Outcome, read, useLive } from '../session/graphql.js';
import { type Connection, usePages } from '../session/pages.js';
import { type Area, useMay } from '../shell/areas.js';
import { useNotify } from '../shell/notify.js';
import { useText, useValueName } from '../text/text.js';
import type { AdminEventFilter, LoginEventFilter } from './documents.js';
import { texts } from './texts.js';

/** What the filters of both kinds of events have in common. */
type CommonFilter = Pick<AdminEventFilter & LoginEventFilter, 'search' | 'time'>;

/** The variables of a page of events. */
interface Page<Condition> {
  realm: string;
  filter: Condition;
  first: number;
  after?: string | null;
  isFirst: boolean;
}

interface EventScreenProps<Data extends { realm: { id: string } | null }, Node, Live, Type extends string, Condition> {
  area: Area;
  /** what is added to the name of the realm for the name of an exported file */
  file: string;
  /** the types that are offered as filters */
  types: readonly Type[];
  filterOf(common: CommonFilter, type: Type | undefined, address: EventSearch): Condition;
  /** the filter of whose events these are: its label, and the realm of these users */
  actor: { label: string; realm: string };
  /** the filters that only these events have */
  filters?: readonly Filter[];
  /** when there are events, in place of an empty list */
  hint: string;
  document: TypedDocument<Data, Page<Condition>>;
  connectionOf(data: Data): Connection<Node> | null | undefined;
  /** the subscription of events as they happen */
  live: TypedDocument<Live, { realm: string; filter: Condition }>;
  eventOf(message: Live): Node | null;
  columns: Column<Node>[];
  nameOf(event: Node): string;
  /** shows the event that the address has beside the list */
  children(id: string, event: Node | undefined, onClose: () => void): ReactNode;
}

/** A list of events: filters, live tail, details, and export. */
export function EventScreen<
  Data extends { realm: { id: string } | null },
  Node extends { id: string },
  Live,
  Type extends string,
  Condition,
>(props: EventScreenProps<Data, Node, Live, Type, Condition>) {
  const {
    area,
    file,
    types,
    filterOf,
    actor,
    filters = [],
    document,
    connectionOf,
    columns,
    nameOf,
    hint,
    children,
  } = props;
  const t = useText(texts);
  const valueName = useValueName();
  const { realm } = useParams({ from: '/$realm' });
  const address = useSearch({ strict: false });
  const change = useChange<typeof address>();
  const { search, type, from, until, live: isLive = false, event } = address;
  const time = {
    ...(from && { atOrAfter: new Date(from).toISOString() }),
    ...(until && { before: new Date(until).toISOString() }),
  };
  const common = { ...(search && { search }), ...(Object.keys(time).length > 0 && { time }) };
  const chosenType = types.find((name) => name === type);
  const filter = filterOf(common, chosenType, address);
  const variables = { realm, filter };
  const pages = usePages(document, variables, connectionOf);
  const live = useLive(props.live, { realm: pages.data?.realm?.id ?? '', filter }, props.eventOf, {
    isPaused: !isLive || !pages.data,
    most: 200,
  });
  const nodes = [...new Map([...live, ...pages.nodes].map((node) => [node.id, node])).values()];
  const total = pages.total === undefined ? undefined : pages.total + nodes.length - pages.nodes.length;
  const page = async (after: string | null) => {
    const { data, errors } = await read(document, { ...variables, first: 500, after, isFirst: false });
    return { data: data && connectionOf(data), errors };
  };
  return (
    <ListScreen
      area={area}
      pages={{ ...pages, nodes, total }}
      isTitled
      search={t('search')}
      filters={[
        { key: 'type', label: t('type'), placeholder: t('anyType'), choices: choicesOf(types, valueName) },
        ...filters,
      ]}
      tools={<EventTools actor={actor} />}
      others={['actor', 'from', 'until']}
      actions={<ExportEvents name={`${realm}-${file}`} page={page} />}
      empty={{ title: t('none'), hint }}
      columns={columns}
      nameOf={nameOf}
      onOpen={({ id }) => change({ event: id })}
    >
      {event &&
        children(
          event,
          nodes.find(({ id }) => id === event),
          () => change({ event: undefined }),
        )}
    </ListScreen>
  );
}

/** Values as choices of a filter. */
export const choicesOf = (values: readonly string[], nameOf: (value: string) => string) =>
  values.map((value) => ({ value, label: nameOf(value) }));

/** One event beside its list. */
export function EventDrawer({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const t = useText(texts);
  return (
    <Drawer
      opened
      onClose={onClose}
      title={title}
      position="right"
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>{children}</Stack>
    </Drawer>
  );
}

/** Names and values of an event. Fields without a value are left out. */
export function EventFields({ fields }: { fields: [name: string, value: ReactNode][] }) {
  return (
    <DataList labelWidth={150} style={{ overflowWrap: 'anywhere' }}>
      {fields
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <DataList.Item key={name}>
            <DataList.ItemLabel>{name}</DataList.ItemLabel>
            <DataList.ItemValue>{value}</DataList.ItemValue>
          </DataList.Item>
        ))}
    </DataList>
  );
}

/** What the address of a list of events says. */
export interface EventSearch {
  search?: string | undefined;
  type?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  live?: boolean | undefined;
  actor?: string | undefined;
  object?: string | undefined;
  event?: string | undefined;
}

/** Whose events are shown, since when and until when, and whether new ones are as they come. */
function EventTools({ actor }: { actor: { label: string; realm: string } }) {
  const t = useText(texts);
  const address: EventSearch = useSearch({ strict: false });
  const change = useChange<EventSearch>();
  const mayFind = useMay(actor.realm)('QUERY_USERS');
  return (
    <>
      {(mayFind || address.actor) && (
        <TargetSelect
          {...actor}
          kind="user"
          clearable
          {...filterSize}
          value={address.actor ?? ''}
          onChange={(id) => change({ actor: id || undefined })}
        />
      )}
      {(['from', 'until'] as const).map((field) => (
        <TextInput
          key={field}
          label={t(field)}
          type="datetime-local"
          w={200}
          value={address[field] ?? ''}
          onChange={({ currentTarget: { value } }) => change({ [field]: value || undefined })}
        />
      ))}
      <Switch
        label={t('live')}
        pb={8}
        checked={address.live ?? false}
        onChange={({ currentTarget: { checked } }) => change({ live: checked || undefined })}
      />
    </>
  );
}

const most = 10_000;

type Exported = Outcome<Connection<object> | null | undefined>;

/** Saves the events that the filters leave, the newest first. */
function ExportEvents({ name, page }: { name: string; page(after: string | null): Promise<Exported> }) {
  const t = useText(texts);
  const notify = useNotify();
  const all = async () => {
    const events: object[] = [];
    let after: string | null = null;
    do {
      const { data, errors }: Exported = await page(after);
      if (!data || errors.length > 0) {
        notify.failed(errors);
        return undefined;
      }
      events.push(...data.nodes);
      after = data.pageInfo.hasNextPage ? data.pageInfo.endCursor : null;
    } while (after !== null && events.length < most);
    if (after !== null) notify.succeeded(t('exportLimit', { count: events.length }));
    return events;
  };
  const saveJson = async () => {
    const events = await all();
    if (events) saveFile(`${name}.json`, `${JSON.stringify(events, null, 2)}\n`, 'application/json');
  };
  const saveCsv = async () => {
    const events = await all();
    if (events) saveFile(`${name}.csv`, csvOf(events), 'text/csv');
  };
  return (
    <DownloadMenu
      label={t('export')}
      files={[
        ['JSON', saveJson],
        ['CSV', saveCsv],
      ]}
    />
  );
}

/** Objects as CSV (RFC 4180). The columns are the fields of the first object; values that are objects are JSON. */
function csvOf(rows: object[]): string {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== '__typename');
  const lines = rows.map((row) => columns.map((name) => cell((row as Record<string, unknown>)[name])));
  return [columns.map(cell), ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
  // spreadsheets would take such a text as a formula
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
