import type { Browser } from 'playwright-core';

/** Whether a browser is installed. CHROMIUM names one. Tests that need one are reported as skipped otherwise. */
export const hasBrowser: boolean;

/** Starts the installed browser. */
export function startBrowser(): Promise<Browser>;
