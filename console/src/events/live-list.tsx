import { IconHistory } from '@tabler/icons-react';
import type { AnyVariables } from 'urql';
import type { TypedDocument } from '../../../client/src/document.js';
import { Empty } from '../parts/empty.js';
import { type Column, List } from '../parts/list.js';
import { useLive } from '../session/graphql.js';
import type { Pages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { texts } from './text.js';

interface LiveListProps<Node extends { id: string }, Live, Variables extends AnyVariables> {
  label: string;
  pages: Pages<unknown, Node>;
  total: number | undefined;
  columns: Column<Node, never>[];
  nameOf(node: Node): string;
  onOpen(node: Node): void;
  isLive: boolean;
  document: TypedDocument<Live, Variables>;
  variables: Variables;
  eventOf(message: Live): Node | null;
}

/** A list of events, with those that happen while one looks at its top. */
export function LiveList<Node extends { id: string }, Live, Variables extends AnyVariables>(
  props: LiveListProps<Node, Live, Variables>,
) {
  const { pages, total, isLive, document, variables, eventOf, ...list } = props;
  const t = useText(texts);
  const live = useLive(document, variables, eventOf, { isPaused: !isLive, most: 200 });
  const nodes = [...new Map([...live, ...pages.nodes].map((event) => [event.id, event])).values()];
  const added = nodes.length - pages.nodes.length;
  return (
    <List<Node, never>
      {...list}
      pages={{ ...pages, nodes }}
      total={total === undefined ? undefined : total + added}
      empty={
        <Empty icon={IconHistory} title={t('none')}>
          {t('noneHint')}
        </Empty>
      }
    />
  );
}
