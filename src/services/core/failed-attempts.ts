import { createHash } from 'node:crypto';

/**
 * The guessed secret: the password of a user, a one-time code of a user after the password, or the secret of a client.
 */
export type Guessed = 'user' | 'code' | 'client';

/** The events that are counted for an account: guesses, and mails that anybody can request for an address. */
export type Counted = Guessed | 'mail';

/** An account that is tried, by the name that was typed. */
export interface Account {
  kind: Counted;
  realm: string;
  name: string;
}

/** An attempt to prove an identity. */
interface Attempted {
  /** undefined for the address of a proxy that does not name its client in a trusted way */
  address: string | undefined;
  account?: Account;
}

/**
 * Counts failed attempts in this process. Successful ones are never counted. An account under attack stays open to
 * addresses that have not failed for it, so that an attacker cannot lock out its user.
 */
export interface FailedAttempts {
  /** Whole seconds until an attempt is accepted; 0 if it is accepted at once. */
  wait(attempt: Attempted): number;
  failed(attempt: Attempted): void;
}

/** How many failures there may be in five minutes; 0 for any number. */
export interface AttemptLimits {
  failuresAddress: number;
  failuresAccount: number;
}

const period = 300_000;
/** Maximum remembered addresses, and maximum remembered accounts. */
const mostKnown = 50_000;
/** After an account's limit is used up, each address still has this part of the limit for it (a twentieth). */
const partOfAddress = 20;
/** One-time codes are short, so a fifth of the limit applies. Only a caller who knows the password can guess them. */
const partOfCodes = 5;

/** Counts failures with these limits. `now` is in milliseconds and never goes back. */
export function createFailedAttempts(
  { failuresAddress, failuresAccount }: AttemptLimits,
  now: () => number = () => performance.now(),
): FailedAttempts {
  const part = (divisor: number) => Math.ceil(failuresAccount / divisor);
  const addresses = createCount(failuresAddress, now);
  const accounts = createCount(failuresAccount, now);
  const strict = { code: createCount(part(partOfCodes), now), mail: createCount(part(partOfAddress), now) };
  const pairs = createCount(part(partOfAddress), now);
  const waitOfAccount = ({ address, account }: Attempted): number => {
    if (!account) return 0;
    const key = keyOf(account);
    if (account.kind === 'code' || account.kind === 'mail') return strict[account.kind].wait(key);
    return Math.min(accounts.wait(key), pairs.wait(pairOf(key, address)));
  };
  return {
    wait: (attempt) => {
      const { address } = attempt;
      return Math.max(address === undefined ? 0 : addresses.wait(network(address)), waitOfAccount(attempt));
    },
    failed: ({ address, account }) => {
      if (address !== undefined) addresses.count(network(address));
      if (!account) return;
      const key = keyOf(account);
      if (account.kind === 'code' || account.kind === 'mail') return strict[account.kind].count(key);
      accounts.count(key);
      pairs.count(pairOf(key, address));
    },
  };
}

const keyOf = ({ kind, realm, name }: Account): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, realm, name.normalize('NFKC').trim().toLowerCase()]))
    .digest('base64url');

const pairOf = (key: string, address: string | undefined): string =>
  `${key} ${address === undefined ? '' : network(address)}`;

/** The part of an address that its holder cannot choose: of an IPv6 address the first 64 bits. */
export function network(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address.slice(0, 64);
  const [before = [], after] = address
    .toLowerCase()
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = after ? Math.max(8 - before.length - after.length, 0) : 0;
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...(after ?? [])];
  const plain = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return plain.join(':').slice(0, 64);
}

interface Count {
  wait(key: string): number;
  count(key: string): void;
}

/**
 * The generic cell rate algorithm: for each key it stores only the time at which the counted failures no longer matter.
 */
function createCount(most: number, now: () => number): Count {
  if (most === 0) return { wait: () => 0, count: () => undefined };
  const cost = period / most;
  const paidAt = new Map<string, number>();
  return {
    wait: (key) => {
      const over = (paidAt.get(key) ?? 0) - now() - (period - cost);
      return over > 0 ? Math.ceil(over / 1000) : 0;
    },
    count: (key) => {
      const at = now();
      const next = Math.min(Math.max(paidAt.get(key) ?? at, at) + cost, at + period);
      // the least recently seen keys come first
      paidAt.delete(key);
      paidAt.set(key, next);
      for (const [oldest, time] of paidAt) {
        if (time > at && paidAt.size <= mostKnown) break;
        paidAt.delete(oldest);
      }
    },
  };
}
