import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config/config.js';
import { tracePlace } from './tracer.js';

/** The log of a process: JSON lines with the name of the level and the time in ISO 8601. Lines of a request state its span. */
export const createLog = ({ logLevel }: Pick<Config, 'logLevel'>, stream?: DestinationStream): Logger => {
  const options = {
    level: logLevel,
    base: undefined,
    mixin: tracePlace,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
  };
  return stream ? pino(options, stream) : pino(options);
};
