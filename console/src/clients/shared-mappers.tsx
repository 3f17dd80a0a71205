import { Stack, Text } from '@mantine/core';
import { ObjectLink } from '../parts/display.js';
import { PagedRows } from '../parts/paged-rows.js';
import { Row, RowSection } from '../parts/rows.js';
import { nodeOf, useLoad } from '../session/graphql.js';
import { asPages } from '../session/pages.js';
import { useText, useValueName } from '../text/text.js';
import type { ClientPart } from './client-tabs.js';
import { SharedMappers as Document } from './documents.js';
import { Mappers } from './mappers.js';
import { texts } from './text.js';

/** The protocol mappers of a client: its own ones, and apart from them those of its default client scopes. */
export function ClientMappers({ node: client, reload }: ClientPart) {
  const t = useText(texts);
  const valueName = useValueName();
  const loaded = useLoad(Document, { id: client.id });
  const found = nodeOf(loaded.data?.node);
  const scopes = new Map(found?.defaultClientScopes?.nodes.map(({ id, name }) => [name, id]));
  // mappers without a scope are those of the client
  const shared = found?.evaluateScopes?.protocolMappers.filter(
    ({ clientScopeName: scope }) => scope && scopes.has(scope),
  );
  return (
    <Stack maw={760}>
      <RowSection title={t('dedicated')}>
        <Mappers node={client} reload={reload} />
      </RowSection>
      <RowSection title={t('shared')}>
        <Text>{t('sharedHint')}</Text>
        <PagedRows pages={asPages(loaded, shared)} empty={<Text c="dimmed">{t('noMappers')}</Text>}>
          {shared?.map(({ name, type, clientScopeName: scope }) => (
            <Row
              key={`${scope} ${name}`}
              name={name}
              hint={type && valueName(type)}
              actions={
                <ObjectLink to="/$realm/client-scopes/$id" id={scopes.get(scope ?? '') ?? ''} underline="always">
                  {scope}
                </ObjectLink>
              }
            />
          ))}
        </PagedRows>
      </RowSection>
    </Stack>
  );
}
