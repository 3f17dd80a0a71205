import { type RefObject, type UIEvent, useLayoutEffect, useRef } from 'react';
import { createKept } from '../session/kept.js';

const useKept = createKept<number>();

/** Scrolls a list to where it was before one went on to another screen, once enough of its rows are there. */
export function useKeptScroll(frame: RefObject<HTMLElement | null>, name: string, rows: number, isLoading: boolean) {
  const [kept, keep] = useKept(name);
  const wanted = useRef(kept);
  useLayoutEffect(() => {
    if (wanted.current === undefined || !frame.current) return;
    frame.current.scrollTop = wanted.current;
    const isThere = frame.current.scrollTop >= wanted.current - 1;
    if (isThere || !isLoading) wanted.current = undefined;
  }, [frame, rows, isLoading]);
  return ({ currentTarget }: UIEvent<HTMLElement>) => {
    // until its rows are there, a list is where it can be, which is not where it was
    if (wanted.current === undefined) keep(currentTarget.scrollTop);
  };
}
