import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';
import { network } from '../services/core/failed-attempts.js';
import { addressOf } from './authenticate.js';

/** The line in which a request waits: addresses take turns, and the tokens that come from one address. */
export const senderLine =
  (message: IncomingMessage, trustProxy: Config['trustProxy']) => (): readonly [address: string, token: string] => [
    network(addressOf(message, trustProxy)),
    message.headers.authorization ?? '',
  ];
