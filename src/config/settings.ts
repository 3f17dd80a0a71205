import { z } from 'zod';
import {
  certificateFile,
  databaseUrl,
  flag,
  folder,
  networks,
  parsedUrl,
  proxies,
  publicUrl,
  secretsKey,
  wholeNumber,
} from './setting-values.js';

/** One setting, as the README lists it. */
export interface SettingDescription {
  readonly name: string;
  /** as it is written in the environment; undefined where the setting has none */
  readonly default: string | undefined;
  readonly meaning: string;
  /** what a value has to look like, completing "must be …" */
  readonly expected: string;
}

interface Setting<Schema extends z.ZodType> extends SettingDescription {
  readonly schema: Schema;
  /** whether the value must not appear in a message */
  readonly secret: boolean;
}

const required = <Schema extends z.ZodType>(
  name: string,
  initial: string,
  schema: Schema,
  expected: string,
  meaning: string,
): Setting<Schema> => ({ name, default: initial, schema, expected, meaning, secret: false });

const optional = <Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  expected: string,
  meaning: string,
  secret = false,
): Setting<z.ZodOptional<Schema>> => ({
  name,
  default: undefined,
  schema: schema.optional(),
  expected,
  meaning,
  secret,
});

const megabyte = 1024 * 1024;
const mostBytes = 2048 * megabyte;

/** Every setting that there is, in the order of the README's table. */
export const definitions = {
  host: required(
    'HOST',
    '0.0.0.0',
    z.string().regex(/^[\w.:-]+$/),
    'a host name or an IP address',
    'Address to listen on.',
  ),
  port: required(
    'PORT',
    '8080',
    wholeNumber(0, 65_535),
    'a number from 0 to 65535',
    'Port to listen on; 0 takes a free one.',
  ),
  databaseUrl: required(
    'DATABASE_URL',
    'file:./data/realmgate.db',
    databaseUrl,
    '"file:" and the path of a SQLite file, or a postgresql:// address',
    'Where the data lives: a SQLite file, made when it is not there, or a PostgreSQL database.',
  ),
  databasePool: required(
    'DATABASE_POOL',
    '10',
    wholeNumber(1, 1000),
    'a number from 1 to 1000',
    'Most connections that one process opens to PostgreSQL, besides the one on which it hears of changes.',
  ),
  databaseStatementTimeout: required(
    'DATABASE_STATEMENT_TIMEOUT',
    '60',
    wholeNumber(1, 3600),
    'a number of seconds from 1 to 3600',
    'How long PostgreSQL may take for one statement, in seconds; then it is given up, and its connection if that is silent.',
  ),
  workers: required(
    'WORKERS',
    '1',
    wholeNumber(1, 64),
    'a number from 1 to 64',
    'How many processes serve on this machine. With more than one, a further process starts and restarts them.',
  ),
  sqliteSynchronous: required(
    'SQLITE_SYNCHRONOUS',
    'FULL',
    z.enum(['FULL', 'NORMAL']),
    'FULL or NORMAL',
    'FULL keeps every committed write through a power cut; NORMAL is faster and may lose the last ones.',
  ),
  adminUsername: required(
    'ADMIN_USERNAME',
    'admin',
    z
      .string()
      .trim()
      .min(1)
      .max(255)
      .transform((text) => text.toLowerCase()),
    'a user name of at most 255 characters',
    'Name of the administrator that is made when the database is empty.',
  ),
  adminPassword: optional('ADMIN_PASSWORD', z.string().min(1), 'a password', 'Password of that administrator.', true),
  publicUrl: optional(
    'PUBLIC_URL',
    publicUrl,
    'an http or https address without a slash at the end',
    'Address under which clients reach the service. Issuers, locations and links are made of it; without it, of the Host header of each request.',
  ),
  hosts: optional(
    'HOSTS',
    networks,
    'host names and addresses, with commas in between',
    'Host names under which clients reach the service, with commas in between. Without PUBLIC_URL, mails with links are sent only for requests to these, to localhost and to private addresses.',
  ),
  logLevel: required(
    'LOG_LEVEL',
    'info',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'fatal, error, warn, info, debug, trace or silent',
    'The least important messages that are logged.',
  ),
  secretsKey: optional(
    'SECRETS_KEY',
    secretsKey,
    '32 bytes in base64 or in hexadecimal digits',
    'Key that encrypts the secrets in the database. Keep it: without it they cannot be read again.',
    true,
  ),
  secretsKeyPrevious: optional(
    'SECRETS_KEY_PREVIOUS',
    secretsKey,
    '32 bytes in base64 or in hexadecimal digits',
    'The key before SECRETS_KEY, as long as `npm run rotate-secrets-key` has not encrypted everything with the new one.',
    true,
  ),
  bodyLimit: required(
    'BODY_LIMIT',
    String(10 * megabyte),
    wholeNumber(1024, mostBytes),
    `a number of bytes from 1024 to ${mostBytes}`,
    'Largest request body, in bytes.',
  ),
  importBodyLimit: required(
    'IMPORT_BODY_LIMIT',
    String(256 * megabyte),
    wholeNumber(1024, mostBytes),
    `a number of bytes from 1024 to ${mostBytes}`,
    'Largest request body of a realm import, in bytes.',
  ),
  graphiql: required('GRAPHIQL', 'true', flag, 'true or false', 'Whether browsers get the GraphQL explorer.'),
  graphqlOrigins: optional(
    'GRAPHQL_ORIGINS',
    z
      .string()
      .transform((text) => text.split(',').map((origin) => origin.trim()))
      .refine((origins) => origins.every((origin) => origin === '*' || parsedUrl(origin)?.origin === origin)),
    'origins such as https://admin.example, with commas in between, or *',
    'Origins of pages elsewhere that may use GraphQL; none unless told.',
  ),
  graphqlIntrospection: required(
    'GRAPHQL_INTROSPECTION',
    'everybody',
    z.enum(['everybody', 'authenticated', 'administrators']),
    'everybody, authenticated or administrators',
    'Who may ask for the GraphQL schema: everybody, callers with a token, or callers with an administration role.',
  ),
  subscriptionsPerCaller: required(
    'SUBSCRIPTIONS_PER_CALLER',
    '50',
    wholeNumber(1, 100_000),
    'a number from 1 to 100000',
    'Most subscriptions of one user that one process keeps at the same time, by server-sent events and WebSockets together.',
  ),
  connectionsPerAddress: required(
    'CONNECTIONS_PER_ADDRESS',
    '100',
    wholeNumber(1, 100_000),
    'a number from 1 to 100000',
    'Most WebSockets and subscriptions by server-sent events from one address that one process keeps at the same time.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    wholeNumber(1, 65_535),
    'a number from 1 to 65535',
    'Port for `/metrics`, which is then not served on `PORT`. Without it and `METRICS_TOKEN`, only programs on the same machine can read the metrics.',
  ),
  metricsToken: optional(
    'METRICS_TOKEN',
    z.string().regex(/^\S{16,}$/),
    'a text of at least 16 characters without spaces',
    'Bearer token that `/metrics` requires.',
    true,
  ),
  shutdownTimeout: required(
    'SHUTDOWN_TIMEOUT',
    '10',
    wholeNumber(0, 3600),
    'a number of seconds from 0 to 3600',
    'How long running requests may go on after the signal to stop, in seconds.',
  ),
  trustProxy: required(
    'TRUST_PROXY',
    'false',
    proxies,
    'true, false, a number of proxies, or their addresses and networks with commas in between',
    'Proxies whose X-Forwarded headers are believed: how many stand one behind the other (true: 1), or their addresses and CIDRs with commas in between. A number is only for a service that nothing but these proxies can reach.',
  ),
  maxConcurrentRequests: required(
    'MAX_CONCURRENT_REQUESTS',
    '256',
    wholeNumber(1, 100_000),
    'a number from 1 to 100000',
    'How many requests one process works on at the same time, and a quarter as many token requests; further ones wait.',
  ),
  maxQueuedRequests: required(
    'MAX_QUEUED_REQUESTS',
    '1024',
    wholeNumber(0, 100_000),
    'a number from 0 to 100000',
    'How many requests may wait for that, for five seconds at most; beyond, the answer is 503 at once.',
  ),
  clientTimeout: required(
    'CLIENT_TIMEOUT',
    '30',
    wholeNumber(1, 3600),
    'a number of seconds from 1 to 3600',
    'How long a client may keep its request or its answer waiting, in seconds; slow ones need 16 KiB in a second from then on.',
  ),
  rateLimitAddress: required(
    'RATE_LIMIT_ADDRESS',
    '0',
    wholeNumber(0, 1_000_000),
    'a number from 0 to 1000000',
    'How many logins and token requests one process takes from one address in a minute; 0 for any number.',
  ),
  rateLimitClient: required(
    'RATE_LIMIT_CLIENT',
    '0',
    wholeNumber(0, 1_000_000),
    'a number from 0 to 1000000',
    'How many token requests one process takes for one client in a minute; 0 for any number.',
  ),
  failuresAddress: required(
    'RATE_LIMIT_FAILURES_ADDRESS',
    '300',
    wholeNumber(0, 1_000_000),
    'a number from 0 to 1000000',
    'How many failed logins and failed proofs of clients one process takes from one address in five minutes; 0 for any number.',
  ),
  failuresAccount: required(
    'RATE_LIMIT_FAILURES_ACCOUNT',
    '100',
    wholeNumber(0, 1_000_000),
    'a number from 0 to 1000000',
    'How many failed logins one process takes for one user or client in five minutes, from all addresses; 0 for any number.',
  ),
  hashThreads: required(
    'HASH_THREADS',
    '2',
    wholeNumber(1, 64),
    'a number from 1 to 64',
    'How many passwords are hashed at the same time; further ones wait.',
  ),
  mailAuthorities: optional(
    'MAIL_CA_FILE',
    certificateFile,
    'the path of a file with certificates in PEM',
    'File with the certificates of authorities that mail servers are trusted by, besides the well-known ones.',
  ),
  ldapAuthorities: optional(
    'LDAP_CA_FILE',
    certificateFile,
    'the path of a file with certificates in PEM',
    'File with the certificates of authorities that directories are trusted by, besides the well-known ones.',
  ),
  keyStoreFolder: optional(
    'KEY_STORE_FOLDER',
    folder,
    'the path of a folder',
    'Folder with the key stores that key providers may read, by paths relative to it. Without it none are read.',
  ),
  passwordBlacklists: optional(
    'PASSWORD_BLACKLISTS',
    folder,
    'the path of a folder',
    'Folder with lists of passwords that nobody may have, one in a line; password policies go by the names of the files.',
  ),
  fetchPrivateAddresses: required(
    'FETCH_PRIVATE_ADDRESSES',
    'false',
    flag,
    'true or false',
    'Whether requests to addresses that clients and administrators name (key sets, metadata, admin addresses, back-channel logout) may go to addresses that are not of the public internet.',
  ),
  fetchAllowedNetworks: optional(
    'FETCH_ALLOWED_NETWORKS',
    networks,
    'addresses, CIDRs and host names, with commas in between',
    'Networks and hosts that such requests and webhooks may go to although they are not of the public internet: addresses, CIDRs and host names, with commas in between.',
  ),
  webhookPrivateAddresses: required(
    'WEBHOOK_PRIVATE_ADDRESSES',
    'false',
    flag,
    'true or false',
    'Whether webhooks may lead to addresses that are not of the public internet, such as those of the own network.',
  ),
  webhookAttempts: required(
    'WEBHOOK_ATTEMPTS',
    '20',
    wholeNumber(1, 1000),
    'a number from 1 to 1000',
    'After how many attempts in a row that failed a webhook is disabled.',
  ),
  webhookRetryWait: required(
    'WEBHOOK_RETRY_WAIT',
    '5',
    wholeNumber(1, 3600),
    'a number of seconds from 1 to 3600',
    'How long the first wait after such an attempt is, in seconds; each further one is twice as long, an hour at most.',
  ),
} satisfies Record<string, Setting<z.ZodType>>;
