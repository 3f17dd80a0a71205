import { Button } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Pages } from '../session/pages.js';
import type { Area } from '../shell/areas.js';
import { useNotify } from '../shell/notify.js';
import { Screen } from '../shell/screen.js';
import { useText, useTranslated } from '../text/text.js';
import { type Sort, useChange } from './address.js';
import { type BulkAction, BulkActions } from './bulk-actions.js';
import type { ObjectRoute } from './cells.js';
import { Empty } from './empty.js';
import { type Filter, Filters } from './filters.js';
import { FormDialog, type FormDialogProps } from './form-dialog.js';
import { List, type ListProps } from './list.js';
import { partTexts } from './text.js';

/** An object that was created. If it has a name, it is told. */
interface Made {
  id: string;
  name?: string | null;
}

/** The dialog that creates an object, which is opened then. */
interface Creation<Data extends object> extends Omit<FormDialogProps<Data>, 'onClose' | 'done' | 'undo' | 'onDone'> {
  isAllowed: boolean | undefined;
  /** the object that was created; without it, `onDone` decides */
  madeOf?(data: Data | undefined): Made | null | undefined | Promise<Made | null | undefined>;
  onDone?(data: Data | undefined): void;
}

interface ListScreenProps<Data, Node extends { id: string }, Field extends string, Created extends object>
  extends Omit<ListProps<Node, Field>, 'label' | 'pages' | 'empty' | 'onSort' | 'selection' | 'onSelect' | 'onOpen'> {
  area: Area;
  pages: Pages<Data, Node>;
  empty: { title: string; hint: string };
  /** the label of the search, whose text is `search` in the address */
  search?: string;
  filters?: readonly Filter[];
  /** inputs beside the search and the filters */
  tools?: ReactNode;
  /** buttons beside the title */
  actions?: ReactNode;
  create?: Creation<Created>;
  /** what can be done with rows that are selected, and what they are called together */
  bulk?: { things: string; actions: readonly BulkAction<Node>[] };
  /** the screen of a row, unless `onOpen` shows it */
  to?: ObjectRoute;
  onOpen?(node: Node): void;
  /** what is below the list */
  children?: ReactNode;
}

const noIds: ReadonlySet<string> = new Set();

/** The screen of a list: a search, the rows, and a dialog that creates one. Search and order are in the address. */
export function ListScreen<Data, Node extends { id: string }, Field extends string, Created extends object>(
  props: ListScreenProps<Data, Node, Field, Created>,
) {
  const { area, pages, empty, search, filters, tools, actions, create, bulk, to, onOpen, children, ...list } = props;
  const title = useTranslated()(area.title);
  const place = JSON.stringify(useSearch({ strict: false }));
  const { realm } = useParams({ from: '/$realm' });
  const change = useChange<{ sort: Sort<Field> }>();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [selected, setSelected] = useState({ at: place, ids: noIds });
  // what was selected by other filters may be out of sight
  const selection = selected.at === place ? selected.ids : noIds;
  const select = (ids: ReadonlySet<string>) => setSelected({ at: place, ids });
  const open = ({ id }: { id: string }) => to && navigate({ to, params: { realm, id } });
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
            <Filters search={search} {...(filters && { filters })}>
              {tools}
            </Filters>
          )}
          <List
            {...list}
            label={title}
            pages={pages}
            {...(bulk && { selection, onSelect: select })}
            onSort={(sort) => change({ sort })}
            onOpen={onOpen ?? open}
            empty={<Empty icon={area.icon} {...empty} />}
          />
          {bulk && (
            <BulkActions
              {...bulk}
              nodes={pages.nodes.filter(({ id }) => selection.has(id))}
              nameOf={list.nameOf}
              onDone={() => {
                select(noIds);
                pages.reload();
              }}
              onClear={() => select(noIds)}
            />
          )}
          {children}
          {create && isCreating && <Create {...create} onMade={open} onClose={() => setCreating(false)} />}
        </>
      )}
    </Screen>
  );
}

/** The dialog that creates an object. */
function Create<Data extends object>({
  isAllowed: _,
  madeOf,
  onDone,
  onMade,
  ...dialog
}: Creation<Data> & { onMade(made: Made): void; onClose(): void }) {
  const t = useText(partTexts);
  const notify = useNotify();
  const finish = async (data: Data | undefined) => {
    onDone?.(data);
    const made = await madeOf?.(data);
    if (!made) return;
    if (made.name) notify.succeeded(t('created', { name: made.name }));
    onMade(made);
  };
  return <FormDialog {...dialog} onDone={finish} />;
}
