import { DownloadMenu, saveFile } from '../parts/download-menu.js';
import type { Outcome } from '../session/graphql.js';
import type { Connection } from '../session/pages.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { csvOf } from './csv.js';
import { texts } from './text.js';

const most = 10_000;

type Page = Outcome<Connection<object> | null | undefined>;

interface ExportProps {
  name: string;
  page(after: string | null): Promise<Page>;
}

/** Saves the events that the filters leave, the newest first. */
export function ExportEvents({ name, page }: ExportProps) {
  const t = useText(texts);
  const notify = useNotify();
  const all = async () => {
    const events: object[] = [];
    let after: string | null = null;
    do {
      const { data, errors }: Page = await page(after);
      if (!data || errors.length > 0) {
        notify.failed(errors);
        return undefined;
      }
      events.push(...data.nodes);
      after = data.pageInfo.hasNextPage ? data.pageInfo.endCursor : null;
    } while (after !== null && events.length < most);
    if (after !== null) notify.succeeded(t('exportLimit', { count: events.length }));
    return events;
  };
  const saveJson = async () => {
    const events = await all();
    if (events) saveFile(`${name}.json`, `${JSON.stringify(events, null, 2)}\n`, 'application/json');
  };
  const saveCsv = async () => {
    const events = await all();
    if (events) saveFile(`${name}.csv`, csvOf(events), 'text/csv');
  };
  return (
    <DownloadMenu
      label={t('export')}
      files={[
        ['JSON', saveJson],
        ['CSV', saveCsv],
      ]}
    />
  );
}
