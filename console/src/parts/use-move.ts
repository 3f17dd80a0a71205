import { useCallback } from 'react';
import type { Outcome } from '../session/graphql.js';
import { type MutationName, mutate } from '../session/mutate.js';
import { useText } from '../text/text.js';
import { partTexts } from './text.js';
import { useAct } from './use-act.js';

type Step = Extract<MutationName, `${string}Raise` | `${string}Lower`>;

/** Moves an object by some places, as the API does it: one at a time. It can be undone. */
export function useMove(raise: Step, lower: Step, reload: () => void) {
  const act = useAct();
  const t = useText(partTexts);
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
