// HTTP: one function to send a request, one class for the administrator's token.

const timeout = 10; // seconds, for each request
let unanswered = 0; // requests in a row that got no answer in time

/** Sends a request and reads the whole answer. Throws an Error with a short reason when there is none. */
export async function send({ method, url, headers = {}, body }) {
  const patience = unanswered < 5 ? timeout : 1; // a server that hangs must not stop the show
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(patience * 1000),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    unanswered = 0;
    return { status: response.status, headers: response.headers, bytes };
  } catch (error) {
    if (error.name === 'TimeoutError') {
      unanswered += 1;
      throw new Error(`no answer within ${patience} s`);
    }
    throw new Error(`no answer: ${error.cause?.message || error.cause?.code || error.message}`);
  }
}

/** Logs the administrator in, and again when the token is older than 30 seconds. */
export class AdminLogin {
  #base;
  #user;
  #password;
  #token;
  #since = 0;

  constructor({ base, user, password }) {
    this.#base = base;
    this.#user = user;
    this.#password = password;
  }

  async token() {
    if (!this.#token || Date.now() - this.#since > 30_000) {
      this.#token = await this.#login();
      this.#since = Date.now();
    }
    return this.#token;
  }

  async #login() {
    const form = { grant_type: 'password', client_id: 'admin-cli', username: this.#user, password: this.#password };
    const answer = await send({
      method: 'POST',
      url: `${this.#base}/realms/master/protocol/openid-connect/token`,
      body: new URLSearchParams(form),
    }).catch((error) => {
      throw new Error(`the admin cannot log in: ${error.message}`);
    });
    const text = answer.bytes.toString('utf8');
    let token;
    try {
      token = JSON.parse(text).access_token;
    } catch {
      /* reported below */
    }
    if (typeof token !== 'string')
      throw new Error(`the admin cannot log in: status ${answer.status}, ${text.slice(0, 120)}`);
    return token;
  }
}
