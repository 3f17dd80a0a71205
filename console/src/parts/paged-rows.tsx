import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pages } from '../session/pages.js';
import { Failure, Placeholder } from '../shell/screen.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';

interface PagedRowsProps {
  pages: Pages<unknown, unknown>;
  /** stands in place of the rows if there are none */
  empty?: ReactNode;
  /** the rows that are loaded */
  children: ReactNode;
}

/** The rows of a list that is loaded page by page, with how many there are in all. */
export function PagedRows({ pages, empty, children }: PagedRowsProps) {
  const t = useText(texts);
  const { nodes, hasMore, loadMore, isLoading, error } = pages;
  if (nodes.length === 0 && isLoading) return <Placeholder />;
  return (
    <>
      {error && <Failure loaded={pages} />}
      {nodes.length === 0 && !error && empty}
      {children}
      {nodes.length > 0 && (
        <Group>
          <LoadedCount pages={pages} />
          {hasMore && (
            <Button size="xs" loading={isLoading} onClick={loadMore}>
              {t('loadMore')}
            </Button>
          )}
        </Group>
      )}
    </>
  );
}

/** How many rows of a list are loaded, and how many there are. */
export function LoadedCount({ pages: { nodes, total } }: { pages: Pages<unknown, unknown> }) {
  const t = useText(texts);
  return (
    <Text c="dimmed" role="status">
      {total === undefined ? '' : t('shown', { shown: nodes.length, total })}
    </Text>
  );
}
