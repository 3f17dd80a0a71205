import { Stack, Text } from '@mantine/core';
import { defineAssignments, relatedPages } from '../parts/define-relation.js';
import { roleLabel } from '../parts/targets.js';
import { mutate, type Part } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { ScopeRoles } from './documents.js';
import { texts } from './texts.js';

/** A client or client scope, as its screen has loaded it. */
interface Owner {
  id: string;
  /** of a client: whether its tokens have all roles anyway */
  allowsFullScope?: boolean;
  viewerCan: { addScopeMapping: { isAllowed: boolean } };
}

const ScopeRoleList = defineAssignments({
  pages: relatedPages(ScopeRoles, ({ scopeRoles }) => scopeRoles),
  nameOf: (role) => roleLabel(role),
  kind: 'role',
  label: texts.addScopeRole,
  empty: texts.noScopeRoles,
  isAllowed: ({ viewerCan }: Owner) => viewerCan.addScopeMapping.isAllowed,
  add: (owner, role) => mutate('scopeMappingAdd', { owner, roles: [role] }),
  remove: (owner, role) => mutate('scopeMappingRemove', { owner, roles: [role] }),
});

/** The roles that tokens of a client, or of clients with a client scope, may contain if the user has them. */
export function ScopeMappings({ node }: Part<Owner>) {
  const t = useText(texts);
  return (
    <Stack>
      <Text>{t(node.allowsFullScope ? 'fullScope' : 'scopeMappingsHint')}</Text>
      <ScopeRoleList node={node} />
    </Stack>
  );
}
