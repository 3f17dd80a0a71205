import { type RefObject, useEffect, useRef } from 'react';
import type { UserError } from '../session/graphql.js';

/** Moves the focus to the first input of a form with an error, which may be out of sight. */
export function useFirstError(errors: readonly UserError[]): RefObject<HTMLDivElement | null> {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (errors.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [errors]);
  return form;
}
