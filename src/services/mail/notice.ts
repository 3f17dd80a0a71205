import type { Services } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { composed, realmTitle } from './compose.js';
import { languageOf } from './language.js';
import { hasServer, type Mail, MailFailure } from './server.js';
import { sendFrom, smtpOf } from './settings.js';

/** Changes of an account about which its user receives a mail, by the names of their texts. */
type AccountChange =
  | 'email'
  | 'password'
  | 'credentialAdded'
  | 'credentialRemoved'
  | 'linkAdded'
  | 'linkRemoved'
  | 'deleted';

interface Noticed {
  kind: AccountChange;
  /** the address, if it differs from the user's */
  to?: string;
}

interface Reader {
  username: string;
  email: string | null;
  attributes: readonly { name: string; value: string }[];
}

/**
 * Informs a user by mail that the account was changed, if the realm has a mail server and the user an address. If the
 * mail cannot be sent, this is only logged, because the change is already made. The mail has no link, so that its
 * readers do not learn to follow links in such mails.
 */
export async function mailNotice(
  services: Services,
  realm: RealmRecord,
  user: Reader,
  { kind, to = user.email ?? '' }: Noticed,
): Promise<void> {
  if (to === '' || !hasServer(smtpOf(realm))) return;
  const locale = user.attributes.find(({ name }) => name === 'locale')?.value;
  const language = await languageOf(services.database.read, realm, locale);
  const at = new Date(services.now()).toLocaleString(language.locale.replace('_', '-'), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const what = language.text(`accountChange.${kind}`) ?? kind;
  const mail = composed(language, 'accountChanged', to, [realmTitle(realm), user.username, what, `${at} UTC`]);
  // users do not wait for the mail server
  void deliver(services, realm, mail);
}

async function deliver(services: Services, realm: RealmRecord, mail: Mail): Promise<void> {
  try {
    await sendFrom(services, realm, mail);
    services.mailOutages.succeeded(realm.name);
  } catch (error) {
    const reason = error instanceof MailFailure ? error.message : 'the email could not be composed';
    services.mailOutages.failed({ realm: realm.name, reason }, realm.name);
  }
}
