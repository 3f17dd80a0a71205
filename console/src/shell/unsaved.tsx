import { useBlocker } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { isUnsaved, useIsUnsaved } from '../parts/unsaved.js';
import { lazyPart, loadShown } from '../text/lazy.js';

const load = () => import('./leave-dialog.js');
const LeaveDialog = lazyPart(load, 'LeaveDialog');

/** Asks before a screen or a tab is left whose changes are not saved. */
export function Unsaved() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      current.pathname !== next.pathname ? isUnsaved('screen') : tabIn(current) !== tabIn(next) && isUnsaved('tab'),
    enableBeforeUnload: () => isUnsaved('screen'),
    withResolver: true,
  });
  const hasChanges = useIsUnsaved();
  useEffect(() => {
    // the question can be shown without a connection only by what was loaded before
    if (hasChanges) void loadShown(load);
  }, [hasChanges]);
  if (status !== 'blocked') return null;
  return (
    <Suspense>
      <LeaveDialog onLeave={proceed} onStay={reset} />
    </Suspense>
  );
}

const tabIn = ({ search }: { search: object }): unknown => ('tab' in search ? search.tab : undefined);
