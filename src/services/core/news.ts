/** Tells a loop that there are changes. */
export interface News {
  wake(): void;
  /** Whether there is something new since the last time that this was asked. */
  take(): boolean;
  /** Resolves when there is something new, or at once if there is already; else after `milliseconds`, or when the service stops. */
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
