import { createHash } from 'node:crypto';

/**
 * The content security policy of the explorer's page: its own scripts, which are known by their hashes, requests to this
 * server only, and no frame of another page around it.
 */
export function explorerPolicy(page: string): string {
  const scripts = [...page.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src ${[...new Set(scripts)].join(' ')} blob:`,
    "worker-src 'self' blob:",
    "style-src 'unsafe-inline'",
    "img-src 'self' data: https:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
