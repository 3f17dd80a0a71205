/** A committed write, as caches and subscriptions hear of it. */
export interface ChangeNotice {
  realmId: string;
  operation: string;
  eventId: string;
  touches: string[];
}

type Listener = (notice: ChangeNotice) => void;

export interface ChangeFeed {
  subscribe(listener: Listener): () => void;
  publish(notice: ChangeNotice): void;
  /** Says that this process is about to commit and publish the write of this event: it is not to be heard from outside. */
  announce(eventId: string): void;
  /** Whether the write of this event was announced or published lately. */
  knows(eventId: string): boolean;
}

const remembered = 10_000;

/**
 * The feed of this process; `relay.ts` adds what others commit. Listeners run at once and in order; one that throws does
 * not stop the others.
 */
export function createFeed(onError: (error: unknown) => void): ChangeFeed {
  const listeners = new Set<Listener>();
  const recent = new Set<string>();
  const announce = (eventId: string): void => {
    if (eventId === '') return;
    recent.add(eventId);
    const [oldest] = recent;
    if (recent.size > remembered && oldest !== undefined) recent.delete(oldest);
  };
  return {
    announce,
    knows: (eventId) => recent.has(eventId),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(notice) {
      announce(notice.eventId);
      for (const listener of listeners) {
        try {
          listener(notice);
        } catch (error) {
          onError(error);
        }
      }
    },
  };
}
