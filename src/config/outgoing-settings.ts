import type { z } from 'zod';
import { optional, required, type Setting } from './setting.js';
import { certificateFile, flag, folder, networks, publicUrl, wholeNumber } from './setting-values.js';

/** The settings of connections to other servers, and of what is read from files for them. */
export const outgoingDefinitions = {
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
  cibaChannelUrl: optional(
    'CIBA_CHANNEL_URL',
    publicUrl,
    'an http or https URL without query, fragment, or trailing slash',
    'URL that receives requests of clients to users (client-initiated backchannel authentication). Default: users answer them on the pages of their accounts only.',
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
} satisfies Record<string, Setting<z.ZodType>>;
