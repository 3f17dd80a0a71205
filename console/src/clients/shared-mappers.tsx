import { Stack, Text } from '@mantine/core';
import { ObjectLink } from '../parts/display.js';
import { PagedRows } from '../parts/paged-rows.js';
import { Row, RowSection } from '../parts/rows.js';
import { nodeOf } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText, useValueName } from '../text/text.js';
import type { ClientPart } from './client-tabs.js';
import { SharedMappers } from './documents.js';
import { Mappers } from './mappers.js';
import { texts } from './texts.js';

/** The protocol mappers of a client: its own ones, and apart from them those of its default client scopes. */
export function ClientMappers({ node: client, reload }: ClientPart) {
  const t = useText(texts);
  const valueName = useValueName();
  const pages = usePages(SharedMappers, { id: client.id }, ({ node }) => nodeOf(node)?.defaultClientScopes);
  return (
    <Stack maw={760}>
      <RowSection title={t('dedicated')}>
        <Mappers node={client} reload={reload} />
      </RowSection>
      <RowSection title={t('shared')}>
        <Text>{t('sharedHint')}</Text>
        <PagedRows pages={pages} empty={<Text c="dimmed">{t('noMappers')}</Text>}>
          {pages.nodes.flatMap((scope) =>
            scope.protocolMappers?.nodes.map(({ id, name, type }) => (
              <Row
                key={id}
                name={name}
                hint={type && valueName(type)}
                actions={
                  <ObjectLink to="/$realm/client-scopes/$id" id={scope.id} underline="always">
                    {scope.name}
                  </ObjectLink>
                }
              />
            )),
          )}
        </PagedRows>
      </RowSection>
    </Stack>
  );
}
