import { clientById } from '../../services/clients/locate.js';
import { parsedJson } from '../../services/core/json-file.js';
import { perform } from '../../services/core/perform.js';
import { invalid, Refusal } from '../../services/core/refusal.js';
import { smtpOf } from '../../services/mail/settings.js';
import { testSmtp } from '../../services/mail/test-mail.js';
import { realmById } from '../../services/realms/locate.js';
import { mask } from '../../services/realms/mask.js';
import { partialImport } from '../../services/realms/partial-import.js';
import type { Imported, ImportResult } from '../../services/realms/partial-import-results.js';
import {
  clearKeysCache,
  clearRealmCache,
  clearUserCache,
  logoutAll,
  pushClientRevocation,
  pushRevocation,
  type Told,
} from '../../services/realms/upkeep.js';
import { wholeExport } from '../../services/realms/whole-export.js';
import { builder } from '../core/builder.js';
import { disclose } from '../core/disclosure.js';
import { mutation } from '../core/mutation.js';
import { locatedNode, nodeId } from '../core/node.js';
import { realmTarget } from './mutations.js';
import { Realm } from './realms.js';

const ImportPolicy = builder.enumType('ImportPolicy', {
  description: 'What an import does with something that is there already.',
  values: {
    FAIL: { description: 'Refuse the whole import.' },
    SKIP: { description: 'Leave what is there as it is.' },
    OVERWRITE: { description: 'Delete what is there, and add what the file has under a new id.' },
  },
});

const ImportAction = builder.enumType('ImportAction', {
  description: 'What became of something in a file.',
  values: {
    ADDED: { description: 'It was not there before.' },
    OVERWRITTEN: { description: 'It took the place of what was there.' },
    SKIPPED: { description: 'What was there stays as it is.' },
  },
});

const ImportedKind = builder.enumType('ImportedKind', {
  description: 'What can be imported into a realm.',
  values: {
    CLIENT: { description: 'A client.' },
    REALM_ROLE: { description: 'A role of the realm.' },
    CLIENT_ROLE: { description: 'A role of a client.' },
    IDENTITY_PROVIDER: { value: 'IDP', description: 'An identity provider.' },
    GROUP: { description: 'A group of the top level, with everything below it.' },
    USER: { description: 'A user.' },
  },
});

/** Types of the objects that `node` finds. */
const nodeTypes: Partial<Record<ImportResult['kind'], string>> = {
  CLIENT: 'Client',
  REALM_ROLE: 'Role',
  CLIENT_ROLE: 'Role',
  GROUP: 'Group',
  USER: 'User',
};

const ImportResultRef = builder.objectRef<ImportResult>('ImportResult').implement({
  description: 'What became of one thing in a file.',
  fields: (t) => ({
    action: t.field({
      type: ImportAction,
      description: 'What became of it.',
      resolve: ({ action }) => action,
    }),
    kind: t.field({ type: ImportedKind, description: 'What it is.', resolve: ({ kind }) => kind as never }),
    name: t.exposeString('name', { description: 'Its name: username, clientId, alias or the like.' }),
    clientId: t.string({
      nullable: true,
      description: 'The clientId of the client that a role belongs to.',
      resolve: ({ client }) => client?.clientId ?? null,
    }),
    id: t.id({
      nullable: true,
      description: 'Id of what is there now, for `node`; null for identity providers.',
      resolve: ({ kind, id }) => {
        const type = nodeTypes[kind];
        return type === undefined ? null : nodeId(type, id);
      },
    }),
  }),
});

const id = 'Id of the realm.';
const part = (what: string) => `${what}, in the form of the contract.`;

mutation('realmPartialImport', {
  description: 'Adds users, clients, groups, roles and identity providers to a realm: all of them, or none.',
  operation: partialImport,
  input: (t) => ({
    id: t.id({ required: true, description: id }),
    policy: t.field({ type: ImportPolicy, description: 'What to do with what is there already; FAIL unless told.' }),
    users: t.field({ type: 'JSON', description: part('List of UserRepresentation') }),
    clients: t.field({ type: 'JSON', description: part('List of ClientRepresentation') }),
    groups: t.field({ type: 'JSON', description: part('List of GroupRepresentation') }),
    roles: t.field({ type: 'JSON', description: part('RolesRepresentation') }),
    identityProviders: t.field({ type: 'JSON', description: part('List of IdentityProviderRepresentation') }),
    upload: t.field({
      type: 'Upload',
      description: 'Instead of these, a file with a PartialImportRepresentation of the contract.',
    }),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.id),
  send: async ({ policy, upload, users, clients, groups, roles, identityProviders }, ctx) => {
    const parts = { users, clients, groups, roles, identityProviders };
    if (upload == null) return { policy, ...parts };
    if (Object.values(parts).some((value) => value != null)) {
      throw invalid('Send either upload or the parts, not both', 'upload');
    }
    const file = parsedJson((await upload.bytes(ctx.services.config.importBodyLimit)).toString('utf8'));
    if (policy == null || typeof file !== 'object' || file === null) return file;
    return { ...file, policy, ifResourceExists: policy };
  },
  values: {
    results: {
      type: ImportResultRef,
      list: true,
      description: 'What became of each thing.',
      of: ({ results }: Imported) => results,
    },
  },
});

const addresses = (of: 'successRequests' | 'failedRequests', description: string) => ({
  [of]: { type: 'String', list: true, description, of: (told: Told) => told[of] ?? [] },
});
const told = {
  ...addresses('successRequests', 'Admin addresses of the clients that were told.'),
  ...addresses('failedRequests', 'Admin addresses of the clients that could not be told.'),
};

mutation('realmLogoutAll', {
  description: 'Ends all sessions, and has every token that the realm issued until now refused.',
  operation: logoutAll,
  input: (t) => ({ id: t.id({ required: true, description: id }) }),
  locate: (input, ctx) => realmTarget(ctx, input.id),
  values: told,
});

for (const [name, operation, what] of [
  ['realmCacheClear', clearRealmCache, 'the realm and its roles'],
  ['realmUserCacheClear', clearUserCache, 'the rights of users'],
  ['realmKeysCacheClear', clearKeysCache, 'keys'],
] as const) {
  mutation(name, {
    description: `Has every instance read ${what} anew.`,
    operation,
    input: (t) => ({ id: t.id({ required: true, description: id }) }),
    locate: (input, ctx) => realmTarget(ctx, String(input.id)),
  });
}

mutation('realmPushRevocation', {
  description: 'Tells clients since when tokens of the realm are good.',
  operation: pushRevocation,
  input: (t) => ({ id: t.id({ required: true, description: id }) }),
  locate: (input, ctx) => realmTarget(ctx, input.id),
  values: told,
});

mutation('clientPushRevocation', {
  description: 'Tells a client since when tokens for it are good.',
  operation: pushClientRevocation,
  input: (t) => ({ id: t.id({ required: true, description: 'Id of the client.' }) }),
  locate: async (input, ctx) => {
    const { realm, id: row } = await locatedNode(ctx, input.id, 'id', 'Client');
    return clientById(ctx, realm, row);
  },
  values: told,
});

mutation('realmTestSmtp', {
  description: 'Sends the caller a mail through a mail server, to see whether its settings are right.',
  operation: testSmtp,
  input: (t) => ({
    id: t.id({ required: true, description: id }),
    settings: t.field({
      type: 'JSON',
      description: 'Settings in the form of the contract (map smtpServer); those of the realm unless told.',
    }),
  }),
  locate: (input, ctx) => realmTarget(ctx, input.id),
  send: (input, _ctx, { realm }) => {
    if (input.settings != null) return input.settings;
    return { ...smtpOf(realm), ...(realm.smtpPassword !== null && { password: mask }) };
  },
});

/** Longest text that an export in GraphQL may have, in characters; REST sends any as a stream. */
const longestExport = 20_000_000;

builder.prismaObjectField(Realm, 'export', (t) =>
  t.field({
    type: 'JSON',
    nullable: true,
    description:
      'The whole realm as a file for an import. Takes the permissions to view all of it; with secrets, those to manage it. REST streams what is too large for here.',
    args: {
      users: t.arg.boolean({ description: 'Whether the users are in it; true unless told.' }),
      secrets: t.arg.boolean({ description: 'Whether secrets are in it instead of masks, and credentials of users.' }),
    },
    complexity: { field: 100 },
    resolve: async ({ id: realmId }, { users, secrets }, ctx) => {
      const found = await realmById(ctx, realmId);
      const pieces: string[] = [];
      let length = 0;
      for await (const piece of await perform(ctx, wholeExport, async () => ({ realm: found }), { users, secrets })) {
        length += piece.length;
        if (length > longestExport) throw new Refusal('tooCostly', 'The realm is too large for here: use REST');
        pieces.push(piece);
      }
      if (secrets) await disclose(ctx, { realmId, resourceType: 'REALM', resourcePath: 'export' });
      return JSON.parse(pieces.join(''));
    },
  }),
);
