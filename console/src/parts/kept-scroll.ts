import { type RefObject, type UIEvent, useLayoutEffect, useRef } from 'react';
import { createKept } from '../session/kept.js';

const useKept = createKept<number>();

/** Scrolls a list to where it was before one went on to another screen, once enough of its rows are there. */
export function useKeptScroll(frame: RefObject<HTMLElement | null>, name: string, rows: number, isLoading: boolean) {
  const [kept, keep] = useKept(name);
  const wanted = useRef(kept);
  useLayoutEffect(() => {
    if (!wanted.current || !frame.current) return;
    frame.current.scrollTop = wanted.current;
    const isThere = frame.current.scrollTop >= wanted.current - 1;
    if (isThere || !isLoading) wanted.current = undefined;
  }, [frame, rows, isLoading]);
  return ({ currentTarget }: UIEvent<HTMLElement>) => keep(currentTarget.scrollTop);
}
