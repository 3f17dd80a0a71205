import { mask } from '../core/mask.js';
import { write } from '../core/operation.js';
import { invalid, Refusal } from '../core/refusal.js';
import { placeOfSmtpPassword } from '../core/sealed-columns.js';
import { map } from '../core/shape.js';
import { changedPlace } from '../core/stored-secrets.js';
import type { Target } from '../core/target.js';
import { isOneAddress } from './address.js';
import { composed, realmTitle } from './compose.js';
import { languageOf } from './language.js';
import { MailFailure, type SmtpSettings, sendMail } from './server.js';
import { smtpOf } from './settings.js';

const failed = (message: string, body?: { errorMessage: string }): Refusal =>
  new Refusal('invalid', message, { status: 500, ...(body && { body }) });

interface TestMail {
  to: string;
  locale: string | undefined;
  /** without the password */
  settings: SmtpSettings;
  /** sealed */
  password: string | undefined;
}

export const testSmtp = write({
  name: 'realm.testSmtp',
  summary:
    'Sends a test email through the given SMTP server to `recipient`, by default to the administrator. A masked password stands for the one stored for this server.',
  input: map,
  allow: 'manage:realm',
  run: async (_tx, { realm }: Target, { recipient, ...settings }, { ctx }): Promise<TestMail> => {
    if (settings.password === mask && changedPlace('mailServer', smtpOf(realm), settings) !== undefined) {
      throw new Refusal('invalid', 'A password is required, because the stored one is for another SMTP server', {
        field: 'password',
      });
    }
    const caller = await ctx.db.user.findUnique({
      where: { id: ctx.caller.userId },
      select: { email: true, attributes: { where: { name: 'locale' }, select: { value: true } } },
    });
    if (recipient && !isOneAddress(recipient)) {
      throw invalid('recipient must be an email address', 'recipient');
    }
    const to = recipient || caller?.email;
    if (!to) throw failed('Logged in user does not have an e-mail.');
    const { password, ...shown } = settings;
    return {
      to,
      locale: caller?.attributes[0]?.value,
      settings: shown,
      password:
        password === mask
          ? (realm.smtpPassword ?? undefined)
          : password && ctx.services.sealer.seal(password, placeOfSmtpPassword(realm)),
    };
  },
  event: ({ settings, to }) => ({
    operationType: 'ACTION',
    resourceType: 'REALM',
    resourcePath: 'testSMTPConnection',
    representation: { ...settings, recipient: to, password: mask },
  }),
  touches: () => [],
  effect: async ({ services }, { to, locale, settings, password }, { realm }) => {
    const language = await languageOf(services.database.read, realm, locale);
    const mail = composed(language, 'emailTest', to, [realmTitle(realm)]);
    try {
      const opened = password === undefined ? undefined : services.sealer.open(password, placeOfSmtpPassword(realm));
      await sendMail(settings, opened, services.config.mailAuthorities, mail);
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      services.log.warn({ realm: realm.name, reason: error.message }, 'a test email could not be sent');
      throw failed(`The email was not sent: ${error.message}`, { errorMessage: 'Failed to send email' });
    }
  },
});
