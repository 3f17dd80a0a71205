/** A committed write, as caches and subscriptions receive it. */
export interface ChangeNotice {
  realmId: string;
  operation: string;
  eventId: string;
  touches: string[];
}

/** `isOwn`: whether this process has committed the write. */
type Listener = (notice: ChangeNotice, isOwn: boolean) => void;

export interface ChangeFeed {
  subscribe(listener: Listener): () => void;
  /** For a write that this process has committed. */
  publish(notice: ChangeNotice): void;
  /** For a write that another process has committed. */
  receive(notice: ChangeNotice): void;
  /**
   * Announces that this process is about to commit and publish the write of this event, so that it is ignored when it
   * comes from outside.
   */
  announce(eventId: string): void;
  /** States that it is unknown whether this process has committed the write, so that it is accepted from outside. */
  retract(eventId: string): void;
  /** Whether the write of this event was announced or published lately. */
  knows(eventId: string): boolean;
}

const remembered = 10_000;

/**
 * Creates the feed of this process; `change-relay.ts` adds the commits of other processes. Listeners run at once and in
 * order. If one throws, the others still run.
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
  const pass = (notice: ChangeNotice, isOwn: boolean): void => {
    announce(notice.eventId);
    for (const listener of listeners) {
      try {
        listener(notice, isOwn);
      } catch (error) {
        onError(error);
      }
    }
  };
  return {
    announce,
    retract: (eventId) => recent.delete(eventId),
    knows: (eventId) => recent.has(eventId),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    publish: (notice) => pass(notice, true),
    receive: (notice) => pass(notice, false),
  };
}
