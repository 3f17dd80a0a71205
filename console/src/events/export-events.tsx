import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { saveFile } from '../parts/save-file.js';
import type { Outcome } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { csvOf } from './csv.js';
import { texts } from './text.js';

const most = 10_000;

/** A page of events, as both lists have it. */
interface EventPage {
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  edges: { node: object }[];
}

interface ExportProps {
  name: string;
  page(after: string | null): Promise<Outcome<EventPage | null | undefined>>;
}

/** Saves the events that the filters leave, the newest first. */
export function ExportEvents({ name, page }: ExportProps) {
  const t = useText(texts);
  const notify = useNotify();
  const [isRunning, setRunning] = useState(false);
  const all = async () => {
    const events: object[] = [];
    let after: string | null = null;
    do {
      const { data, errors }: Outcome<EventPage | null | undefined> = await page(after);
      if (!data || errors.length > 0) {
        notify.failed(errors);
        return undefined;
      }
      events.push(...data.edges.map(({ node }) => node));
      after = data.pageInfo.hasNextPage ? data.pageInfo.endCursor : null;
    } while (after !== null && events.length < most);
    if (after !== null) notify.succeeded(t('exportLimit', { count: events.length }));
    return events;
  };
  const save = async (format: 'json' | 'csv') => {
    setRunning(true);
    const events = await all().finally(() => setRunning(false));
    if (!events) return;
    if (format === 'json') saveFile(`${name}.json`, `${JSON.stringify(events, null, 2)}\n`, 'application/json');
    else saveFile(`${name}.csv`, csvOf(events), 'text/csv');
  };
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" loading={isRunning} leftSection={<IconDownload size={16} aria-hidden />}>
          {t('export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save('json')}>JSON</Menu.Item>
        <Menu.Item onClick={() => save('csv')}>CSV</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
