import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const executablePath = [
  process.env.CHROMIUM,
  // the browser without its windows and menus, which takes a third of the processor time
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

/** Whether a browser is installed. CHROMIUM names one. */
export const hasBrowser = executablePath !== undefined;

// --no-sandbox: the tests may run as root
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** Starts the installed browser. */
export const startBrowser = () => chromium.launch({ ...(executablePath && { executablePath }), args });
