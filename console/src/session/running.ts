import { useCallback, useState } from 'react';

/** Whether something that a person has started is still running, and what runs it. */
export function useRunning(): [boolean, <Result>(work: () => Promise<Result>) => Promise<Result>] {
  const [isRunning, setRunning] = useState(false);
  const whileRunning = useCallback(async <Result>(work: () => Promise<Result>) => {
    setRunning(true);
    try {
      return await work();
    } finally {
      setRunning(false);
    }
  }, []);
  return [isRunning, whileRunning];
}
