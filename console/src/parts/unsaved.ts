import { createContext, useContext, useEffect } from 'react';
import { createStore, useStore } from '../session/store.js';

/** How long what was typed lasts: as long as the screen, or as long as the tab is open. */
type Lifetime = 'screen' | 'tab';

/** How long text typed in this part of the screen lasts. */
export const TypedFor = createContext<Lifetime>('screen');

/** How many forms have changes that are not saved, by their lifetime. */
const counts = createStore<Readonly<Record<Lifetime, number>>>({ screen: 0, tab: 0 });

/** Notes that a form has changes that are not saved. */
export function useUnsaved(isChanged: boolean): void {
  const lifetime = useContext(TypedFor);
  useEffect(() => {
    if (!isChanged) return;
    const add = (by: number) => counts.set({ ...counts.get(), [lifetime]: counts.get()[lifetime] + by });
    add(1);
    return () => add(-1);
  }, [isChanged, lifetime]);
}

/** Whether there are changes that are not saved. */
export function useIsUnsaved(): boolean {
  const { screen, tab } = useStore(counts);
  return screen + tab > 0;
}

/** Whether changes would be lost if the screen, or only its open tab, were left. */
export const isUnsaved = (left: Lifetime): boolean =>
  counts.get().tab > 0 || (left === 'screen' && counts.get().screen > 0);
