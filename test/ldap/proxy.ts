import { connect, createServer, type Socket } from 'node:net';
import { rootDn } from '../../tools/slapd.mjs';
import { atEndOfFile } from '../support/database.js';
import type { TestServer } from '../support/server.js';
import { measureStatements } from '../support/statements.js';

/** What an LDAP message asks for, by the tag of its operation (RFC 4511, 4.2 and on). */
const operations = new Map([
  [0x60, 'bind'],
  [0x63, 'search'],
  [0x66, 'modify'],
  [0x68, 'add'],
  [0x4a, 'delete'],
]);

/** Stands between a storage and its directory. */
export interface LdapProxy {
  url: string;
  /** how many requests of a kind have passed */
  count(operation: string): number;
  /** Has so many searches pass from now on; with the next one `fault` happens to its connection, or it waits. */
  failAfter(searches: number, fault?: (socket: Socket) => void): void;
  /** All pass again, and those that have waited. */
  heal(): void;
  /** Has answers wait for so many milliseconds. */
  slowDown(milliseconds: number): void;
  /** how many connections were open at once, at most, since this was asked last */
  peak(): number;
  /** Has requests to log in wait, or lets those that wait pass; answers how many waited. */
  holdLogins(held: boolean): number;
  /** Refuses the logins of an entry with invalidCredentials and this text; none lets them pass again. */
  refuseLogin(dn: string, text: string | undefined): void;
}

/** The messages that are whole, and what is left: each is a SEQUENCE of BER with its length. */
export function messagesOf(bytes: Buffer): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let at = 0;
  while (bytes.length - at >= 2) {
    const short = bytes.readUInt8(at + 1);
    const octets = short & 0x80 ? short & 0x7f : 0;
    if (bytes.length - at < 2 + octets) break;
    const length = octets === 0 ? short : bytes.readUIntBE(at + 2, octets);
    const end = at + 2 + octets + length;
    if (bytes.length < end) break;
    messages.push(bytes.subarray(at + 2 + octets, end));
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** The tag after the id of a message, which is an INTEGER. */
const operationOf = (message: Buffer): string => operations.get(message.readUInt8(2 + message.readUInt8(1))) ?? 'other';

/** The DN of a request to log in: after the tag and the length of the operation, and the version. */
function loginDn(message: Buffer): string {
  const operation = 2 + message.readUInt8(1);
  const octets = message.readUInt8(operation + 1) & 0x80 ? message.readUInt8(operation + 1) & 0x7f : 0;
  const name = operation + 2 + octets + 3;
  return message.subarray(name + 2, name + 2 + message.readUInt8(name + 1)).toString();
}

const wrapped = (tag: number, ...parts: Buffer[]): Buffer => {
  const inner = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(inner.length < 0x80 ? [tag, inner.length] : [tag, 0x81, inner.length]), inner]);
};

/** The answer to a login that is refused (RFC 4511, 4.2.2). */
const refusedLogin = (message: Buffer, text: string): Buffer =>
  wrapped(
    0x30,
    message.subarray(0, 2 + message.readUInt8(1)),
    wrapped(0x61, Buffer.from([0x0a, 0x01, 49, 0x04, 0x00]), wrapped(0x04, Buffer.from(text))),
  );

/** Starts a proxy that ends with the test file. It reads what passes, and changes nothing unless it is told to. */
export async function proxyFor(url: string): Promise<LdapProxy> {
  const target = new URL(url);
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let fault: ((socket: Socket) => void) | undefined;
  let waiting: (() => void)[] = [];
  let delay = 0;
  let open = 0;
  let peak = 0;
  let heldLogins: (() => void)[] | undefined;
  const refusals = new Map<string, string>();
  const server = createServer((client) => {
    const directory = connect(Number(target.port), target.hostname);
    open += 1;
    peak = Math.max(peak, open);
    client.on('close', () => {
      open -= 1;
    });
    for (const [socket, other] of [
      [client, directory],
      [directory, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    let rest: Buffer = Buffer.alloc(0);
    client.on('data', (data) => {
      const read = messagesOf(Buffer.concat([rest, data]));
      rest = read.rest;
      for (const message of read.messages) {
        const operation = operationOf(message);
        counts.set(operation, (counts.get(operation) ?? 0) + 1);
        if (operation === 'search') left -= 1;
        const refusal = operation === 'bind' ? refusals.get(loginDn(message)) : undefined;
        if (refusal !== undefined) {
          client.write(refusedLogin(message, refusal));
          return;
        }
      }
      const logsIn = read.messages.some((message) => operationOf(message) === 'bind' && loginDn(message) !== rootDn);
      if (logsIn && heldLogins) heldLogins.push(() => directory.write(data));
      else if (left >= 0) directory.write(data);
      else if (fault) fault(client);
      else waiting.push(() => directory.write(data));
    });
    directory.on('data', (data) => {
      if (delay === 0) client.write(data);
      else setTimeout(() => client.write(data), delay);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEndOfFile(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return {
    url: `ldap://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    count: (operation) => counts.get(operation) ?? 0,
    failAfter(searches, happens) {
      left = searches;
      fault = happens;
    },
    heal() {
      left = Number.POSITIVE_INFINITY;
      for (const pass of waiting) pass();
      waiting = [];
    },
    slowDown(milliseconds) {
      delay = milliseconds;
    },
    peak() {
      const most = peak;
      peak = open;
      return most;
    },
    holdLogins(held) {
      const waited = heldLogins?.length ?? 0;
      if (!held) for (const pass of heldLogins ?? []) pass();
      heldLogins = held ? (heldLogins ?? []) : undefined;
      return waited;
    },
    refuseLogin(dn, text) {
      if (text === undefined) refusals.delete(dn);
      else refusals.set(dn, text);
    },
  };
}

/** Runs the work, and returns its result with the numbers of statements and of searches that it took. */
export async function measureWork<T>(server: TestServer, proxy: LdapProxy, work: () => Promise<T>) {
  const before = proxy.count('search');
  const measured = await measureStatements(server, work);
  return { ...measured, searches: proxy.count('search') - before };
}
