import { limit } from '../../config/limits.js';
import { clientById } from '../../services/clients/locate.js';
import { mask } from '../../services/core/mask.js';
import { perform } from '../../services/core/perform.js';
import { Refusal } from '../../services/core/refusal.js';
import { smtpOf } from '../../services/mail/settings.js';
import { testSmtp } from '../../services/mail/test-mail.js';
import { wholeExport } from '../../services/realms/export/whole.js';
import { realmById } from '../../services/realms/locate.js';
import { partialImport } from '../../services/realms/partial-import/operation.js';
import type { Imported, ImportResult } from '../../services/realms/partial-import/results.js';
import {
  clearKeysCache,
  clearRealmCache,
  clearUserCache,
  logoutAll,
  pushClientRevocation,
  pushRevocation,
  type Told,
} from '../../services/realms/upkeep.js';
import { builder } from '../core/builder.js';
import { disclose, hidesSecrets } from '../core/disclosure.js';
import { apart } from '../core/limits.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, nodeId } from '../core/node.js';
import { visibleNode } from '../core/nodes.js';
import { JsonFileInput, jsonOf, pathInFile } from '../core/upload.js';
import { realmTarget } from './mutations.js';
import { Realm } from './realms.js';
import { sentSmtp, settingPath } from './translation.js';
import { SmtpInput } from './types.js';

const ImportPolicy = builder.enumType('ImportPolicy', {
  description: 'How an import treats objects that already exist.',
  values: {
    FAIL: { description: 'Refuses the whole import.' },
    SKIP: { description: 'Keeps the existing object.' },
    OVERWRITE: { description: 'Replaces the existing object by the imported one, which gets a new ID.' },
  },
});

const ImportAction = builder.enumType('ImportAction', {
  description: 'What an import did with an object.',
  values: {
    ADDED: { description: 'The object was created.' },
    OVERWRITTEN: { description: 'The object replaced an existing one.' },
    SKIPPED: { description: 'An existing object was kept.' },
  },
});

const ImportedKind = builder.enumType('ImportedKind', {
  description: 'Kind of object that can be imported into a realm.',
  values: {
    CLIENT: { description: 'A client of the realm.' },
    REALM_ROLE: { description: 'A realm role.' },
    CLIENT_ROLE: { description: 'A client role.' },
    IDENTITY_PROVIDER: { value: 'IDP', description: 'An identity provider.' },
    GROUP: { description: 'A top-level group with its subgroups.' },
    USER: { description: 'A user of the realm.' },
  },
});

/** Types of the objects that `node` finds. */
const nodeTypes: Record<ImportResult['kind'], string> = {
  CLIENT: 'Client',
  REALM_ROLE: 'Role',
  CLIENT_ROLE: 'Role',
  IDP: 'IdentityProvider',
  GROUP: 'Group',
  USER: 'User',
};

const ImportResultRef = builder.objectRef<ImportResult>('ImportResult').implement({
  description: 'Result of the import of one object.',
  fields: (t) => ({
    action: t.field({
      type: ImportAction,
      description: 'What the import did with the object.',
      resolve: ({ action }) => action,
    }),
    kind: t.field({
      type: ImportedKind,
      description: 'Kind of the imported object.',
      resolve: ({ kind }) => kind,
    }),
    name: t.exposeString('name', { description: 'Name of the object: username, clientId, alias, or similar.' }),
    clientId: t.string({
      nullable: true,
      description: 'clientId of the client that an imported client role belongs to. Null for other objects.',
      resolve: ({ client }) => client?.clientId ?? null,
    }),
    objectId: t.id({
      description: 'ID of the object in the realm, for `node`.',
      resolve: ({ kind, id }) => nodeId(nodeTypes[kind], id),
    }),
    object: t.field({
      type: builder.nodeInterfaceRef(),
      nullable: true,
      description: 'The object in the realm. Null if the caller may not view it.',
      resolve: ({ kind, id }, _args, ctx, info) => visibleNode(ctx, info, { typename: nodeTypes[kind], id }),
    }),
  }),
});

const id = 'ID of the realm.';

mutation('realmPartialImport', {
  description: 'Imports users, clients, groups, roles, and identity providers into a realm: all of them or none.',
  operation: partialImport,
  input: (t) => ({
    id: t.id({ required: true, description: id }),
    policy: t.field({ type: ImportPolicy, description: 'How existing objects are treated. Default `FAIL`.' }),
    representation: t.field({
      type: JsonFileInput,
      required: true,
      description: 'The objects as PartialImportRepresentation of the REST API.',
    }),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.id),
  send: async ({ policy, representation }, ctx) => {
    const file = await jsonOf(representation, ctx.services.config.importBodyLimit);
    if (policy == null || typeof file !== 'object' || file === null) return file;
    return { ...file, policy, ifResourceExists: policy };
  },
  fieldsOf: ({ representation }) => pathInFile('representation', representation),
  values: {
    results: {
      type: ImportResultRef,
      list: true,
      description: 'Result for each imported object.',
      of: ({ results }: Imported) => results,
    },
  },
});

const addresses = (of: 'successRequests' | 'failedRequests', description: string) => ({
  [of]: { type: 'String', list: true, description, of: (told: Told) => told[of] ?? [] },
});
const told = {
  ...addresses('successRequests', 'Admin URLs of the clients that were notified.'),
  ...addresses('failedRequests', 'Admin URLs of the clients that could not be notified.'),
};

mutation('realmLogoutAll', {
  description: 'Ends all sessions of a realm and revokes every token issued until now.',
  operation: logoutAll,
  input: (t) => ({ id: t.id({ required: true, description: id }) }),
  locate: (input, ctx) => realmTarget(ctx, input.id),
  values: told,
});

for (const [name, operation, what] of [
  ['realmClearCache', clearRealmCache, 'the realm and its roles'],
  ['realmClearUserCache', clearUserCache, 'the permissions of users'],
  ['realmClearKeysCache', clearKeysCache, 'keys'],
] as const) {
  mutation(name, {
    description: `Clears the caches of all server instances for ${what}.`,
    operation,
    input: (t) => ({ id: t.id({ required: true, description: id }) }),
    locate: (input, ctx) => realmTarget(ctx, String(input.id)),
  });
}

mutation('realmPushRevocation', {
  description: 'Sends the revocation time of a realm to its clients: tokens issued earlier are rejected.',
  operation: pushRevocation,
  input: (t) => ({ id: t.id({ required: true, description: id }) }),
  locate: (input, ctx) => realmTarget(ctx, input.id),
  values: told,
});

mutation('clientPushRevocation', {
  description: 'Sends the revocation time to a client: tokens issued earlier are rejected.',
  operation: pushClientRevocation,
  input: (t) => ({ id: t.id({ required: true, description: 'ID of the client.' }) }),
  locate: async (input, ctx) => {
    const { realm, id: row } = await locatedNode(ctx, input.id, 'id', 'Client');
    return clientById(ctx, realm, row);
  },
  values: told,
});

mutation('realmTestSmtp', {
  description: 'Sends a test email through an SMTP server.',
  operation: testSmtp,
  input: (t) => ({
    id: t.id({ required: true, description: id }),
    recipient: t.string({ description: 'Address that receives the email. Default: the address of the caller.' }),
    smtp: t.field({ type: SmtpInput, description: 'Settings to test. Default: the settings of the realm.' }),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.id),
  send: (input, _ctx, { realm }) => {
    const stored = () => ({ ...smtpOf(realm), ...(realm.smtpPassword !== null && { password: mask }) });
    const settings = input.smtp == null ? stored() : sentSmtp(input.smtp);
    return { ...settings, ...(input.recipient && { recipient: input.recipient }) };
  },
  fieldOf: (field) => (field === 'recipient' ? field : settingPath(`smtpServer.${field}`)),
});

/** Longest text that an export in GraphQL may have, in characters; REST sends any as a stream. */
const longestExport = limit(
  'GraphQL',
  'Export of a realm as a field; REST sends any as a stream',
  20_000_000,
  'characters',
  '`TOO_LARGE`',
);

builder.prismaObjectField(Realm, 'export', (t) =>
  t.field({
    type: 'JSON',
    nullable: true,
    description:
      'The whole realm as a file that can be imported. Requires permissions to view all of it; `includeSecrets` requires permissions to manage it. The REST API also streams larger realms.',
    requires: { operation: wholeExport, isChecked: true },
    args: {
      includeUsers: t.arg.boolean({ description: 'Whether the export contains users. Default true.' }),
      includeSecrets: t.arg.boolean({
        description:
          'Whether the export contains secrets and user credentials instead of masks. Default false. Such an export is null in a dry run.',
      }),
    },
    complexity: apart,
    resolve: async ({ id: realmId }, { includeUsers: users, includeSecrets: secrets }, ctx) => {
      if (secrets && hidesSecrets(ctx)) return null;
      const found = await realmById(ctx, realmId);
      const pieces: string[] = [];
      let length = 0;
      for await (const piece of await perform(ctx, wholeExport, async () => ({ realm: found }), { users, secrets })) {
        length += piece.length;
        if (length > longestExport)
          throw new Refusal(
            'tooCostly',
            `The export is longer than ${longestExport} characters: use \`GET /{realm}/export\` of the REST API`,
          );
        pieces.push(piece);
      }
      if (secrets) await disclose(ctx, { realmId, resourceType: 'REALM', resourcePath: 'export' });
      return JSON.parse(pieces.join(''));
    },
  }),
);
