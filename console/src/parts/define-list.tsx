import { useParams, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { TypedDocument } from '../../../client/src/document.js';
import type { Outcome } from '../session/graphql.js';
import { type Connection, type Pages, usePages } from '../session/pages.js';
import { type Area, useMay } from '../shell/areas.js';
import type { Permission } from '../shell/documents.js';
import { type Text, useWords, type Words } from '../text/text.js';
import { oneOf, orderOf, type Sort, text } from './address.js';
import type { BulkAction } from './bulk-actions.js';
import type { FieldValues, FormField } from './fields.js';
import type { Filter } from './filters.js';
import type { Column } from './list.js';
import { type Creation, ListScreen } from './list-screen.js';
import { useListView } from './list-view.js';
import type { ObjectRoute } from './target-kinds.js';
import { texts } from './texts.js';

/** The variables of the document of each list of a realm. */
interface RealmPage {
  realm: string;
  first: number;
  after?: string | null;
  isFirst: boolean;
}

interface RealmData {
  realm: { id: string } | null;
}

type Order<Field extends string> = ReturnType<typeof orderOf<Field>>;

type RealmOf<Data extends RealmData> = NonNullable<Data['realm']>;

/** The values of the address as they are given. */
export type Address = Readonly<Record<string, unknown>>;

/** The rows of a list of a realm, as its address asks for them. */
interface PageSource<Data extends RealmData, Node, Field extends string> {
  standard: Sort<Field> | undefined;
  useRows(realm: string, sort: Sort<Field> | undefined, address: Address, shown: Shown): Pages<Data, Node>;
}

/**
 * What a list is loaded by: a document of `tools/made-pages.mjs` or one that takes the same variables, and the list in the data of the
 * realm, with pages or as a whole. `variables` are those for what is searched, the order, and the values of the address, of which
 * each is read by a reader such as `flag`, and the columns that are shown.
 */
export const pagesOf = <Data extends RealmData, Node, Field extends string = never, Given extends object = object>(
  document: TypedDocument<Data, RealmPage & Given>,
  listOf: (realm: RealmOf<Data>) => Connection<Node> | readonly Node[] | null | undefined,
  variables: (search: string | undefined, orderBy: Order<Field> | undefined, address: Address, shown: Shown) => Given,
  order?: { standard: Sort<Field> },
): PageSource<Data, Node, Field> => ({
  standard: order?.standard,
  useRows(realm, sort, address, shown) {
    const given = variables(text(address.search), sort && orderOf(sort), address, shown);
    return usePages(document, { realm, ...given }, ({ realm: found }) => found && asConnection(listOf(found)));
  },
});

/** The keys of the columns that are shown. */
type Shown = ReadonlySet<string>;

/** The input of filters: the values of the address, the loaded data, and the permissions of the caller. */
export interface Filtered<Data extends RealmData> extends Words {
  address: Address;
  realm: RealmOf<Data> | undefined;
  may(permission: Permission): boolean;
}

/** The order of a list by default. Its other orders are those of its columns. */
export const orderedBy = <Field extends string>(standard: Sort<Field>) => ({ standard });

/** The dialog that creates an object. */
interface DeclaredCreation<Data extends RealmData, Created extends object>
  extends Pick<Creation<Created>, 'start' | 'secretOf' | 'help'> {
  title: Text;
  isAllowed(realm: RealmOf<Data>): boolean | undefined;
  fields: readonly FormField[] | ((values: FieldValues, words: Words) => readonly FormField[]);
  /** creates it in the realm with the ID, or in another object that contains it */
  submit(container: string, input: FieldValues, realm: string): Promise<Outcome<Created>>;
  containerOf?(realm: RealmOf<Data>): { id: string };
  /** the value of the input that names the new object in the message that it is created */
  named?: string;
  secretHint?: Text;
  /** the ID by which it is opened, by default that of the object in the payload */
  idOf?(data: Created | undefined, realm: string): Promise<string | undefined>;
}

interface ListDeclaration<
  Data extends RealmData,
  Node extends { id: string },
  Field extends string,
  Created extends object,
> {
  area: Area;
  pages: PageSource<Data, Node, Field>;
  columns: readonly Column<NoInfer<Node>, NoInfer<Field>>[];
  nameOf(node: NoInfer<Node>): string;
  /** what stands in place of an empty list */
  empty: readonly [title: Text, hint: Text];
  /** the label of the search, if there is one */
  search?: Text;
  filters?(given: Filtered<Data>): readonly Filter[];
  /** inputs beside the filters */
  tools?: ReactNode;
  /** buttons beside the title */
  actions?(realm: RealmOf<Data>, reload: () => void): ReactNode;
  /** actions on the selected rows in the realm with the ID, and a word for several rows */
  bulk?: { things: Text; actions(realm: string): readonly BulkAction<NoInfer<Node>>[] };
  create?: DeclaredCreation<Data, Created>;
  /** the screen of a row, or the dialog that shows it */
  to?: ObjectRoute;
  dialog?(node: NoInfer<Node>, onClose: () => void, reload: () => void): ReactNode;
}

/** Makes the screen of a list of a realm from its declaration. */
export function defineList<
  Data extends RealmData,
  Node extends { id: string },
  Field extends string,
  Created extends object,
>(list: ListDeclaration<Data, Node, Field, Created>): () => ReactNode {
  const { area, pages: source, columns, nameOf, search, tools, bulk, to, dialog } = list;
  const sorts = columns.flatMap(({ sort }): Sort<Field>[] => (sort ? [sort, `-${sort}`] : []));
  const sortOf = oneOf(...sorts);
  return function DeclaredList() {
    const words = useWords();
    const { translate } = words;
    const { realm: name } = useParams({ from: '/$realm' });
    const may = useMay(name);
    const address: Address = useSearch({ strict: false });
    const sort = sortOf(address.sort) ?? source.standard;
    const [opened, setOpened] = useState<Node>();
    const known = columns.filter(({ permission }) => !permission || may(permission));
    const view = useListView(area.title.key, known);
    const pages = source.useRows(name, sort, address, new Set(view.columns.map(({ key }) => key)));
    const realm = pages.data?.realm ?? undefined;
    const [title, hint] = list.empty;
    const create = list.create && creationOf(list.create, realm, name, words);
    return (
      <ListScreen
        area={area}
        pages={pages}
        search={search && translate(search)}
        filters={list.filters?.({ ...words, address, realm, may })}
        tools={tools}
        empty={{ title: translate(title), hint: translate(hint) }}
        columns={known}
        nameOf={nameOf}
        sort={sort}
        {...(bulk && { bulk: { things: translate(bulk.things), actions: bulk.actions(realm?.id ?? '') } })}
        actions={realm && list.actions?.(realm, pages.reload)}
        {...(create && { create })}
        {...(to && { to })}
        {...(dialog && { onOpen: setOpened })}
      >
        {opened && dialog?.(opened, () => setOpened(undefined), pages.reload)}
      </ListScreen>
    );
  };
}

/** A list that the API answers as a whole, in the form of a page. */
const asConnection = <Node,>(list: Connection<Node> | readonly Node[] | null | undefined): Connection<Node> | null =>
  !list || 'nodes' in list
    ? (list ?? null)
    : { nodes: [...list], totalCount: list.length, pageInfo: { hasNextPage: false, endCursor: null } };

/** The dialog of a declaration, for the realm that was loaded. */
function creationOf<Data extends RealmData, Created extends object>(
  create: DeclaredCreation<Data, Created>,
  realm: RealmOf<Data> | undefined,
  name: string,
  words: Words,
): Creation<Created> {
  const { title, fields, named, start, secretOf, secretHint, idOf, help } = create;
  const { translate } = words;
  return {
    title: translate(title),
    isAllowed: realm && create.isAllowed(realm),
    fields: typeof fields === 'function' ? (values) => fields(values, words) : fields,
    ...(start && { start }),
    ...(help && { help }),
    submit: (input) => create.submit((realm && (create.containerOf?.(realm) ?? realm))?.id ?? '', input, name),
    ...(named && { done: (_, input) => translate(texts.created, { name: String(input[named]) }) }),
    ...(secretOf && { secretOf }),
    ...(secretHint && { secretHint: translate(secretHint) }),
    ...(idOf && { idOf: (data) => idOf(data, name) }),
  };
}
