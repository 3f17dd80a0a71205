import type { TypedDocument } from '../../../client/src/document.js';
import { type NodeOf, nodeOf, type Outcome } from '../session/graphql.js';
import { type Connection, type Pages, usePages } from '../session/pages.js';
import { type Text, useText, useTranslated } from '../text/text.js';
import { IconUsers, IconUsersGroup } from './icons.js';
import { type Column, RelationList } from './list.js';
import { Assignments } from './rows.js';
import { routes } from './target-kinds.js';
import { texts } from './texts.js';

interface RelationData {
  node?: object | null;
}

interface RelationPage {
  id: string;
  first: number;
  after?: string | null;
  isFirst: boolean;
}

/** The objects that another one has, page by page. */
interface RelatedPages<Node> {
  useRows(owner: string): Pages<unknown, Node>;
}

/** The query that loads the objects: a document of `tools/made-pages.mjs` such as `GroupMembers`, and the list in the data of their owner. */
export const relatedPages = <Data extends RelationData, Node>(
  document: TypedDocument<Data, RelationPage>,
  listOf: (owner: NodeOf<Data>) => Connection<Node> | null | undefined,
): RelatedPages<Node> => ({
  useRows: (id) =>
    usePages(document, { id }, ({ node }) => {
      const owner = nodeOf<NonNullable<Data['node']>>(node);
      return owner && listOf(owner);
    }),
});

interface Relation<Node> {
  pages: RelatedPages<Node>;
  nameOf(node: NoInfer<Node>): string;
  empty: Text;
}

interface AssignmentTab<Owner, Node> extends Relation<Node> {
  kind: keyof typeof routes;
  /** the label of the field that adds an object */
  label: Text;
  isAllowed(owner: Owner): boolean;
  /** whether only the roles are offered that the owner may get */
  isOwner?: boolean;
  add(owner: string, id: string): Promise<Outcome<unknown>>;
  remove(owner: string, id: string): Promise<Outcome<unknown>>;
}

/** Declares a tab with the objects that another one has, which are added and removed one by one. */
export const defineAssignments = <Owner extends { id: string }, Node extends { id: string }>(
  tab: AssignmentTab<Owner, Node>,
) =>
  function AssignmentsTab({ node: owner }: { node: Owner }) {
    const translate = useTranslated();
    const { id } = owner;
    return (
      <Assignments
        pages={tab.pages.useRows(id)}
        nameOf={tab.nameOf}
        kind={tab.kind}
        {...(tab.isOwner && { owner: id })}
        label={translate(tab.label)}
        empty={translate(tab.empty)}
        isAllowed={tab.isAllowed(owner)}
        add={(other) => tab.add(id, other)}
        remove={(other) => tab.remove(id, other)}
      />
    );
  };

const icons = { user: IconUsers, group: IconUsersGroup };

interface ListTab<Node> extends Relation<Node> {
  kind: keyof typeof icons;
  columns: readonly Column<NoInfer<Node>, never>[];
}

/** Declares a tab with a list of the users or groups of another object, of which there may be any number. */
export const defineRelationList = <Node extends { id: string }>(tab: ListTab<Node>) =>
  function RelationListTab({ node: { id } }: { node: { id: string } }) {
    const t = useText(texts);
    const translate = useTranslated();
    const { kind, columns, nameOf } = tab;
    return (
      <RelationList
        label={t(`${kind}s`)}
        pages={tab.pages.useRows(id)}
        columns={columns}
        nameOf={nameOf}
        to={routes[kind]}
        icon={icons[kind]}
        empty={translate(tab.empty)}
      />
    );
  };
