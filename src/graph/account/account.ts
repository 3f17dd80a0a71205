import { accountClient, accountOf, type Account as OwnAccount } from '../../services/account/account.js';
import { listActivity } from '../../services/account/activity.js';
import { listApplications } from '../../services/account/applications.js';
import { listOwnCredentials } from '../../services/account/credentials.js';
import { beginOwnLink, listLinkedAccounts } from '../../services/account/linked-accounts.js';
import { getProfile } from '../../services/account/profile.js';
import {
  listOwnResources,
  listPendingRequests,
  listRequestsOfOthers,
  listSharedWithMe,
  listSharedWithOthers,
} from '../../services/account/resources.js';
import { listSessions } from '../../services/account/sessions.js';
import type { Context } from '../../services/core/context.js';
import { perform } from '../../services/core/perform.js';
import { consoleRealm } from '../../services/whoami/operations.js';
import { builder } from '../core/builder.js';
import { Viewer } from '../viewer/viewer.js';
import {
  AccountActivity,
  AccountApplication,
  AccountCredentialType,
  AccountLink,
  AccountProfile,
  AccountResource,
  AccountSession,
} from './types.js';

/** The account of the caller, with the roles that its token names and the user has. */
export async function callerAccount(ctx: Context): Promise<OwnAccount> {
  const { userId, realmName, sessionId, tokenRoles } = ctx.caller;
  const { realm } = await consoleRealm(ctx, realmName);
  return accountOf(ctx, realm, { userId, sid: sessionId, named: tokenRoles[accountClient] ?? [] });
}

/** The cost of a list of this many entries: each of its fields counts as often. */
const entries = (multiplier: number) => ({ field: 1, multiplier });
/** Maximum entries of a page of resources. */
const pageSize = 50;

const listNames = {
  resources: ['Resources of the caller', listOwnResources],
  sharedWithMe: ['Resources that others share with the caller', listSharedWithMe],
  sharedWithOthers: ['Resources that the caller shares, with the users who may use them', listSharedWithOthers],
  requestsOfOthers: ['Resources that others ask the caller for, with those users', listRequestsOfOthers],
  pendingRequests: ['Resources that the caller has asked others for', listPendingRequests],
} as const;

/** Account of the caller, as the parent of its fields and of the payloads of its mutations. */
export const Account = builder.objectRef<OwnAccount>('Account').implement({
  description:
    'The account of the caller. Each field requires a role of the client `account` that the token names and the user has.',
  fields: (t) => {
    const resourceList = (name: keyof typeof listNames) => {
      const [text, operation] = listNames[name];
      return t.field({
        type: [AccountResource],
        nullable: true,
        description: `${text}, ordered by name, at most ${pageSize} after those that are skipped.`,
        args: { skip: t.arg.int({ description: 'Number of resources to leave out at the beginning. Default 0.' }) },
        complexity: entries(pageSize),
        requires: { operation, isChecked: true },
        resolve: async (account, { skip }, ctx) => {
          const page = { first: skip ?? 0, max: pageSize };
          return (await perform(ctx, operation, async () => account, page)).resources;
        },
      });
    };
    return {
      roleNames: t.stringList({
        description: 'Names of the roles of the client `account` that the request may use.',
        resolve: ({ granted }) => [...granted].sort(),
      }),
      profile: t.field({
        type: AccountProfile,
        nullable: true,
        description: 'Profile of the caller.',
        requires: { operation: getProfile, isChecked: true },
        resolve: (account, _args, ctx) => perform(ctx, getProfile, async () => account),
      }),
      sessions: t.field({
        type: [AccountSession],
        nullable: true,
        description: 'Sessions of the caller, the last used ones first, at most 200.',
        complexity: entries(20),
        requires: { operation: listSessions, isChecked: true },
        resolve: (account, _args, ctx) => perform(ctx, listSessions, async () => account),
      }),
      credentialTypes: t.field({
        type: [AccountCredentialType],
        nullable: true,
        description: 'Types of credentials that the realm uses, with the credentials of the caller.',
        complexity: entries(10),
        requires: { operation: listOwnCredentials, isChecked: true },
        resolve: (account, _args, ctx) => perform(ctx, listOwnCredentials, async () => account, {}),
      }),
      links: t.field({
        type: [AccountLink],
        nullable: true,
        description: 'Enabled identity providers of the realm, with the linked accounts of the caller.',
        complexity: entries(20),
        requires: { operation: listLinkedAccounts, isChecked: true },
        resolve: (account, _args, ctx) => perform(ctx, listLinkedAccounts, async () => account),
      }),
      linkUrl: t.string({
        nullable: true,
        description:
          'Address at which the browser of the session links an account at an identity provider. It comes back to the redirect URI, which the client of the token must have registered.',
        args: {
          identityProviderAlias: t.arg.string({
            required: true,
            description: 'Alias of the identity provider at which the account is.',
          }),
          redirectUri: t.arg.string({ required: true, description: 'Address that the browser comes back to.' }),
        },
        requires: { operation: beginOwnLink, isChecked: true },
        resolve: async (account, { identityProviderAlias: provider, redirectUri }, ctx) =>
          (await perform(ctx, beginOwnLink, async () => ({ ...account, provider }), { redirectUri })).accountLinkUri,
      }),
      applications: t.field({
        type: [AccountApplication],
        nullable: true,
        description: 'Clients that the caller uses, can always see, or has given a consent to, at most 500.',
        complexity: entries(20),
        requires: { operation: listApplications, isChecked: true },
        resolve: (account, _args, ctx) => perform(ctx, listApplications, async () => account, {}),
      }),
      resources: resourceList('resources'),
      sharedWithMe: resourceList('sharedWithMe'),
      sharedWithOthers: resourceList('sharedWithOthers'),
      requestsOfOthers: resourceList('requestsOfOthers'),
      pendingRequests: resourceList('pendingRequests'),
      activity: t.field({
        type: [AccountActivity],
        nullable: true,
        description: 'Login events of the caller, the newest first, at most 200. Empty if the realm stores none.',
        complexity: entries(20),
        requires: { operation: listActivity, isChecked: true },
        resolve: (account, _args, ctx) => perform(ctx, listActivity, async () => account, {}),
      }),
    };
  },
});

builder.objectField(Viewer, 'account', (t) =>
  t.field({
    type: Account,
    nullable: true,
    description: 'The account of the caller. Null if the realm has its client `account` disabled.',
    resolve: (_viewer, _args, ctx) => callerAccount(ctx),
  }),
);
