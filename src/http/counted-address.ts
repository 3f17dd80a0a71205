import type { IncomingMessage } from 'node:http';
import type { Services } from '../services/core/context.js';
import { isNearby } from '../services/login/transport.js';
import { addressOf } from './authenticate.js';

/**
 * The address by which failed attempts of a request are counted. Nothing behind a proxy of the own network that is not
 * trusted to name the sender: all senders would be one, and one of them could lock the others out. That is logged once.
 */
export function addressCounter({ config, log }: Pick<Services, 'config' | 'log'>) {
  let isSaid = false;
  return (message: IncomingMessage): string | undefined => {
    const { headers, socket } = message;
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    if (config.trustProxy || !isForwarded || !isNearby(peerOf(socket.remoteAddress))) {
      return addressOf(message, config.trustProxy);
    }
    if (!isSaid)
      log.warn('requests come through a proxy: TRUST_PROXY is required to limit failed logins per user address');
    isSaid = true;
    return undefined;
  };
}

const peerOf = (address = ''): string => address.replace(/^::ffff:/, '');
