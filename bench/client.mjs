// The administrator of a running service, for the measurements. Nothing but Node built-ins.
import { Agent, request } from 'node:http';

/**
 * A caller with the administrator's token, which is renewed in time.
 * @param {string} base address of the service, e.g. `http://127.0.0.1:8080`
 * @param {{ user?: string, password?: string, sockets?: number }} [options] sockets: most connections at once
 */
export function administrator(base, { user = 'admin', password = 'admin', sockets = 256 } = {}) {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets });
  let token;
  let until = 0;

  /** Sends a request and reads the answer; `ms` is the time from sending to the end of the answer. */
  const exchange = (method, path, { body, headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const sent = request(base + path, { method, agent, headers: { ...headers, ...length } }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const { statusCode: status, headers } = response;
          resolve({ status, headers, text, ms: performance.now() - started, json: () => JSON.parse(text) });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });

  async function login() {
    const form = { grant_type: 'password', client_id: 'admin-cli', username: user, password };
    const answer = await exchange('POST', '/auth/realms/master/protocol/openid-connect/token', {
      body: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    if (answer.status !== 200) throw new Error(`The login of ${user} failed: ${answer.status} ${answer.text}`);
    return answer.json();
  }

  /** The token to send. One caller has it renewed at three quarters of its life, the others wait for that one. */
  async function present() {
    if (Date.now() >= until) {
      until = Number.POSITIVE_INFINITY;
      token = login().then(
        ({ access_token, expires_in }) => {
          until = Date.now() + expires_in * 750;
          return access_token;
        },
        (error) => {
          until = 0;
          throw error;
        },
      );
    }
    return token;
  }

  /** Whatever the status is. The path starts after /auth, or is /graphql. */
  async function send(method, path, body, headers = {}) {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    return exchange(method, path === '/graphql' ? path : `/auth${path}`, {
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${await present()}`, ...json, ...headers },
    });
  }

  return {
    base,
    send,
    /** Logs in once more and returns what the token endpoint answers. */
    login,
    /** Throws unless the status is a good one. */
    async call(method, path, body, headers) {
      const answer = await send(method, path, body, headers);
      if (answer.status < 300) return answer;
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    },
    /** The data of a GraphQL operation; throws when it has errors. */
    async graphql(query, variables) {
      const { data, errors } = (await send('POST', '/graphql', { query, variables })).json();
      if (errors) throw new Error(JSON.stringify(errors).slice(0, 300));
      return data;
    },
    close: () => agent.destroy(),
  };
}

/** The value below which this share of the sorted values is. */
export const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** A Markdown table. */
export const table = (head, lines) =>
  [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
