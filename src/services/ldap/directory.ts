import { type Config, flagOf, numberOf, one } from '../user-storage/config.js';

/** How a directory is reached. Times are in milliseconds. */
export interface Directory {
  /** addresses that are tried one after the other, `ldap://` or `ldaps://` */
  urls: readonly string[];
  startTls: boolean;
  /** undefined for anonymous access */
  bindDn: string | undefined;
  bindCredential: string | undefined;
  connectTimeout: number;
  readTimeout: number;
  /** maximum concurrent connections; 0: connections are not pooled */
  pool: number;
  /** whether referrals to other servers are followed, with the bind DN and its password */
  followsReferrals: boolean;
  /** whether the configured authorities are trusted besides the well-known ones */
  usesAuthorities: boolean;
}

const standardTimeout = 10_000;
const standardPool = 8;
/** Maximum milliseconds of a timer of Node.js. */
const longestTimer = 2 ** 31 - 1;

/** The directory that the settings of a storage name, with its secrets. */
export function directoryOf(config: Config): Directory {
  const anonymous = (one(config, 'authType') ?? 'simple') === 'none';
  const positive = (name: string, standard: number) => {
    const value = numberOf(config, name, standard);
    return value > 0 ? Math.min(value, longestTimer) : standard;
  };
  return {
    urls: (one(config, 'connectionUrl') ?? '').split(/\s+/).filter((url) => url !== ''),
    startTls: flagOf(config, 'startTls'),
    bindDn: anonymous ? undefined : one(config, 'bindDn'),
    bindCredential: anonymous ? undefined : config.bindCredential?.[0],
    connectTimeout: positive('connectionTimeout', standardTimeout),
    readTimeout: positive('readTimeout', 30_000),
    pool: flagOf(config, 'connectionPooling', true) ? positive('connectionPoolingMaxSize', standardPool) : 0,
    followsReferrals: one(config, 'referral') === 'follow',
    usesAuthorities: one(config, 'useTruststoreSpi') !== 'never',
  };
}
