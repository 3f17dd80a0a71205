/** Tells a loop that there are changes. */
export interface News {
  wake(): void;
  /** Whether anything has changed since the last call. */
  take(): boolean;
  /**
   * Resolves when something changes, or at once if it already has; else after `milliseconds`, or when the service
   * stops.
   */
  wait(milliseconds: number): Promise<void>;
}

/** Creates the signal that a stream of states waits for. The first wait ends at once. */
export function newsUntil(stopping: AbortSignal): News {
  let isFresh = true;
  let end = (): void => undefined;
  return {
    wake() {
      isFresh = true;
      end();
    },
    take() {
      const was = isFresh;
      isFresh = false;
      return was;
    },
    wait: (milliseconds) =>
      new Promise((resolve) => {
        end = () => {
          clearTimeout(timer);
          stopping.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        stopping.addEventListener('abort', end);
        if (isFresh || stopping.aborted) end();
      }),
  };
}
