import { useCallback } from 'react';
import { type MutationName, mutate, type Outcome } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';

/** Performs at once a mutation that can be undone, and shows its errors or what was done. `ReviewButton` asks before any other. */
export function useAct() {
  const notify = useNotify();
  return useCallback(
    async (act: () => Promise<Outcome<unknown>>, message: string, undo: () => Promise<Outcome<unknown>>) => {
      const { errors } = await act();
      if (errors.length > 0) notify.failed(errors);
      else notify.succeeded(message, undo);
      return errors.length === 0;
    },
    [notify],
  );
}

type Step = Extract<MutationName, `${string}Raise` | `${string}Lower`>;

/** Moves an object by some places, as the API does it: one at a time. It can be undone. */
export function useMove(raise: Step, lower: Step, reload: () => void) {
  const act = useAct();
  const t = useText(texts);
  return useCallback(
    async (id: string, name: string, by: number) => {
      const move = (places: number) => async (): Promise<Outcome<object>> => {
        let outcome: Outcome<object> = { data: undefined, errors: [] };
        for (let at = 0; at < Math.abs(places) && outcome.errors.length === 0; at += 1)
          outcome = await mutate(places < 0 ? raise : lower, { id });
        reload();
        return outcome;
      };
      await act(move(by), t('moved', { name }), move(-by));
    },
    [act, t, raise, lower, reload],
  );
}
