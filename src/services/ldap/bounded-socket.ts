import type { Socket } from 'node:net';
import { elementAt, malformed } from './ber.js';
import { requireWellFormed } from './well-formed.js';

/** The bytes and messages that a connection received since the last request. */
export interface Meter {
  bytes: number;
  messages: number;
}

/**
 * Maximum bytes and messages of one answer of a directory: a page of a search, or the whole search if it does not
 * support pages.
 */
const mostBytes = 64 * 1024 * 1024;
const mostMessages = 50_000;

const sequence = 0x30;

/**
 * The length in bytes of the message at the start of these bytes, including its header. Returns undefined if more bytes
 * are needed. Throws if they are not an LDAP message.
 */
function lengthOf(bytes: Buffer): number | undefined {
  const message = elementAt(bytes, 0);
  if (message && message.tag !== sequence) throw malformed();
  return message?.to;
}

const joined = (parts: readonly Buffer[]): Buffer => (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts));

/** Splits a stream of bytes into messages. The parts of a long message are joined only once. */
function splitter(): (bytes: Buffer) => Generator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let wanted: number | undefined;
  return function* split(bytes) {
    parts.push(bytes);
    size += bytes.length;
    for (;;) {
      if (wanted === undefined) {
        const whole = joined(parts);
        parts = [whole];
        wanted = lengthOf(whole);
      }
      if (wanted !== undefined && wanted > mostBytes) throw new Error('an LDAP message is too large');
      if (wanted === undefined || size < wanted) return;
      const whole = joined(parts);
      yield whole.subarray(0, wanted);
      size -= wanted;
      parts = [whole.subarray(wanted)];
      wanted = undefined;
    }
  };
}

/**
 * Makes a socket pass on one whole message of LDAP at a time. It ends the connection if a directory sends invalid or
 * unreadable messages, or more than one answer may have. The library would keep everything in memory, and an error of
 * its parser would end the process.
 */
export function bound(socket: Socket, meter: Meter): void {
  const emit: (event: string | symbol, ...values: unknown[]) => boolean = socket.emit.bind(socket);
  const split = splitter();
  const take = (bytes: Buffer): void => {
    meter.bytes += bytes.length;
    if (meter.bytes > mostBytes) throw new Error('an LDAP response is too large');
    for (const message of split(bytes)) {
      if (socket.destroyed) return;
      meter.messages += 1;
      if (meter.messages > mostMessages) throw new Error('an LDAP response has too many messages');
      requireWellFormed(message);
      emit('data', message);
    }
  };
  socket.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    const [bytes] = values;
    if (event !== 'data' || !Buffer.isBuffer(bytes)) return emit(event, ...values);
    try {
      if (!socket.destroyed) take(bytes);
    } catch {
      socket.destroy();
    }
    return true;
  };
}
