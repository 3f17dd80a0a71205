import type { TokenUser } from '../../tokens/types.js';
import { type Attempt, loginFailed, type Page } from '../attempt.js';
import { goOnAs, presentUser, requireSameUser } from '../login-user.js';
import { PageRefusal } from '../refusals.js';
import { passBy } from '../state.js';
import { settingsIn } from './identity.js';
import { certificateDetails, userOfCertificate } from './user.js';

type Config = Readonly<Record<string, unknown>>;

/**
 * Takes the step that identifies a user by the certificate of the connection. `page` if the user has to confirm it first. Without a
 * certificate, or with one that is nobody's, the step does not apply.
 */
export async function settleCertificate(attempt: Attempt, config: Config): Promise<'page' | 'passed' | 'inapplicable'> {
  const user = await certifiedUser(attempt, config);
  if (!user) return 'inapplicable';
  if (settingsIn(config)('confirmation-page-disallowed') !== 'true') return 'page';
  await isUser(attempt, user);
  return 'passed';
}

/** The page on which a user confirms to be the one of the certificate. */
export async function certificatePage(attempt: Attempt, config: Config): Promise<Page> {
  const certificate = attempt.browser.findCertificate?.();
  const user = await certifiedUser(attempt, config);
  if (!certificate || !user) throw new PageRefusal(400, 'loginExpired');
  const { x509_cert_subject_distinguished_name: subject = '' } = certificateDetails(certificate);
  return { name: 'certificate', subject, username: user.username };
}

/** Takes the answer of that page. `passed` if the login goes on as this user. */
export async function takeCertificate(
  attempt: Attempt,
  execution: string,
  config: Config,
  form: URLSearchParams,
): Promise<'passed' | undefined> {
  const user = form.has('other') ? undefined : await certifiedUser(attempt, config);
  if (!user) {
    passBy(attempt.kept.state, execution);
    return undefined;
  }
  await isUser(attempt, user);
  return 'passed';
}

async function certifiedUser(attempt: Attempt, config: Config): Promise<TokenUser | undefined> {
  const { tokens, realm, browser } = attempt;
  const certificate = browser.findCertificate?.();
  if (!certificate) return undefined;
  const found = await userOfCertificate(tokens, realm, certificate, config);
  if ('user' in found) return found.user;
  await loginFailed(attempt, found.error, { ...certificateDetails(certificate), reason: found.reason });
  return undefined;
}

async function isUser(attempt: Attempt, known: TokenUser): Promise<void> {
  const user = await presentUser(attempt, known);
  await requireSameUser(attempt, user);
  goOnAs(attempt, user);
  attempt.kept.state.username = user.username;
}
