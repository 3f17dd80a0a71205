import { directUrl } from '../../config/database-hosts.js';
import type { ChangeListener } from '../../database/changes.js';
import type { Fence } from '../../database/fence.js';
import { listenToChanges } from '../../database/listen.js';
import type { Services } from './context.js';

/**
 * Brings the commits of other processes on the same database to the feed of this process, and announces its own commits
 * to them. It runs until the returned function is called. While the connection for this is lost, caches still expire
 * after a second.
 */
export async function startRelay(
  { config, feed, log }: Pick<Services, 'config' | 'feed' | 'log'>,
  fence: Fence,
): Promise<() => Promise<void>> {
  const listener: ChangeListener = {
    knows: feed.knows,
    skip: feed.announce,
    receive: ({ realmId, operation, eventId, touches }) => feed.receive({ realmId, operation, eventId, touches }),
    failed: (error) => log.warn({ err: error }, 'change notifications of other processes are not received; retrying'),
  };
  const { tell, close } = await listenToChanges(directUrl(config), listener, fence);
  const unsubscribe = feed.subscribe(({ eventId }, isOwn) => {
    if (isOwn && eventId !== '') tell();
  });
  return async () => {
    unsubscribe();
    await close();
  };
}
