import type { Services } from '../core/context.js';
import type { RealmRecord } from '../core/realm.js';
import { placeOfSmtpPassword } from '../core/sealed-columns.js';
import { type Mail, type SmtpSettings, sendMail, tryServer } from './server.js';

/** The mail server of a realm. Its password is not among the settings. */
export const smtpOf = ({ settings }: Pick<RealmRecord, 'settings'>): SmtpSettings =>
  (settings.smtpServer ?? {}) as SmtpSettings;

/** The password for the mail server; undefined if there is none. */
const smtpPasswordOf = ({ sealer }: Services, realm: RealmRecord): string | undefined =>
  realm.smtpPassword === null ? undefined : sealer.open(realm.smtpPassword, placeOfSmtpPassword(realm));

/** Sends a mail through the server of a realm. Throws a MailFailure. */
export const sendFrom = (services: Services, realm: RealmRecord, mail: Mail): Promise<void> =>
  sendMail(smtpOf(realm), smtpPasswordOf(services, realm), services.config.mailAuthorities, mail);

/** Connects to the mail server of a realm and logs in there. Throws a MailFailure. */
export const tryServerOf = (services: Services, realm: RealmRecord): Promise<void> =>
  tryServer(smtpOf(realm), smtpPasswordOf(services, realm), services.config.mailAuthorities);
