import type { Icon } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ObjectRoute } from './cells.js';
import { Empty } from './empty.js';
import { List, type ListProps } from './list.js';

interface RelationListProps<Node extends { id: string }> extends Omit<ListProps<Node, never>, 'onOpen' | 'empty'> {
  icon: Icon;
  empty: string;
  /** the screen of a row */
  to: ObjectRoute;
}

/** The objects of a relation, of which there may be any number. Each leads to its screen. */
export function RelationList<Node extends { id: string }>({ icon, empty, to, ...list }: RelationListProps<Node>) {
  const navigate = useNavigate();
  const { realm } = useParams({ from: '/$realm' });
  return (
    <List
      {...list}
      onOpen={({ id }) => navigate({ to, params: { realm, id } })}
      empty={<Empty icon={icon} title={empty} />}
    />
  );
}
