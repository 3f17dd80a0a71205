import { accountOf, hasRole } from '../account/account.js';
import { deleteAccount } from '../account/deletion.js';
import { performWrite } from '../core/perform.js';
import { Refusal } from '../core/refusal.js';
import { inTransaction } from '../core/unit-of-work.js';
import type { TokenUser } from '../tokens/types.js';
import { type Attempt, asUser, type Page, type Reply } from './attempt.js';
import { PageRefusal } from './refusals.js';
import { dropState } from './state.js';
import type { Notice } from './texts.js';

const ownAccount = (attempt: Attempt, user: TokenUser, ctx = asUser(attempt, user)) =>
  accountOf(ctx, attempt.realm, { userId: user.id, sid: attempt.kept.state.sid });

/** The page that asks whether the account is to be deleted. Throws a page for users without the role `delete-account`. */
export async function deletionPage(attempt: Attempt, user: TokenUser): Promise<Page> {
  const account = await ownAccount(attempt, user);
  if (!hasRole(account, ['delete-account'])) throw new PageRefusal(403, 'deletionNotAllowed');
  return { name: 'deleteAccount', username: user.username };
}

/** Deletes the account. Answers why that is refused; nothing where it is done. */
export async function takeDeletion(attempt: Attempt, user: TokenUser): Promise<Notice | undefined> {
  await deletionPage(attempt, user);
  try {
    await performWrite(asUser(attempt, user), deleteAccount, (ctx) => ownAccount(attempt, user, ctx));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { key: error.details.code === 'LAST_ADMIN' ? 'deletionLastAdministrator' : 'deletionRefused' };
  }
  attempt.isDeleted = true;
  return undefined;
}

/** Ends a login whose user has deleted the account. */
export async function endOfAccount(attempt: Attempt): Promise<Reply> {
  await inTransaction(attempt.services.database, (tx) => dropState(tx, attempt.kept));
  const page: Page = { name: 'info', message: 'userDeletedSuccessfully', back: undefined };
  return { kind: 'page', page, notice: undefined, attempt };
}
