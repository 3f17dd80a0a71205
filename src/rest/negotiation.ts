import type { IncomingMessage } from 'node:http';
import type { Answer } from '../http/answer.js';
import { Refusal } from '../services/core/refusal.js';
import type { Route } from './table.js';

interface Accepted {
  /** JSON, or the media type of the answer where it is another one */
  answer: boolean;
  html: boolean;
  xml: boolean;
}

/**
 * Which forms of an answer the sender takes, RFC 9110 section 12.5.1; `media` is the type of the answer where it is not
 * JSON. Throws `malformed` for what is no media range.
 */
export function accepted(message: IncomingMessage, media = 'application/json'): Accepted {
  const ranges = (message.headers.accept ?? '')
    .split(',')
    .map((range) => range.split(';'))
    .map(([type = '', ...parameters]) => ({ type: type.trim().toLowerCase(), refused: parameters.some(isZero) }))
    .filter(({ type }) => type !== '');
  if (ranges.some(({ type }) => !/^[^\s/]+\/[^\s/]+$/.test(type))) {
    throw new Refusal('malformed', 'The Accept header must be a list of media types', { field: 'Accept' });
  }
  const takes = (...types: string[]) => ranges.some(({ type, refused }) => !refused && types.includes(type));
  return {
    answer:
      ranges.length === 0 ||
      takes('application/json', 'application/*', '*/*', media, `${media.slice(0, media.indexOf('/'))}/*`),
    html: takes('text/html', 'text/*'),
    xml: ranges.length === 0 || takes('application/xml', 'application/*', '*/*'),
  };
}

const isZero = (parameter: string): boolean => /^\s*q=0(\.0*)?\s*$/i.test(parameter);

/** Whether somebody asks for a page and would not take JSON. */
export function wantsPage(message: IncomingMessage): boolean {
  try {
    const { answer, html } = accepted(message);
    return html && !answer;
  } catch {
    return false;
  }
}

export const notAcceptable: Answer = {
  status: 406,
  body: { error: 'RESTEASY003635: No match for accept header' },
};

const bodiless = new Set([201, 204]);

/** Whether a route answers with JSON: not with a file, nor without a body. */
export const answersText = ({ method, status, file }: Route): boolean =>
  !file && (method === 'GET' || !bodiless.has(status));

/** An error as a page, for those who asked for one. */
export function asPage(answer: Answer): Answer {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${answer.status}</title></head>
<body><p>This cannot be shown as a page. Ask for application/json.</p></body></html>
`;
  return { ...answer, body, type: 'text/html;charset=UTF-8' };
}
