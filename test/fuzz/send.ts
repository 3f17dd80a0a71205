import type { GraphQLAnswer } from '../support/fixture.js';
import type { TestServer } from '../support/server.js';
import type { Request } from './generator.js';
import { FuzzFile } from './values.js';

/** Takes the files out of the variables; in their places is null. Answers them by the paths of their variables. */
function filesIn(value: unknown, path: string, files: Map<string, string>): unknown {
  if (value instanceof FuzzFile) {
    files.set(path, value.content);
    return null;
  }
  if (Array.isArray(value)) return value.map((item, at) => filesIn(item, `${path}.${at}`, files));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filesIn(item, `${path}.${key}`, files)]));
}

/** The body of a request: JSON, or a form by the GraphQL multipart request convention where it has files. */
function bodyOf({ query, variables }: Request): { body: string | FormData; headers: Record<string, string> } {
  const files = new Map<string, string>();
  const operations = JSON.stringify({ query, variables: filesIn(variables, 'variables', files) });
  if (files.size === 0) return { body: operations, headers: { 'content-type': 'application/json' } };
  const form = new FormData();
  form.set('operations', operations);
  form.set('map', JSON.stringify(Object.fromEntries([...files.keys()].map((path, n) => [n, [path]]))));
  [...files.values()].forEach((content, n) => {
    form.set(String(n), new Blob([content]), `${n}.txt`);
  });
  return { body: form, headers: {} };
}

/** Sends a request, with its files. Of a subscription only the first message is waited for. */
export async function send(
  server: TestServer,
  token: string,
  request: Request,
): Promise<GraphQLAnswer<Record<string, unknown>>> {
  const isSubscription = request.query.startsWith('subscription');
  const { body, headers } = bodyOf(request);
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      accept: isSubscription ? 'text/event-stream' : 'application/json',
    },
    body,
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const answer = isStream ? await firstMessage(response) : await response.text();
  return { status: response.status, ...JSON.parse(answer) };
}

/** The first message of a stream of server-sent events, whose sender is told that no more is wanted. */
async function firstMessage(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const data = /^data: ?(.+)\n/m.exec(text)?.[1];
    if (data) return data;
  }
  return '{}';
}
