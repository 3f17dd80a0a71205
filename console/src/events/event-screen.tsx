import { Drawer, Stack, Table } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TypedDocument } from '../../../client/src/document.js';
import { useChange } from '../parts/address.js';
import { Empty } from '../parts/empty.js';
import { type Column, List } from '../parts/list.js';
import { read, useLive } from '../session/graphql.js';
import { type Connection, usePages } from '../session/pages.js';
import type { Area } from '../shell/areas.js';
import { Screen } from '../shell/screen.js';
import { useText, useTranslated } from '../text/text.js';
import type { AdminEventFilter, LoginEventFilter } from './documents.js';
import { EventFilters, type EventSearch } from './event-filters.js';
import { ExportEvents } from './export-events.js';
import { texts } from './text.js';

/** What the filters of both kinds of events have in common. */
type CommonFilter = Pick<AdminEventFilter & LoginEventFilter, 'search' | 'time'>;

/** The variables of a page of events. */
interface Page<Filter> {
  realm: string;
  filter: Filter;
  first: number;
  after?: string | null;
  isFirst: boolean;
}

interface EventScreenProps<Data extends { realm: { id: string } | null }, Node, Live, Type extends string, Filter> {
  area: Area;
  /** what is added to the name of the realm for the name of an exported file */
  file: string;
  /** the types that are offered as filters */
  types: readonly Type[];
  filterOf(common: CommonFilter, type: Type | undefined, address: EventSearch): Filter;
  /** the filters that only these events have */
  filters(address: EventSearch, change: (changes: Partial<EventSearch>) => void): ReactNode;
  /** when there are events, in place of an empty list */
  hint: string;
  document: TypedDocument<Data, Page<Filter>>;
  connectionOf(data: Data): Connection<Node> | null | undefined;
  /** the subscription of events as they happen */
  live: TypedDocument<Live, { realm: string; filter: Filter }>;
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
  Filter,
>(props: EventScreenProps<Data, Node, Live, Type, Filter>) {
  const { area, file, types, filterOf, filters, document, connectionOf, columns, nameOf, hint, children } = props;
  const t = useText(texts);
  const title = useTranslated()(area.title);
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
  const key = JSON.stringify(filter);
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
    <Screen title={title} loaded={pages} actions={<ExportEvents name={`${realm}-${file}`} page={page} />}>
      {() => (
        <>
          <EventFilters search={address} types={types} onChange={change}>
            {filters(address, change)}
          </EventFilters>
          <List<Node, never>
            key={key}
            label={title}
            pages={{ ...pages, nodes, total }}
            columns={columns}
            nameOf={nameOf}
            onOpen={({ id }) => change({ event: id })}
            empty={<Empty icon={area.icon} title={t('none')} hint={hint} />}
          />
          {event &&
            children(
              event,
              nodes.find(({ id }) => id === event),
              () => change({ event: undefined }),
            )}
        </>
      )}
    </Screen>
  );
}

interface EventDrawerProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** One event beside its list. */
export function EventDrawer({ title, onClose, children }: EventDrawerProps) {
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
    <Table layout="fixed">
      <Table.Tbody>
        {fields
          .filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={150} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
