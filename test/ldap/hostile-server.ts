import { createServer, type Socket } from 'node:net';
import { BerWriter } from 'ldapts';
import { atEndOfFile } from '../support/database.js';
import { messagesOf } from './proxy.js';

/** What a request is, by the tag of its operation (RFC 4511, 4.2 and on). */
const kinds = new Map([
  [0x60, 'bind'],
  [0x63, 'search'],
  [0x77, 'extended'],
]);

/** An LDAP message with this operation, whose parts `write` adds. */
export function message(id: number, operation: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(operation);
  write(writer);
  writer.endSequence();
  writer.endSequence();
  return writer.buffer;
}

/** The answer that ends an operation (LDAPResult of RFC 4511, 4.1.9). */
export const result = (id: number, operation: number, code = 0): Buffer =>
  message(id, operation, (writer) => {
    writer.writeEnumeration(code);
    writer.writeString('');
    writer.writeString('');
  });

/** An entry that a search finds. */
export const entry = (id: number, dn: string, attributes: Record<string, string>): Buffer =>
  message(id, 0x64, (writer) => {
    writer.writeString(dn);
    writer.startSequence();
    for (const [name, value] of Object.entries(attributes)) {
      writer.startSequence();
      writer.writeString(name);
      writer.startSequence(0x31);
      writer.writeString(value);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
  });

export const searchDone = 0x65;

/** What the server does with a search: it may write, close, or do nothing. */
export type Answer = (socket: Socket, id: number) => void;

/** An LDAP server that lets everybody in and answers searches as it likes. */
export interface HostileServer {
  url: string;
  answerWith(answer: Answer): void;
  /** Accepts StartTLS, and says nothing after that. */
  bytesWritten(): number;
}

/** Starts such a server; it ends with the test file. */
export async function hostileServer(): Promise<HostileServer> {
  let answer: Answer = (socket, id) => socket.write(result(id, searchDone));
  let written = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let rest: Buffer = Buffer.alloc(0);
    let isSilent = false;
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      written += socket.bytesWritten;
    });
    socket.on('data', (data) => {
      if (isSilent) return;
      const read = messagesOf(Buffer.concat([rest, data]));
      rest = read.rest;
      for (const one of read.messages) {
        const length = one.readUInt8(1);
        const id = one.readUIntBE(2, length);
        const kind = kinds.get(one.readUInt8(2 + length));
        if (kind === 'bind') socket.write(result(id, 0x61));
        if (kind === 'search') answer(socket, id);
        if (kind === 'extended') {
          socket.write(result(id, 0x78));
          isSilent = true;
        }
      }
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
    answerWith(next) {
      answer = next;
    },
    bytesWritten: () => written + [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0),
  };
}
