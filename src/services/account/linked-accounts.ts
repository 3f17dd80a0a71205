import { createHash, randomUUID } from 'node:crypto';
import type { Db } from '../../database/db.js';
import { kindOf } from '../brokering/kinds.js';
import { labelOf } from '../brokering/provider.js';
import type { Context } from '../core/context.js';
import { invalid } from '../core/refusal.js';
import { representation, text } from '../core/shape.js';
import { mailNotice } from '../mail/notice.js';
import { lockUser, touchedUser } from '../users/operations.js';
import { countUp } from '../users/store.js';
import { type Account, requireOwnSession } from './account.js';
import { ownRead, ownWrite, storeOwnEvent } from './operation.js';
import { requireOtherWay } from './ways-to-log-in.js';

/** An identity provider, with the account that the user has linked there. */
export interface LinkedAccount {
  providerAlias: string;
  providerName: string;
  displayName: string;
  social: boolean;
  connected: boolean;
  linkedUsername?: string;
}

const general = new Set(['oidc', 'keycloak-oidc', 'saml']);

/** Maximum identity providers in the list. */
const mostProviders = 500;

const enabledProviders = (db: Db, realmId: string, alias?: string) =>
  db.identityProvider.findMany({
    where: { realmId, enabled: true, ...(alias !== undefined && { alias }) },
    orderBy: { alias: 'asc' },
    select: { alias: true, displayName: true, providerId: true },
    take: mostProviders,
  });

export const listLinkedAccounts = ownRead({
  name: 'account.linkedAccounts',
  summary: 'Returns the enabled identity providers of the realm, with the accounts that the caller has linked.',
  roles: ['manage-account', 'view-profile'],
  run: async (ctx, { realm, user }: Account): Promise<LinkedAccount[]> => {
    const rows = await enabledProviders(ctx.db, realm.id);
    const links = new Map(user.federatedIdentities.map((link) => [link.identityProvider, link]));
    return rows.map((row) => {
      const link = links.get(row.alias);
      return {
        providerAlias: row.alias,
        providerName: row.alias,
        displayName: labelOf(row),
        social: !general.has(row.providerId),
        connected: link !== undefined,
        ...(link?.externalUsername && { linkedUsername: link.externalUsername }),
      };
    });
  },
});

/** The account of the caller at an identity provider, which need not be linked. */
export interface LinkedAccountTarget extends Account {
  provider: string;
}

const unknownProvider = () =>
  invalid('The realm has no enabled identity provider with this alias', 'provider', {
    body: { errorMessage: 'identityProviderNotFoundMessage' },
  });

const LinkRequest = representation('AccountLinkRequest', { redirectUri: text });

/** The URL at which a browser begins to link an account. */
export interface LinkAddress {
  accountLinkUri: string;
  nonce: string;
  hash: string;
}

const linkRoles = ['manage-account', 'manage-account-links'] as const;

/**
 * The URL at which the browser of a session begins to link an account for a client, with the proof that the client
 * knows the session.
 */
function linkAddress(
  { baseUrl }: Pick<Context, 'baseUrl'>,
  realmName: string,
  { alias, sid, clientId, redirectUri }: { alias: string; sid: string; clientId: string; redirectUri: string },
): LinkAddress {
  const nonce = randomUUID();
  const hash = createHash('sha256').update(`${nonce}${sid}${clientId}${alias}`).digest('base64url');
  const query = new URLSearchParams({ nonce, hash, client_id: clientId, redirect_uri: redirectUri });
  const path = `${baseUrl}/realms/${encodeURIComponent(realmName)}/broker/${encodeURIComponent(alias)}/link`;
  return { accountLinkUri: `${path}?${query}`, nonce, hash };
}

export const beginOwnLink = ownRead({
  name: 'account.linkAddress',
  summary:
    'Returns the address at which the browser of the session links an account at an identity provider. The client of the token must have registered `redirectUri`.',
  roles: linkRoles,
  input: LinkRequest,
  run: async (ctx, account: LinkedAccountTarget, { redirectUri }): Promise<LinkAddress> => {
    requireOwnSession(account);
    const { realm, sid, provider } = account;
    const [row] = await enabledProviders(ctx.db, realm.id, provider);
    if (!row || !kindOf(row.providerId, {})) throw unknownProvider();
    if (!redirectUri) throw invalid('`redirectUri` is required', 'redirectUri');
    if (sid === undefined) throw invalid('An account is linked in the session of a browser, and the token has none');
    return linkAddress(ctx, realm.name, { alias: provider, sid, clientId: ctx.caller.clientId, redirectUri });
  },
});

interface RemovedLink {
  id: string;
  provider: string;
}

export const removeOwnLink = ownWrite({
  name: 'account.removeLink',
  summary:
    'Removes the link of the caller to an account at an identity provider. The last way to log in cannot be removed.',
  roles: linkRoles,
  lock: lockUser,
  check: (_permit, account: LinkedAccountTarget) => requireOwnSession(account),
  run: async (tx, account, _input, { ctx }): Promise<RemovedLink> => {
    const { realm, user, provider } = account;
    const known = await tx.identityProvider.count({ where: { realmId: realm.id, alias: provider } });
    if (known === 0) throw unknownProvider();
    const where = { userId: user.id, identityProvider: provider };
    const link = await tx.federatedIdentity.findFirst({ where, select: { externalUsername: true } });
    if (!link)
      throw invalid('The caller has no linked account at this identity provider', 'provider', {
        body: { errorMessage: 'federatedIdentityLinkNotActiveMessage' },
      });
    await requireOtherWay(tx, account, { identityProvider: provider });
    await tx.federatedIdentity.deleteMany({ where });
    await countUp(tx, user.id);
    const details = { identity_provider: provider, identity_provider_identity: link.externalUsername ?? undefined };
    await storeOwnEvent(tx, ctx, account, 'REMOVE_FEDERATED_IDENTITY', details);
    return { id: user.id, provider };
  },
  refuses: ['IN_USE'],
  event: ({ provider }, { path }) => ({
    operationType: 'DELETE',
    resourceType: 'USER',
    resourcePath: `${path}/federated-identity/${provider}`,
  }),
  touches: (_, target) => touchedUser(target),
  effect: (ctx, _result, { realm, user }) => mailNotice(ctx.services, realm, user, { kind: 'linkRemoved' }),
});
