import type { Db } from '../../../database/db.js';
import { lockRows } from '../../../database/locks.js';
import type { BrokeredIdentity } from '../../brokering/identity.js';
import type { Mapped } from '../../brokering/mapping.js';
import type { BrokerProvider } from '../../brokering/provider.js';
import type { Services } from '../../core/context.js';
import { placeOfFederatedToken } from '../../core/sealed-columns.js';
import { attributeRows } from '../../core/view.js';
import { namesIn } from '../../user-storage/names.js';

/** The name of an account in the user's list of links. */
function nameOfAccount({ accountName, username, losesCase }: BrokeredIdentity): string {
  const name = accountName ?? username;
  return losesCase ? name.toLowerCase() : name;
}

/** A link of a user to an account. */
export interface Link {
  userId: string;
  /** name of the account at the last login */
  externalUsername: string | null;
}

/** Most users that are looked at as those of one account: administrators can link it with several. */
const mostUsers = 10;

/** The links of users of a realm to an account at an identity provider: one, or none, unless administrators have made more. */
export const linksTo = (
  db: Db,
  realmId: string,
  { alias, id }: Pick<BrokeredIdentity, 'alias' | 'id'>,
): Promise<Link[]> =>
  db.federatedIdentity.findMany({
    where: { identityProvider: alias, externalUserId: id, user: { realmId } },
    select: { userId: true, externalUsername: true },
    take: mostUsers,
  });

/** Whether a login brings something new for a link: another name of the account, or tokens that are kept. */
export const isRenewed = ({ externalUsername }: Link, identity: BrokeredIdentity): boolean =>
  identity.token !== undefined || externalUsername !== nameOfAccount(identity);

/** Links a user to an account. False if the user or the account is linked to another one. */
export async function storeLink(
  tx: Db,
  { id, realmId }: Pick<BrokerProvider, 'id' | 'realmId'>,
  userId: string,
  identity: BrokeredIdentity,
): Promise<boolean> {
  // two first logins at once would both find no link
  await lockRows(tx, 'IdentityProvider', [id]);
  const [first, ...others] = await linksTo(tx, realmId, identity);
  if (first) return first.userId === userId && others.length === 0;
  const row = {
    userId,
    identityProvider: identity.alias,
    externalUserId: identity.id,
    externalUsername: nameOfAccount(identity),
  };
  return (await tx.insertNew('FederatedIdentity', [row])) > 0;
}

/**
 * Links a user to an account, with its tokens, and gives the user what the mappers of the provider make of it. False if the user or
 * the account is linked to another one.
 */
export async function linkUser(
  tx: Db,
  services: Pick<Services, 'newId' | 'sealer'>,
  provider: BrokerProvider,
  user: { id: string; username: string },
  { mapped, isNew }: { mapped: Mapped; isNew: boolean },
): Promise<boolean> {
  if (!(await storeLink(tx, provider, user.id, mapped.identity))) return false;
  await applyMapped(tx, provider, user, mapped, isNew);
  await refreshLink(tx, services, user.id, mapped.identity);
  return true;
}

/** Keeps the tokens of the provider with the link of a user, and the present name of the account. */
export async function refreshLink(
  tx: Db,
  { newId, sealer }: Pick<Services, 'newId' | 'sealer'>,
  userId: string,
  identity: BrokeredIdentity,
): Promise<void> {
  const where = { userId, identityProvider: identity.alias };
  await tx.federatedIdentity.updateMany({ where, data: { externalUsername: nameOfAccount(identity) } });
  if (identity.token === undefined) return;
  await tx.federatedToken.deleteMany({ where });
  const id = newId();
  const token = sealer.seal(identity.token, placeOfFederatedToken({ id, userId }));
  await tx.federatedToken.createMany({ data: { id, ...where, token } });
}

/** The role of the client `broker` that may read stored tokens of identity providers. */
const readToken = 'broker.read-token';

/** Gives a user what the mappers of a provider make of the account: attributes and roles. */
export async function applyMapped(
  tx: Db,
  { realmId, addReadTokenRoleOnCreate }: Pick<BrokerProvider, 'realmId' | 'addReadTokenRoleOnCreate'>,
  user: { id: string; username: string },
  { attributes, granted, removed }: Mapped,
  isNew: boolean,
): Promise<void> {
  const names = Object.keys(attributes);
  if (names.length > 0) {
    await tx.userAttribute.deleteMany({ where: { userId: user.id, name: { in: names } } });
    const rows = attributeRows('userId', user.id, attributes);
    if (rows.length > 0) await tx.userAttribute.createMany({ data: rows });
  }
  const found = namesIn(tx, realmId);
  const rolesNamed = async (texts: readonly string[]) =>
    (await Promise.all(texts.map((text) => found.roles(text)))).flatMap(([first]) => first ?? []);
  const wanted = isNew && addReadTokenRoleOnCreate ? [...granted, readToken] : granted;
  const roles = await rolesNamed(wanted);
  if (roles.length > 0) {
    const rows = [...new Set(roles)].map((roleId) => ({ userId: user.id, roleId, username: user.username }));
    await tx.insertNew('UserRole', rows);
  }
  const lost = await rolesNamed(removed);
  if (lost.length > 0) await tx.userRole.deleteMany({ where: { userId: user.id, roleId: { in: lost } } });
}
