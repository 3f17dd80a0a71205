import { invalid } from '../core/refusal.js';

/**
 * Characters that separate addresses, names, comments, and groups (RFC 5322 section 3.4), and characters that end a
 * line.
 */
const special = /[,;:<>()"\\[\]]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** The reason why a text cannot be stored as an address; undefined if it can. `isOneAddress` checks its form. */
export function addressFault(text: string): string | undefined {
  const parts = text.split('@');
  const isOne = parts.length <= 2 && !special.test(text) && (parts.length === 1 || !/\s/.test(text.trim()));
  return isOne ? undefined : 'must be a single email address, without a name, comments, or line breaks';
}

/** Whether a text is an address that a mail can go to, and only one. */
export const isOneAddress = (text: string): boolean =>
  addressFault(text) === undefined && /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text);

/** Refuses a text that could be more than one address. */
export function requireAddress(text: string | null | undefined, field = 'email'): void {
  const fault = text ? addressFault(text) : undefined;
  if (fault !== undefined) throw invalid(`${field} ${fault}`, field, { code: 'EMAIL_INVALID' });
}

const addresses = ['from', 'replyTo', 'envelopeFrom'] as const;
const lines = ['fromDisplayName', 'replyToDisplayName', 'host', 'user'] as const;

/** Refuses settings of a mail server whose sender could contain several addresses, or add lines to a mail. */
export function requireSender(smtpServer: Readonly<Record<string, string | undefined>> | undefined): void {
  for (const name of addresses) requireAddress(smtpServer?.[name], `smtpServer.${name}`);
  for (const name of lines) {
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(smtpServer?.[name] ?? '')) {
      throw invalid(`smtpServer.${name} must not contain line breaks`, `smtpServer.${name}`);
    }
  }
}
