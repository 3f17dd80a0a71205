import type { z } from 'zod';
import { required, type Setting } from './setting.js';
import { wholeNumber } from './setting-values.js';

/** The settings of what one process takes at a time, and of one caller. */
export const limitDefinitions = {
  maxConcurrentRequests: required(
    'MAX_CONCURRENT_REQUESTS',
    '256',
    wholeNumber(1, 100_000),
    'a number from 1 to 100000',
    'Maximum number of concurrent requests of one process. Token requests may use a quarter of it. Further requests wait.',
  ),
  maxQueuedRequests: required(
    'MAX_QUEUED_REQUESTS',
    '1024',
    wholeNumber(0, 100_000),
    'a number from 0 to 100000',
    'Maximum number of waiting requests. A request waits at most five seconds. Further requests are answered with 503 immediately.',
  ),
  clientTimeout: required(
    'CLIENT_TIMEOUT',
    '30',
    wholeNumber(1, 3600),
    'a number of seconds from 1 to 3600',
    'Seconds that a client may take to send its request or to receive the answer. After that, it must transfer at least 16 KiB per second.',
  ),
  rateLimitAddress: required(
    'RATE_LIMIT_ADDRESS',
    '0',
    wholeNumber(0, 1_000_000),
    'a number from 0 to 1000000',
    'Maximum number of logins and token requests per minute from one IP address in one process. 0: no limit.',
  ),
  rateLimitClient: required(
    'RATE_LIMIT_CLIENT',
    '0',
    wholeNumber(0, 1_000_000),
    'a number from 0 to 1000000',
    'Maximum number of token requests per minute for one client in one process. 0: no limit.',
  ),
  failuresAddress: required(
    'RATE_LIMIT_FAILURES_ADDRESS',
    '300',
    wholeNumber(0, 1_000_000),
    'a number from 0 to 1000000',
    'Maximum number of failed logins and client authentications in five minutes from one IP address in one process. 0: no limit.',
  ),
  failuresAccount: required(
    'RATE_LIMIT_FAILURES_ACCOUNT',
    '100',
    wholeNumber(0, 1_000_000),
    'a number from 0 to 1000000',
    'Maximum number of failed logins in five minutes for one user or client in one process, from all IP addresses. 0: no limit.',
  ),
  hashThreads: required(
    'HASH_THREADS',
    '2',
    wholeNumber(1, 64),
    'a number from 1 to 64',
    'Maximum number of passwords that are hashed concurrently. Further ones wait.',
  ),
} satisfies Record<string, Setting<z.ZodType>>;
