import { createHash, randomBytes } from 'node:crypto';
import { framed } from '../support/framing.js';
import type { TestServer } from '../support/server.js';

/** What a browser got, without following redirects. */
export interface Page {
  status: number;
  url: string;
  location: string | null;
  headers: Headers;
  text: string;
}

export type Agent = ReturnType<typeof agentOf>;

/** A browser without scripts: it keeps cookies and sends the forms that it is shown. */
export function agentOf(server: Pick<TestServer, 'url'>, headers: Record<string, string> = {}) {
  const cookies = new Map<string, string>();
  const send = async (method: string, url: string, form?: URLSearchParams): Promise<Page> => {
    const response = await fetch(new URL(url, server.url), {
      method,
      redirect: 'manual',
      headers: { ...headers, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return {
      status: response.status,
      url,
      location: response.headers.get('location'),
      headers: response.headers,
      // other servers answer as they like
      text: await (response.url.startsWith(server.url) ? framed(response) : response).text(),
    };
  };
  return {
    cookies,
    get: (url: string) => send('GET', url),
    post: (url: string, form: Record<string, string> | URLSearchParams) => send('POST', url, new URLSearchParams(form)),
    /** Sends the form of a page with what is typed into it. */
    submit: (page: Page, form: Record<string, string>) => send('POST', actionOf(page), new URLSearchParams(form)),
  };
}

/** Where the form of a page goes. */
export function actionOf({ text, status }: Page): string {
  const action = /<form method="post" action="([^"]+)"/.exec(text)?.[1];
  if (action === undefined) throw new Error(`There is no form on the page (${status}): ${text.slice(0, 2000)}`);
  return action.replaceAll('&amp;', '&');
}

/** Where a link on a page leads, by a part of its address. */
export function linkOf({ text, status }: Page, part: string): string {
  const link = [...text.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => address).find((at) => at.includes(part));
  if (link === undefined)
    throw new Error(`There is no link to ${part} on the page (${status}): ${text.slice(0, 2000)}`);
  return link.replaceAll('&amp;', '&');
}

/** The address of an authorization request. */
export const authorizationUrl = (realm: string, parameters: Record<string, string>): string =>
  `/auth/realms/${realm}/protocol/openid-connect/auth?${new URLSearchParams({ response_type: 'code', scope: 'openid', ...parameters })}`;

/** The parameters that a client was sent in the query of its address. */
export const answerOf = (page: Page): Record<string, string> => {
  if (!page.location) throw new Error(`No redirect (${page.status}): ${page.text.slice(0, 2000)}`);
  return Object.fromEntries(new URL(page.location).searchParams);
};

/** The text of the error or hint on a page. */
export const noticeOf = ({ text }: Page): string | undefined => /class="notice[^>]*>([^<]*)</.exec(text)?.[1];

/** A verifier with its challenge, RFC 7636. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Sends a form to the token endpoint. */
export async function token(server: Pick<TestServer, 'url'>, realm: string, form: Record<string, string>) {
  const response = await fetch(`${server.url}/auth/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await framed(response).json()) as Record<string, string> };
}
