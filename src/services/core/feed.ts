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
}

/** The feed within this process. Listeners run at once and in order; one that throws does not stop the others. */
export function createFeed(onError: (error: unknown) => void): ChangeFeed {
  const listeners = new Set<Listener>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish(notice) {
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
