import type { GraphQLResolveInfo, SelectionSetNode } from 'graphql';

/**
 * Whether a request selects a field of the resolved object, directly or in a fragment. Fields that `@skip` excludes
 * count as selected.
 */
export function isSelected({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const seen = new Set<string>();
  const isIn = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((selection) => {
      if (selection.kind === 'Field') return selection.name.value === name;
      if (selection.kind === 'InlineFragment') return isIn(selection.selectionSet);
      const fragment = selection.name.value;
      if (seen.has(fragment)) return false;
      seen.add(fragment);
      return isIn(fragments[fragment]?.selectionSet);
    }) ?? false;
  return fieldNodes.some(({ selectionSet }) => isIn(selectionSet));
}
