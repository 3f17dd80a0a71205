import { useEffect, useState } from 'react';

/** Moves the focus to an element, or to the content of the page if it is gone, unless something else has it by then. */
export function restoreFocus(to?: Element | null): void {
  setTimeout(() => {
    if (document.activeElement && document.activeElement !== document.body) return;
    const target = to?.isConnected ? to : document.getElementById('content');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  });
}

/** Gives the focus back, once a dialog is gone, to the element that had it before. */
export function useReturnedFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => restoreFocus(opener), [opener]);
}
