import { Button, Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Pages } from '../session/pages.js';
import { Screen } from '../shell/screen.js';
import { Empty } from './empty.js';
import { List, type ListProps } from './list.js';
import { SearchInput } from './search-input.js';

interface ListScreenProps<Data, Node extends { id: string }, Field extends string>
  extends Omit<ListProps<Node, Field>, 'label' | 'pages' | 'empty'> {
  title: string;
  pages: Pages<Data, Node>;
  icon: Icon;
  empty: { title: string; hint: string };
  /** the label of the search, whose text is `search` in the address */
  search?: string;
  /** inputs beside the search */
  filters?: ReactNode;
  /** buttons beside the title */
  actions?: ReactNode;
  /** the dialog that creates an object */
  create?: { title: string; isAllowed: boolean | undefined; dialog(onClose: () => void): ReactNode };
  /** what is below the list */
  children?: ReactNode;
}

/** The screen of a list: a search, the rows, and a dialog that creates one. */
export function ListScreen<Data, Node extends { id: string }, Field extends string>(
  props: ListScreenProps<Data, Node, Field>,
) {
  const { title, pages, icon, empty, search, filters, actions, create, children, ...list } = props;
  const { search: text } = useSearch({ strict: false }) as { search?: string };
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  return (
    <Screen
      title={title}
      loaded={pages}
      actions={
        <>
          {actions}
          {create?.isAllowed && <Button onClick={() => setCreating(true)}>{create.title}</Button>}
        </>
      }
    >
      {() => (
        <>
          {(search || filters) && (
            <Group gap="xs">
              {search && (
                <SearchInput
                  label={search}
                  value={text}
                  onChange={(next) =>
                    navigate({
                      to: '.',
                      search: ((before: object) => ({ ...before, search: next })) as never,
                      replace: true,
                    })
                  }
                />
              )}
              {filters}
            </Group>
          )}
          <List
            {...list}
            label={title}
            pages={pages}
            empty={
              <Empty icon={icon} title={empty.title}>
                {empty.hint}
              </Empty>
            }
          />
          {children}
          {isCreating && create?.dialog(() => setCreating(false))}
        </>
      )}
    </Screen>
  );
}
