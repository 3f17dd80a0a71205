/**
 * Texts of mails and pages by key, with the reference server's keys, so that a realm's own localization overrides them.
 */
export type Texts = Readonly<Record<string, string>>;

const en: Texts = {
  emailVerificationSubject: 'Verify email',
  emailVerificationBody:
    'Someone used this email address for an account of {2}. If that was you, open this link to confirm the address:\n\n{0}\n\nThe link works once, within {3}.\n\nIf it was not you, ignore this email.',
  emailVerificationBodyHtml:
    '<p>Someone used this email address for an account of {2}. If that was you, follow this link to confirm the address:</p><p><a href="{0}">Confirm the email address</a></p><p>The link works once, within {3}.</p><p>If it was not you, ignore this email.</p>',
  passwordResetSubject: 'Reset password',
  passwordResetBody:
    'Someone requested a new password for your account at {2}. If that was you, open this link to choose it:\n\n{0}\n\nThe link works once, within {3}.\n\nIf it was not you, ignore this email, and nothing will change.',
  passwordResetBodyHtml:
    '<p>Someone requested a new password for your account at {2}. If that was you, follow this link to choose it:</p><p><a href="{0}">Choose a new password</a></p><p>The link works once, within {3}.</p><p>If it was not you, ignore this email, and nothing will change.</p>',
  executeActionsSubject: 'Update Your Account',
  executeActionsBody:
    'An administrator of {2} asks you to update your account: {3}. Open this link to begin:\n\n{0}\n\nThe link works within {4}.\n\nIf you did not expect this email, ignore it, and nothing will change.',
  executeActionsBodyHtml:
    '<p>An administrator of {2} asks you to update your account: {3}. Follow this link to begin:</p><p><a href="{0}">Update the account</a></p><p>The link works within {4}.</p><p>If you did not expect this email, ignore it, and nothing will change.</p>',
  identityProviderLinkSubject: 'Link {0}',
  identityProviderLinkBody:
    'Someone wants to link your account at {1} with the account "{2}" of {0}, and could log in with it from then on. If that was you, open this link in the browser in which you log in:\n\n{3}\n\nThe link works once, within {5}.\n\nIf it was not you, ignore this email, and nothing will change.',
  identityProviderLinkBodyHtml:
    '<p>Someone wants to link your account at {1} with the account "{2}" of {0}, and could log in with it from then on. If that was you, follow this link in the browser in which you log in:</p><p><a href="{3}">Link the accounts</a></p><p>The link works once, within {5}.</p><p>If it was not you, ignore this email, and nothing will change.</p>',
  accountChangedSubject: 'Your account at {0} was changed',
  accountChangedBody:
    'Your account "{1}" at {0} was changed on {3}: {2}.\n\nIf that was you, you need not do anything. If it was not you, log in and look at your account, or ask those who run {0}.',
  accountChangedBodyHtml:
    '<p>Your account "{1}" at {0} was changed on {3}: {2}.</p><p>If that was you, you need not do anything. If it was not you, log in and look at your account, or ask those who run {0}.</p>',
  'accountChange.email': 'the email address was changed',
  'accountChange.password': 'the password was changed',
  'accountChange.credentialAdded': 'a device or key for logging in was added',
  'accountChange.credentialRemoved': 'a device or key for logging in was removed',
  'accountChange.linkAdded': 'an account of another provider was linked, and can log in',
  'accountChange.linkRemoved': 'the link to an account of another provider was removed',
  'accountChange.deleted': 'it was deleted',
  emailTestSubject: 'SMTP test message',
  emailTestBody: 'This is a test message. The email settings of {0} work.',
  emailTestBodyHtml: '<p>This is a test message. The email settings of {0} work.</p>',
  'requiredAction.CONFIGURE_TOTP': 'set up one-time codes',
  'requiredAction.terms_and_conditions': 'accept the terms and conditions',
  'requiredAction.UPDATE_PASSWORD': 'choose a new password',
  'requiredAction.UPDATE_PROFILE': 'complete the profile',
  'requiredAction.VERIFY_EMAIL': 'confirm the email address',
  'requiredAction.CONFIGURE_RECOVERY_AUTHN_CODES': 'set up recovery codes',
  'requiredAction.webauthn-register': 'register a security key',
  'requiredAction.webauthn-register-passwordless': 'register a security key for logins without a password',
  'linkExpirationFormatter.timePeriodUnit.days': 'days',
  'linkExpirationFormatter.timePeriodUnit.days.1': 'day',
  'linkExpirationFormatter.timePeriodUnit.hours': 'hours',
  'linkExpirationFormatter.timePeriodUnit.hours.1': 'hour',
  'linkExpirationFormatter.timePeriodUnit.minutes': 'minutes',
  'linkExpirationFormatter.timePeriodUnit.minutes.1': 'minute',
  'linkExpirationFormatter.timePeriodUnit.seconds': 'seconds',
  'linkExpirationFormatter.timePeriodUnit.seconds.1': 'second',
};

const de: Texts = {
  emailVerificationSubject: 'E-Mail-Adresse bestätigen',
  emailVerificationBody:
    'Jemand hat diese E-Mail-Adresse für ein Konto bei {2} angegeben. Wenn Sie das waren, öffnen Sie diese Adresse, um sie zu bestätigen:\n\n{0}\n\nSie gilt einmal, innerhalb von {3}.\n\nWaren Sie es nicht, müssen Sie nichts tun.',
  emailVerificationBodyHtml:
    '<p>Jemand hat diese E-Mail-Adresse für ein Konto bei {2} angegeben. Wenn Sie das waren, folgen Sie diesem Link, um sie zu bestätigen:</p><p><a href="{0}">E-Mail-Adresse bestätigen</a></p><p>Er gilt einmal, innerhalb von {3}.</p><p>Waren Sie es nicht, müssen Sie nichts tun.</p>',
  passwordResetSubject: 'Passwort zurücksetzen',
  passwordResetBody:
    'Jemand möchte das Passwort Ihres Kontos bei {2} ändern. Wenn Sie das waren, öffnen Sie diese Adresse, um ein neues zu wählen:\n\n{0}\n\nSie gilt einmal, innerhalb von {3}.\n\nWaren Sie es nicht, müssen Sie nichts tun; es ändert sich dann nichts.',
  passwordResetBodyHtml:
    '<p>Jemand möchte das Passwort Ihres Kontos bei {2} ändern. Wenn Sie das waren, folgen Sie diesem Link, um ein neues zu wählen:</p><p><a href="{0}">Neues Passwort wählen</a></p><p>Er gilt einmal, innerhalb von {3}.</p><p>Waren Sie es nicht, müssen Sie nichts tun; es ändert sich dann nichts.</p>',
  executeActionsSubject: 'Aktualisieren Sie Ihr Konto',
  executeActionsBody:
    'Ein Administrator von {2} bittet Sie um Folgendes für Ihr Konto: {3}. Öffnen Sie diese Adresse, um zu beginnen:\n\n{0}\n\nSie gilt innerhalb von {4}.\n\nWenn Sie davon nichts wissen, müssen Sie nichts tun; es ändert sich dann nichts.',
  executeActionsBodyHtml:
    '<p>Ein Administrator von {2} bittet Sie um Folgendes für Ihr Konto: {3}. Folgen Sie diesem Link, um zu beginnen:</p><p><a href="{0}">Konto aktualisieren</a></p><p>Er gilt innerhalb von {4}.</p><p>Wenn Sie davon nichts wissen, müssen Sie nichts tun; es ändert sich dann nichts.</p>',
  identityProviderLinkSubject: '{0} verknüpfen',
  identityProviderLinkBody:
    'Jemand möchte Ihr Konto bei {1} mit dem Konto „{2}“ bei {0} verknüpfen und könnte sich danach damit anmelden. Wenn Sie das waren, öffnen Sie diese Adresse in dem Browser, in dem Sie sich anmelden:\n\n{3}\n\nSie gilt einmal, innerhalb von {5}.\n\nWaren Sie es nicht, müssen Sie nichts tun; es ändert sich dann nichts.',
  identityProviderLinkBodyHtml:
    '<p>Jemand möchte Ihr Konto bei {1} mit dem Konto „{2}“ bei {0} verknüpfen und könnte sich danach damit anmelden. Wenn Sie das waren, folgen Sie diesem Link in dem Browser, in dem Sie sich anmelden:</p><p><a href="{3}">Konten verknüpfen</a></p><p>Er gilt einmal, innerhalb von {5}.</p><p>Waren Sie es nicht, müssen Sie nichts tun; es ändert sich dann nichts.</p>',
  accountChangedSubject: 'Ihr Konto bei {0} wurde geändert',
  accountChangedBody:
    'Ihr Konto „{1}“ bei {0} wurde am {3} geändert: {2}.\n\nWenn Sie das waren, müssen Sie nichts tun. Waren Sie es nicht, melden Sie sich an und sehen Sie Ihr Konto durch, oder fragen Sie die Betreiber von {0}.',
  accountChangedBodyHtml:
    '<p>Ihr Konto „{1}“ bei {0} wurde am {3} geändert: {2}.</p><p>Wenn Sie das waren, müssen Sie nichts tun. Waren Sie es nicht, melden Sie sich an und sehen Sie Ihr Konto durch, oder fragen Sie die Betreiber von {0}.</p>',
  'accountChange.email': 'Die E-Mail-Adresse ist eine andere',
  'accountChange.password': 'Das Passwort ist ein anderes',
  'accountChange.credentialAdded': 'Ein Gerät oder Schlüssel für die Anmeldung ist hinzugekommen',
  'accountChange.credentialRemoved': 'Ein Gerät oder Schlüssel für die Anmeldung wurde entfernt',
  'accountChange.linkAdded': 'Ein Konto eines anderen Anbieters wurde verknüpft und kann sich anmelden',
  'accountChange.linkRemoved': 'Die Verknüpfung mit einem Konto eines anderen Anbieters wurde entfernt',
  'accountChange.deleted': 'Es wurde gelöscht',
  emailTestSubject: 'SMTP-Testnachricht',
  emailTestBody: 'Dies ist eine Testnachricht. Die Mail-Einstellungen von {0} funktionieren.',
  emailTestBodyHtml: '<p>Dies ist eine Testnachricht. Die Mail-Einstellungen von {0} funktionieren.</p>',
  'requiredAction.CONFIGURE_TOTP': 'Einmalcodes einrichten',
  'requiredAction.terms_and_conditions': 'den Bedingungen zustimmen',
  'requiredAction.UPDATE_PASSWORD': 'ein neues Passwort wählen',
  'requiredAction.UPDATE_PROFILE': 'das Profil vervollständigen',
  'requiredAction.VERIFY_EMAIL': 'die E-Mail-Adresse bestätigen',
  'requiredAction.CONFIGURE_RECOVERY_AUTHN_CODES': 'Wiederherstellungscodes einrichten',
  'requiredAction.webauthn-register': 'einen Sicherheitsschlüssel einrichten',
  'requiredAction.webauthn-register-passwordless':
    'einen Sicherheitsschlüssel für Anmeldungen ohne Passwort einrichten',
  'linkExpirationFormatter.timePeriodUnit.days': 'Tagen',
  'linkExpirationFormatter.timePeriodUnit.days.1': 'Tag',
  'linkExpirationFormatter.timePeriodUnit.hours': 'Stunden',
  'linkExpirationFormatter.timePeriodUnit.hours.1': 'Stunde',
  'linkExpirationFormatter.timePeriodUnit.minutes': 'Minuten',
  'linkExpirationFormatter.timePeriodUnit.minutes.1': 'Minute',
  'linkExpirationFormatter.timePeriodUnit.seconds': 'Sekunden',
  'linkExpirationFormatter.timePeriodUnit.seconds.1': 'Sekunde',
};

/** Whether the key is of a text in mails that bring users a link. */
export const isMailText = (key: string): boolean => /(?:Subject|Body|BodyHtml)$/.test(key) && key in en;

/** The languages that mails and pages are written in. */
export const languages: ReadonlyMap<string, Texts> = new Map([
  ['en', en],
  ['de', de],
]);

/** The texts of mails in a language by key. Missing texts are in English. */
export const standardMailTexts = (locale: string): Texts => ({
  ...en,
  ...(languages.get(locale) ?? languages.get(locale.split(/[-_]/)[0] ?? '')),
});

/** A text with values in place of `{0}`, `{1}`, …; `encode` escapes them for the form of the text. */
export const fill = (
  text: string,
  values: readonly string[],
  encode: (value: string) => string = (value) => value,
): string =>
  text.replace(/\{(\d)\}/g, (whole, at: string) =>
    values[Number(at)] === undefined ? whole : encode(values[Number(at)] ?? ''),
  );

/** Escapes a text for HTML, including attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
