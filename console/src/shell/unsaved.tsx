import { useBlocker } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { isUnsaved } from '../parts/unsaved.js';

const LeaveDialog = lazy(() => import('./leave-dialog.js').then(({ LeaveDialog }) => ({ default: LeaveDialog })));

/** Asks before a screen or a tab is left whose changes are not saved. */
export function Unsaved() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname ? isUnsaved('screen') : tabIn(current) !== tabIn(next) && isUnsaved('tab'),
    enableBeforeUnload: () => isUnsaved('screen'),
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <Suspense>
      <LeaveDialog onLeave={proceed} onStay={reset} />
    </Suspense>
  );
}

const tabIn = ({ search }: { search: object }): unknown => ('tab' in search ? search.tab : undefined);
