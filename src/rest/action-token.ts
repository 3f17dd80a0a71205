import type { LinkOutcome } from '../services/mail/follow-link.js';
import { escapeHtml } from '../services/mail/texts.js';
import type { Answer } from './answer.js';

const headers = {
  'cache-control': 'no-store, must-revalidate, max-age=0',
  // nothing is loaded, nothing runs, and no other page shows this one
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'none',
  // the address has the key in it
  'referrer-policy': 'no-referrer',
};

/** Whether a browser can be sent there without running what the address says. */
const isLink = (address: string): boolean =>
  URL.canParse(address) && !/^(javascript|data|vbscript|blob|file):/i.test(new URL(address).protocol);

/** The page that tells what became of the link of a mail. */
export function linkPage({ done, language, message, back }: LinkOutcome): Answer {
  const text = escapeHtml(message);
  const onward =
    back !== undefined && isLink(back)
      ? `<p><a href="${escapeHtml(back)}">${escapeHtml(language.text('backToApplication') ?? '')}</a></p>\n`
      : '';
  const body = `<!doctype html>
<html lang="${escapeHtml(language.locale)}">
<head><meta charset="utf-8"><title>${text}</title><meta name="viewport" content="width=device-width"></head>
<body style="font: 16px/1.5 system-ui; max-width: 32rem; margin: 4rem auto; padding: 0 1rem">
<main><h1 style="font-size: 1.25rem">${text}</h1>
${onward}</main>
</body>
</html>
`;
  return { status: done ? 200 : 400, headers, body, type: 'text/html;charset=UTF-8' };
}

/** What those get who only look whether the page is there, such as scanners of mails: the link stays as good as it was. */
export const unread: Answer = { status: 200, headers, body: '', type: 'text/html;charset=UTF-8' };
