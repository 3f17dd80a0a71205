import { useCallback } from 'react';
import type { Outcome } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';

/** Performs a mutation of a tab: shows its errors, or what was done, which can be undone if `undo` is given. */
export function useAct() {
  const notify = useNotify();
  return useCallback(
    async (act: () => Promise<Outcome<unknown>>, message: string, undo?: () => Promise<Outcome<unknown>>) => {
      const { errors } = await act();
      if (errors.length > 0) notify.failed(errors);
      else notify.succeeded(message, undo);
      return errors.length === 0;
    },
    [notify],
  );
}
