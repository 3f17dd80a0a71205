import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** What becomes of connections: passed on, ended without a word, accepted and never answered, or all silent from now on. */
type WireState = 'whole' | 'cut' | 'mute' | 'frozen';

/** A wire to a database server that can be cut. */
export interface Wire {
  /** the address of the database at this end of the wire */
  url: string;
  /** Ends all connections, unless it freezes or thaws; later ones meet the new state. */
  become(state: WireState): void;
  /** From now on, each piece of an answer comes so many milliseconds late. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
}

/** Puts a wire between a client and the database server at `url`. */
export async function wireTo(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let state: WireState = 'whole';
  let late = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    keep(near);
    if (state === 'cut') near.destroy();
    if (state !== 'whole') return void near.resume();
    const far = connect(Number(port), hostname);
    keep(far);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(lateBy(() => late)).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const near = new URL(url);
  near.port = String((server.address() as AddressInfo).port);
  return {
    url: near.href,
    become(next) {
      const thaw = state === 'frozen' && next === 'whole';
      state = next;
      if (next !== 'frozen' && !thaw) endAll();
      for (const socket of sockets) if (next === 'frozen') socket.pause();
      for (const socket of sockets) if (thaw) socket.resume();
    },
    delay(milliseconds) {
      late = milliseconds;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      endAll();
      await closed;
    },
  };
}

/** Passes everything on, so many milliseconds late. */
const lateBy = (milliseconds: () => number): Transform =>
  new Transform({
    transform(chunk, _encoding, done) {
      if (milliseconds() === 0) done(undefined, chunk);
      else setTimeout(() => done(undefined, chunk), milliseconds()).unref();
    },
  });
