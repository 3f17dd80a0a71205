import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Pace {
  /** how long a client may do nothing while it is its turn, in milliseconds */
  readonly timeout: number;
  /** bytes per second that a client has to take or send, once the timeout has passed */
  readonly rate?: number;
  /** bytes of answers that may wait for their clients altogether */
  readonly unsent?: number;
}

/** Watches over clients that send their bodies or take their answers too slowly. */
export interface PaceKeeper {
  /** Cuts the connection off with a 408 when the body of a request does not come. */
  receiving(message: IncomingMessage, response: ServerResponse): void;
  /** Cuts the connection off when an answer that has been handed over is not taken. */
  sending(response: ServerResponse): void;
}

interface Incoming {
  readonly response: ServerResponse;
  since: number;
  bytes: number;
}

interface Outgoing {
  readonly size: number;
  readonly since: number;
}

const sweepInterval = 250;
const kilobyte = 1024;

/** Makes the watch of one server. It costs nothing while bodies come whole and answers go at once. */
export function keepPace({ timeout, rate = 16 * kilobyte, unsent = 256 * kilobyte * kilobyte }: Pace): PaceKeeper {
  const incoming = new Map<IncomingMessage, Incoming>();
  const outgoing = new Map<ServerResponse, Outgoing>();
  let sweeper: NodeJS.Timeout | undefined;
  const allowed = (bytes: number): number => timeout + (bytes / rate) * 1000;

  const watch = (): void => {
    sweeper ??= setInterval(sweep, Math.min(sweepInterval, timeout)).unref();
  };

  function sweep(): void {
    const now = performance.now();
    for (const [message, entry] of incoming) sweepIncoming(message, entry, now);
    for (const [response, { size, since }] of outgoing) {
      if (response.writableFinished || response.destroyed) outgoing.delete(response);
      else if (now - since > allowed(size)) response.destroy();
    }
    if (incoming.size + outgoing.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  function sweepIncoming(message: IncomingMessage, entry: Incoming, now: number): void {
    const { socket } = message;
    if (message.complete || message.destroyed || socket.destroyed) {
      incoming.delete(message);
    } else if (message.readableLength >= message.readableHighWaterMark) {
      // it waits for us
      entry.since = now;
      entry.bytes = socket.bytesRead;
    } else if (now - entry.since > allowed(socket.bytesRead - entry.bytes)) {
      incoming.delete(message);
      cutOff(message, entry.response);
    }
  }

  /** The oldest answers go first; the newest stays, however large it is. */
  function shedUnsent(): void {
    let sum = 0;
    for (const [response, { size }] of outgoing) {
      if (response.writableFinished || response.destroyed) outgoing.delete(response);
      else sum += size;
    }
    for (const [response, { size }] of outgoing) {
      if (sum <= unsent || outgoing.size === 1) return;
      outgoing.delete(response);
      response.destroy();
      sum -= size;
    }
  }

  return {
    receiving(message, response) {
      incoming.set(message, { response, since: performance.now(), bytes: message.socket.bytesRead });
      watch();
    },
    sending(response) {
      const size = response.writableLength;
      if (size === 0 || response.destroyed) return;
      // node:http looks into the write that is under way, and ends this with the answer
      response.setTimeout(timeout, () => response.destroy());
      outgoing.set(response, { size, since: performance.now() });
      shedUnsent();
      watch();
    },
  };
}

function cutOff(message: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) return void message.destroy();
  response.writeHead(408, { connection: 'close', 'content-length': 0 });
  response.end(() => message.destroy());
}

/** Whether the request has a body, or says so. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Resolves when the body has come as far as node:http takes it in unasked, some kilobytes: all of most bodies. Also
 * resolves when the client has gone.
 */
export function bodyBegun(message: IncomingMessage): Promise<void> {
  return new Promise((done) => {
    const look = (): void => {
      const full = message.readableLength >= message.readableHighWaterMark;
      if (!message.complete && !full && !message.destroyed) return;
      message.off('readable', look).off('close', look);
      done();
    };
    message.on('readable', look).on('close', look);
  });
}
