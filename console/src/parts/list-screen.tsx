import { Button } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Pages } from '../session/pages.js';
import type { Area } from '../shell/areas.js';
import { Screen } from '../shell/screen.js';
import { useTranslated } from '../text/text.js';
import { type Sort, useChange } from './address.js';
import { type BulkAction, BulkActions } from './bulk-actions.js';
import { createdIn, FormDialog, type FormDialogProps } from './dialogs.js';
import { EmptyList } from './empty-list.js';
import { Filters, type FiltersProps } from './filters.js';
import { List, type ListProps } from './list.js';
import { useListView } from './list-view.js';
import { SavedViews } from './saved-views.js';
import { SecretDialog } from './secret-dialog.js';
import { useSelection } from './selection.js';
import type { ObjectRoute } from './target-kinds.js';

/** The dialog that creates an object, which is opened then unless `onDone` does something else. */
export interface Creation<Data extends object> extends Omit<FormDialogProps<Data>, 'onClose' | 'undo'> {
  isAllowed: boolean | undefined;
  /** the ID by which it is opened, by default that of the object in the payload */
  idOf?(data: Data | undefined): Promise<string | undefined>;
  /** loads the secret of the new object, which is shown before the object is opened; `secretHint` explains it */
  secretOf?(data: Data | undefined): Promise<string | null | undefined>;
  secretHint?: string;
}

interface ListScreenProps<Data, Node extends { id: string }, Field extends string, Created extends object>
  extends Omit<ListProps<Node, Field>, 'label' | 'pages' | 'empty' | 'onSort' | 'selection' | 'onSelect' | 'onOpen'>,
    FiltersProps {
  area: Area;
  pages: Pages<Data, Node>;
  empty: { title: string; hint: string };
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

/** The screen of a list: a search, the rows, and a dialog that creates one. Search and order are in the address. */
export function ListScreen<Data, Node extends { id: string }, Field extends string, Created extends object>(
  props: ListScreenProps<Data, Node, Field, Created>,
) {
  const { area, pages, empty, search, filters, isTitled, tools, others, ...rest } = props;
  const { actions, create, bulk, to, onOpen, children, ...list } = rest;
  const title = useTranslated()(area.title);
  const view = useListView(area.title.key, list.columns);
  const address: Record<string, unknown> = useSearch({ strict: false });
  const place = JSON.stringify(address);
  const { realm } = useParams({ from: '/$realm' });
  const change = useChange<{ sort: Sort<Field> }>();
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<{ id: string; secret: string }>();
  const { selection, select, clear, rest: unloaded } = useSelection(pages, place);
  const open = ({ id }: { id: string }) => to && navigate({ to, params: { realm, id } });
  const openCreated =
    ({ idOf = async (data) => createdIn(data), secretOf }: Creation<Created>) =>
    async (data: Created | undefined) => {
      const id = await idOf(data);
      const secret = await secretOf?.(data);
      if (id && secret) setCreated({ id, secret });
      else if (id) open({ id });
    };
  return (
    <Screen
      title={title}
      loaded={pages}
      actions={
        <>
          {actions}
          {create?.isAllowed && (
            <Button variant="filled" onClick={() => setCreating(true)}>
              {create.title}
            </Button>
          )}
        </>
      }
    >
      {() => (
        <>
          <Filters
            search={search}
            filters={filters}
            isTitled={isTitled}
            tools={
              <>
                {tools}
                {search && <SavedViews name={area.title.key} />}
                {view.menu}
              </>
            }
            others={others}
          />
          <List
            {...list}
            // rows of another height are laid out anew
            key={String(view.isDense)}
            columns={view.columns}
            isDense={view.isDense}
            label={title}
            pages={pages}
            {...(bulk && { selection, onSelect: select })}
            onSort={(sort) => change({ sort })}
            onOpen={onOpen ?? open}
            empty={
              <EmptyList
                area={area}
                {...empty}
                isFiltered={['search', ...(others ?? []), ...(filters ?? []).map(({ key }) => key)].some(
                  (key) => address[key] !== undefined,
                )}
                create={create?.isAllowed ? create.title : undefined}
              />
            }
          />
          {bulk && (
            <BulkActions
              {...bulk}
              nodes={pages.nodes.filter(({ id }) => selection.has(id))}
              nameOf={list.nameOf}
              rest={unloaded}
              onDone={() => {
                clear();
                pages.reload();
              }}
              onClear={clear}
            />
          )}
          {children}
          {create && isCreating && (
            <FormDialog onDone={openCreated(create)} {...create} onClose={() => setCreating(false)} />
          )}
          {created && (
            <SecretDialog secret={created.secret} hint={create?.secretHint ?? ''} onClose={() => open(created)} />
          )}
        </>
      )}
    </Screen>
  );
}
