import type { Logger } from 'pino';

/** The log messages of a failure that can last. */
interface Texts {
  /** when it begins */
  readonly failed: string;
  /** while it lasts */
  readonly continues: string;
  /** when it is over */
  readonly recovered: string;
}

/** Failures that can last, by their kind. `key` distinguishes several of a kind, for example webhooks. */
export interface Outages {
  failed(details?: Readonly<Record<string, string | undefined>>, key?: string): void;
  succeeded(key?: string): void;
}

interface Outage {
  readonly since: number;
  last: number;
  total: number;
  /** failures that no line has stated yet */
  unstated: number;
  readonly timer: NodeJS.Timeout;
  /** ends the outage if nothing fails until then */
  ending?: NodeJS.Timeout;
}

/** How often a failure that lasts is stated, in milliseconds. */
const interval = 60_000;
/**
 * Milliseconds without a failure after a success until the outage is over: some requests can succeed during an outage.
 */
const settled = 2000;
/** Maximum number of concurrent failures that are distinguished. */
const mostKeys = 1000;

/** Logs failures that last: the first at once, once a minute how many there were since, and the end with their number. */
export function createOutages(
  log: Pick<Logger, 'warn' | 'info'>,
  texts: Texts,
  now: () => number = () => performance.now(),
): Outages {
  const outages = new Map<string, Outage>();
  const state = (key: string, details: object): void => {
    const outage = outages.get(key);
    if (!outage || outage.unstated === 0) return;
    log.warn({ ...details, failures: outage.unstated, seconds: secondsSince(outage) }, texts.continues);
    outage.unstated = 0;
  };
  const end = (key: string, outage: Outage): void => {
    clearInterval(outage.timer);
    outages.delete(key);
    const about = key === '' ? {} : { about: key };
    log.info({ ...about, failures: outage.total, seconds: secondsSince(outage) }, texts.recovered);
  };
  const secondsSince = ({ since }: Outage): number => Math.round((now() - since) / 1000);
  return {
    failed(details = {}, key = '') {
      const outage = outages.get(key);
      if (outage) {
        outage.total += 1;
        outage.unstated += 1;
        outage.last = now();
        clearTimeout(outage.ending);
        delete outage.ending;
        return;
      }
      if (outages.size >= mostKeys) return;
      log.warn(details, texts.failed);
      const timer = setInterval(() => state(key, details), interval);
      timer.unref();
      outages.set(key, { since: now(), last: now(), total: 1, unstated: 0, timer });
    },
    succeeded(key = '') {
      if (outages.size === 0) return;
      const outage = outages.get(key);
      if (!outage || outage.ending) return;
      const rest = outage.last + settled - now();
      if (rest <= 0) end(key, outage);
      else outage.ending = setTimeout(() => end(key, outage), rest).unref();
    },
  };
}
