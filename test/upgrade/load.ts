import { setTimeout as sleep } from 'node:timers/promises';
import { admin } from '../support/server.js';

/** What a request was answered, or that nobody answered it. */
interface Answer {
  status: number;
  text: string;
}

/** Instances that are asked in turn, as a proxy does: one that does not answer is left for another. */
export class Instances {
  readonly urls: string[] = [];
  /** answers other than those that were expected, and 503 */
  readonly wrong: string[] = [];
  #next = 0;

  leave(url: string): void {
    this.urls.splice(this.urls.indexOf(url), 1);
  }

  /** Sends until an instance answers. A request that was lost on its way may have been executed: then 409 is its success. */
  async send(method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> {
    let isRepeated = false;
    for (;;) {
      const url = this.urls[this.#next++ % this.urls.length];
      const answer = await ask(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) });
      if (answer && answer.status !== 503) {
        const isDone = answer.status < 400 || (isRepeated && answer.status === 409);
        if (!isDone) this.wrong.push(`${method} ${path}: ${answer.status} ${answer.text}`);
        return answer;
      }
      isRepeated ||= !answer;
      await sleep(20);
    }
  }
}

async function ask(url: string, request: RequestInit): Promise<Answer | undefined> {
  try {
    const response = await fetch(url, request);
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}

export async function tokenOf(instances: Instances): Promise<string> {
  const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...admin });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { text } = await instances.send(
    'POST',
    '/auth/realms/master/protocol/openid-connect/token',
    headers,
    `${form}`,
  );
  return JSON.parse(text).access_token;
}

/** What a stream has written, by name, and that it has read. */
export interface Stream {
  readonly done: string[];
  stop(): Promise<void>;
}

const json = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

/** Repeats a piece of work, which returns the name of what it did, until it is told to stop. */
function repeat(work: (at: number) => Promise<string>): Stream {
  const done: string[] = [];
  let isRunning = true;
  const ended = (async () => {
    for (let at = 0; isRunning; at += 1) done.push(await work(at));
  })();
  return {
    done,
    stop() {
      isRunning = false;
      return ended;
    },
  };
}

/** Administration over both surfaces, and logins, all at once. */
export const streams = (instances: Instances, realm: string, login: { token: string }) => ({
  users: repeat(async (at) => {
    const username = `user-${at}`;
    await instances.send(
      'POST',
      `/auth/admin/realms/${realm}/users`,
      json(login.token),
      JSON.stringify({ username, enabled: true }),
    );
    const { text } = await instances.send(
      'GET',
      `/auth/admin/realms/${realm}/users?exact=true&username=${username}`,
      json(login.token),
    );
    const [user] = JSON.parse(text);
    const attributes = JSON.stringify({ ...user, attributes: { seen: [username] } });
    await instances.send('PUT', `/auth/admin/realms/${realm}/users/${user.id}`, json(login.token), attributes);
    return username;
  }),
  roles: repeat(async (at) => {
    const name = `role-${at}`;
    const graphql = async (query: string, variables: object) => {
      const body = JSON.stringify({ query, variables });
      const { text } = await instances.send('POST', '/graphql', json(login.token), body);
      const { data, errors } = JSON.parse(text);
      if (errors) instances.wrong.push(text);
      return data;
    };
    const page = await graphql(
      'query ($realm: String!) { realm(name: $realm) { id users(first: 20) { edges { node { username } } } } }',
      { realm },
    );
    const made = await graphql(
      'mutation ($input: RoleCreateInput!) { roleCreate(input: $input) { userErrors { code } } }',
      { input: { container: page?.realm.id, name } },
    );
    const refused = made?.roleCreate.userErrors.filter(({ code }: { code: string }) => code !== 'NAME_TAKEN');
    if (refused?.length > 0) instances.wrong.push(JSON.stringify(refused));
    return name;
  }),
  // its tokens are valid for a minute
  logins: repeat(async () => (login.token = await tokenOf(instances))),
});
