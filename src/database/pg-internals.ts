import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';

// The members of pg beyond its published types that this server uses. Sending several statements as one message needs
// parts of the protocol and the driver's memory of a connection. Distinguishing a frozen server from an idle one needs
// the state of the current statement. The file package.json names one exact version of pg, and a test fails if another version
// lacks a member.

/** The connection of a client of pg, which speaks the extended query protocol. */
export interface DriverConnection {
  readonly stream: Socket;
  /** texts of the statements that the server has parsed on this connection, by name */
  readonly parsedStatements: Record<string, string>;
  /** texts of statements that were sent for parsing and are not answered yet */
  readonly submittedNamedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  sync(): void;
  /** receives each error of the server, with its code (SQLSTATE) */
  on(event: 'errorMessage', listener: (message: { code?: string }) => void): void;
}

const members: Readonly<Record<keyof DriverConnection, 'object' | 'function'>> = {
  stream: 'object',
  parsedStatements: 'object',
  submittedNamedStatements: 'object',
  parse: 'function',
  bind: 'function',
  describe: 'function',
  execute: 'function',
  close: 'function',
  sync: 'function',
  on: 'function',
};

const isConnection = (value: unknown): value is DriverConnection =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(members).every(([name, type]) => typeof Reflect.get(value, name) === type);

/** Returns the connection of the driver. Throws if it lacks a member that is used. */
export function driverConnection(value: unknown): DriverConnection {
  if (!isConnection(value))
    throw new Error(`This version of pg has no connection with ${Object.keys(members).join(', ')}`);
  return value;
}

/** The connection of a client. Throws if this version of pg does not have it. */
export const connectionOf = (client: ClientBase): DriverConnection =>
  driverConnection(Reflect.get(client, 'connection'));

/** Whether no statement is running on a client. Throws if this version of pg does not report it. */
export function isIdle(client: ClientBase): boolean {
  const ready: unknown = Reflect.get(client, 'readyForQuery');
  if (typeof ready !== 'boolean') throw new Error('This version of pg does not report whether a client is idle');
  return ready;
}
