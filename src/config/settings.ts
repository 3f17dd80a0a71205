import { z } from 'zod';
import { databaseDefinitions } from './database-settings.js';
import { limitDefinitions } from './limit-settings.js';
import { outgoingDefinitions } from './outgoing-settings.js';
import { optional, required, type Setting } from './setting.js';
import {
  addressPrefixes,
  auditEvents,
  auditFile,
  documentsFile,
  flag,
  networks,
  parsedUrl,
  proxies,
  publicUrl,
  secretsKey,
  wholeNumber,
} from './setting-values.js';
import { telemetryDefinitions } from './telemetry-settings.js';

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
  ...databaseDefinitions,
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
  logUsers: required(
    'LOG_USERS',
    'name',
    z.enum(['name', 'hash']),
    'name or hash',
    'How lines about refused logins show the user: as the name that was entered (`name`), or as a hash of it that is keyed with `SECRETS_KEY` (`hash`). Some users enter their password as the name.',
  ),
  accessLog: required(
    'ACCESS_LOG',
    'false',
    flag,
    'true or false',
    'Whether the log has a line for each request, with method, path, status, duration in milliseconds, address, and ID. Query strings are left out.',
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
  console: required(
    'CONSOLE',
    'true',
    flag,
    'true or false',
    'Whether `/console/` shows the administration console in browsers.',
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
  restMount: required(
    'REST_MOUNT',
    'both',
    z.enum(['both', 'admin', 'documented']),
    'both, admin or documented',
    'Paths at which the REST API answers: `/auth/admin/realms/…`, which existing tools use (`admin`), `/auth/{realm}/…` (`documented`), or `both`. The commands of `realmgate` for a server use the first.',
  ),
  addressPrefix: required(
    'ADDRESS_PREFIX',
    'auth',
    addressPrefixes,
    'auth, none, or both, separated by a comma',
    'Prefix of the addresses. `auth`: `/auth/realms/…` and `/auth/admin/realms/…`, as up to Keycloak 16. `none`: `/realms/…`, `/admin/realms/…`, and `/resources/…`, as since Keycloak 17. `auth,none` and `none,auth`: both. The first one is the prefix of issuers, discovery, redirects, cookies, and links. The commands of `realmgate` for a server and the REST reference use `auth`.',
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
    'Whether only the documents of `TRUSTED_DOCUMENTS` are executed. GraphiQL and the console are then not available.',
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
    'Seconds that running requests have to complete, after `SHUTDOWN_DELAY`.',
  ),
  shutdownDelay: required(
    'SHUTDOWN_DELAY',
    '5',
    wholeNumber(0, 600),
    'a number of seconds from 0 to 600',
    'Seconds after SIGTERM in which `/health/ready` answers 503 and requests are still served, so that proxies stop sending them. SIGINT ends this time at once.',
  ),
  readyRequires: required(
    'READY_REQUIRES',
    'reads',
    z.enum(['reads', 'writes']),
    'reads or writes',
    'What an instance must be able to do for `/health/ready` to answer 200: read the database (`reads`), or also write to it (`writes`).',
  ),
  trustProxy: required(
    'TRUST_PROXY',
    'false',
    proxies,
    'true, false, a number of proxies, or their addresses and networks separated by commas',
    'Proxies whose X-Forwarded headers are trusted: the number of proxies in the chain (`true`: 1), or their addresses and CIDRs, separated by commas. Use a number only if the service can be reached only through these proxies.',
  ),
  clientCertificateHeader: optional(
    'CLIENT_CERTIFICATE_HEADER',
    z
      .string()
      .regex(/^[\w-]+$/)
      .transform((name) => name.toLowerCase()),
    'the name of a header',
    'Header in which a trusted proxy (`TRUST_PROXY`) passes on the certificate of the client that it has verified: PEM with percent-encoding, or DER in base64. The proxy must remove the header from requests without a certificate. Default: certificates of clients are not known.',
  ),
  ...limitDefinitions,
  ...outgoingDefinitions,
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
  ...telemetryDefinitions,
} satisfies Record<string, Setting<z.ZodType>>;
