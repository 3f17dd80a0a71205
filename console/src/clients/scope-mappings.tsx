import { Stack, Text } from '@mantine/core';
import { Assignments } from '../parts/rows.js';
import { roleLabel } from '../parts/targets.js';
import { mutate, nodeOf, type Part } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
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

/** The roles that tokens of a client, or of clients with a client scope, may contain if the user has them. */
export function ScopeMappings({ node: { id: owner, allowsFullScope, viewerCan } }: Part<Owner>) {
  const t = useText(texts);
  const pages = usePages(ScopeRoles, { id: owner }, ({ node }) => nodeOf(node)?.scopeRoles);
  return (
    <Stack>
      <Text>{t(allowsFullScope ? 'fullScope' : 'scopeMappingsHint')}</Text>
      <Assignments
        pages={pages}
        nameOf={(role) => roleLabel(role)}
        kind="role"
        label={t('addScopeRole')}
        empty={t('noScopeRoles')}
        isAllowed={viewerCan.addScopeMapping.isAllowed}
        add={(role) => mutate('scopeMappingAdd', { owner, roles: [role] })}
        remove={(role) => mutate('scopeMappingRemove', { owner, roles: [role] })}
      />
    </Stack>
  );
}
