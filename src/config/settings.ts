import { z } from 'zod';
import {
  auditEvents,
  auditFile,
  certificateFile,
  databaseUrl,
  documentsFile,
  flag,
  folder,
  networks,
  parsedUrl,
  proxies,
  publicUrl,
  secretsKey,
  wholeNumber,
} from './setting-values.js';

/** One setting, as docs/settings.md lists it. */
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

/** Every setting that there is, in the order of the table in docs/settings.md. */
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
    'Port to listen on. 0: any free port.',
  ),
  databaseUrl: required(
    'DATABASE_URL',
    'file:./data/realmgate.db',
    databaseUrl,
    '"file:" and the path of a SQLite file, or a postgresql:// URL',
    'Database: a SQLite file, which is created if missing, or a PostgreSQL database. Several hosts, separated by commas: the one that takes writes is used (`postgresql://one,two/realmgate`).',
  ),
  databaseDirectUrl: optional(
    'DATABASE_DIRECT_URL',
    databaseUrl.refine((url) => !url.startsWith('file:')),
    'a postgresql:// URL',
    'PostgreSQL without the pooler, if `DATABASE_URL` leads to a pooler such as PgBouncer in transaction mode. Used for migrations and notifications.',
  ),
  databaseReadUrl: optional(
    'DATABASE_READ_URL',
    databaseUrl.refine((url) => !url.startsWith('file:')),
    'a postgresql:// URL',
    'Standbys of the PostgreSQL database, separated by commas (`postgresql://one,two/realmgate`). Long reads go there, and see what was committed before they were asked for.',
  ),
  databasePool: required(
    'DATABASE_POOL',
    '10',
    wholeNumber(1, 1000),
    'a number from 1 to 1000',
    'Maximum number of PostgreSQL connections of one process, in addition to one for change notifications.',
  ),
  databaseStatementTimeout: required(
    'DATABASE_STATEMENT_TIMEOUT',
    '60',
    wholeNumber(1, 3600),
    'a number of seconds from 1 to 3600',
    'Seconds after which a PostgreSQL statement is cancelled. If the connection does not respond, it is closed too.',
  ),
  databaseSharedTransactions: required(
    'DATABASE_SHARED_TRANSACTIONS',
    'true',
    flag,
    'true or false',
    'Whether short writes that arrive at the same time share a PostgreSQL transaction.',
  ),
  workers: required(
    'WORKERS',
    '1',
    wholeNumber(1, 64),
    'a number from 1 to 64',
    'Number of server processes on this machine. With more than one, an additional process starts and restarts them.',
  ),
  sqliteSynchronous: required(
    'SQLITE_SYNCHRONOUS',
    'FULL',
    z.enum(['FULL', 'NORMAL']),
    'FULL or NORMAL',
    '`FULL`: every committed write survives a power failure. `NORMAL`: faster, but the last writes can be lost.',
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
    'a username of at most 255 characters',
    'Username of the administrator that is created in an empty database.',
  ),
  adminPassword: optional(
    'ADMIN_PASSWORD',
    z.string().min(1),
    'a password',
    'Password of the administrator that is created in an empty database. Default: a random password, printed once.',
    true,
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    publicUrl,
    'an http or https URL without a trailing slash',
    'URL under which clients reach the service, used for issuers, locations, and links. Default: the Host header of each request.',
  ),
  hosts: optional(
    'HOSTS',
    networks,
    'host names and addresses, separated by commas',
    'Host names under which clients reach the service, separated by commas. Without `PUBLIC_URL`, emails with links are sent only for requests to these names, localhost, and private addresses.',
  ),
  logLevel: required(
    'LOG_LEVEL',
    'info',
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'fatal, error, warn, info, debug, trace or silent',
    'Minimum level of logged messages.',
  ),
  secretsKey: optional(
    'SECRETS_KEY',
    secretsKey,
    '32 bytes in base64 or in hexadecimal digits',
    'Key that encrypts the secrets in the database. Encrypted secrets cannot be read without it. Default: secrets are not encrypted.',
    true,
  ),
  secretsKeyPrevious: optional(
    'SECRETS_KEY_PREVIOUS',
    secretsKey,
    '32 bytes in base64 or in hexadecimal digits',
    'Previous value of `SECRETS_KEY`, needed until `npm run rotate-secrets-key` has encrypted everything with the new key.',
    true,
  ),
  bodyLimit: required(
    'BODY_LIMIT',
    String(10 * megabyte),
    wholeNumber(1024, mostBytes),
    `a number of bytes from 1024 to ${mostBytes}`,
    'Maximum size of a request body, in bytes.',
  ),
  importBodyLimit: required(
    'IMPORT_BODY_LIMIT',
    String(256 * megabyte),
    wholeNumber(1024, mostBytes),
    `a number of bytes from 1024 to ${mostBytes}`,
    'Maximum size of the request body of a realm import, plan, or apply, in bytes.',
  ),
  graphiql: required(
    'GRAPHIQL',
    'true',
    flag,
    'true or false',
    'Whether `/graphql` shows the GraphQL explorer in browsers.',
  ),
  graphqlOrigins: optional(
    'GRAPHQL_ORIGINS',
    z
      .string()
      .transform((text) => text.split(',').map((origin) => origin.trim()))
      .refine((origins) => origins.every((origin) => origin === '*' || parsedUrl(origin)?.origin === origin)),
    'origins such as https://admin.example, separated by commas, or *',
    'Origins whose pages may use GraphQL (CORS), separated by commas. `*`: all. Default: none.',
  ),
  graphqlIntrospection: required(
    'GRAPHQL_INTROSPECTION',
    'everybody',
    z.enum(['everybody', 'authenticated', 'administrators']),
    'everybody, authenticated or administrators',
    'Callers who may use introspection: all (`everybody`), callers with a token (`authenticated`), or callers with an administration role (`administrators`).',
  ),
  trustedDocuments: optional(
    'TRUSTED_DOCUMENTS',
    documentsFile,
    'the path of a JSON file with GraphQL documents by their hashes or IDs, or of an Apollo manifest',
    'JSON file with GraphQL documents that clients can name instead of sending them.',
  ),
  trustedDocumentsOnly: required(
    'TRUSTED_DOCUMENTS_ONLY',
    'false',
    flag,
    'true or false',
    'Whether only the documents of `TRUSTED_DOCUMENTS` are executed. GraphiQL is then not available.',
  ),
  subscriptionsPerCaller: required(
    'SUBSCRIPTIONS_PER_CALLER',
    '50',
    wholeNumber(1, 100_000),
    'a number from 1 to 100000',
    'Maximum number of concurrent subscriptions of one user in one process.',
  ),
  connectionsPerAddress: required(
    'CONNECTIONS_PER_ADDRESS',
    '100',
    wholeNumber(1, 100_000),
    'a number from 1 to 100000',
    'Maximum number of concurrent WebSockets and server-sent event streams from one IP address in one process.',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    wholeNumber(1, 65_535),
    'a number from 1 to 65535',
    'Port for `/metrics`, which is then not served on `PORT`. Without this setting and `METRICS_TOKEN`, only programs on the same machine can read the metrics.',
  ),
  metricsToken: optional(
    'METRICS_TOKEN',
    z.string().regex(/^\S{16,}$/),
    'at least 16 characters without spaces',
    'Bearer token that `/metrics` requires.',
    true,
  ),
  shutdownTimeout: required(
    'SHUTDOWN_TIMEOUT',
    '10',
    wholeNumber(0, 3600),
    'a number of seconds from 0 to 3600',
    'Seconds that running requests have to complete after SIGTERM.',
  ),
  trustProxy: required(
    'TRUST_PROXY',
    'false',
    proxies,
    'true, false, a number of proxies, or their addresses and networks separated by commas',
    'Proxies whose X-Forwarded headers are trusted: the number of proxies in the chain (`true`: 1), or their addresses and CIDRs, separated by commas. Use a number only if the service can be reached only through these proxies.',
  ),
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
  mailAuthorities: optional(
    'MAIL_CA_FILE',
    certificateFile,
    'the path of a file with certificates in PEM',
    'PEM file with certificate authorities that are trusted for mail servers, in addition to the well-known ones.',
  ),
  ldapAuthorities: optional(
    'LDAP_CA_FILE',
    certificateFile,
    'the path of a file with certificates in PEM',
    'PEM file with certificate authorities that are trusted for directories, in addition to the well-known ones.',
  ),
  keyStoreFolder: optional(
    'KEY_STORE_FOLDER',
    folder,
    'the path of a folder',
    'Folder with the key stores that key providers may read, by relative path. Default: none are read.',
  ),
  passwordBlacklists: optional(
    'PASSWORD_BLACKLISTS',
    folder,
    'the path of a folder',
    'Folder with lists of forbidden passwords, one per line. Password policies refer to a list by its file name.',
  ),
  fetchPrivateAddresses: required(
    'FETCH_PRIVATE_ADDRESSES',
    'false',
    flag,
    'true or false',
    'Whether requests to URLs that clients and administrators configure (key sets, metadata, admin URLs, back-channel logout) may go to private addresses.',
  ),
  fetchAllowedNetworks: optional(
    'FETCH_ALLOWED_NETWORKS',
    networks,
    'addresses, CIDRs and host names, separated by commas',
    'Private networks and hosts to which requests to configured URLs and webhooks may go: addresses, CIDRs, and host names, separated by commas.',
  ),
  webhookPrivateAddresses: required(
    'WEBHOOK_PRIVATE_ADDRESSES',
    'false',
    flag,
    'true or false',
    'Whether webhooks may go to private addresses.',
  ),
  webhookAttempts: required(
    'WEBHOOK_ATTEMPTS',
    '20',
    wholeNumber(1, 1000),
    'a number from 1 to 1000',
    'Number of consecutive failed attempts after which a webhook is disabled.',
  ),
  webhookRetryWait: required(
    'WEBHOOK_RETRY_WAIT',
    '5',
    wholeNumber(1, 3600),
    'a number of seconds from 1 to 3600',
    'Seconds to wait after the first failed webhook attempt. Each further wait is twice as long, at most one hour.',
  ),
  auditFile: optional(
    'AUDIT_FILE',
    auditFile,
    'the path of a file in a folder that exists, or - for the standard output',
    'File to which committed events are appended as JSON lines. `-` or `stdout`: the standard output. Default: none.',
  ),
  auditEvents: required(
    'AUDIT_EVENTS',
    'admin',
    auditEvents,
    'admin, login, or both separated by a comma',
    'Kinds of events that `AUDIT_FILE` receives: `admin`, `login`, or `admin,login`.',
  ),
  auditChain: required(
    'AUDIT_CHAIN',
    'false',
    flag,
    'true or false',
    'Whether admin events are sealed in a chain of hashes, which `realmgate verify-audit` verifies.',
  ),
} satisfies Record<string, Setting<z.ZodType>>;
