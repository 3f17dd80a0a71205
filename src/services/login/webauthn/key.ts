import { limit } from '../../../config/limits.js';
import { isObject, members, numberOf, textsOf } from '../../core/json.js';
import type { TokenUser } from '../../tokens/types.js';
import type { KeyType } from './policy.js';

/** A security key of a user, as credentials store it. */
export interface StoredKey {
  /** ID of the credential */
  id: string;
  /** base64url */
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
}

const mostLength = limit(
  'Logins and tokens',
  'Answer of a security key in a form',
  65_536,
  'characters',
  'the form is shown again',
);

/** The answer of a browser in a form as JSON; undefined if it is none. */
export function answerIn(form: URLSearchParams): Record<string, unknown> | undefined {
  const text = form.get('credential') ?? '';
  if (text === '' || text.length > mostLength) return undefined;
  try {
    const answer: unknown = JSON.parse(text);
    return isObject(answer) && typeof answer.id === 'string' && isObject(answer.response) ? answer : undefined;
  } catch {
    return undefined;
  }
}

const mostTransports = 10;

/** How a key can be reached, as the browser says. */
export const transportsIn = (value: unknown): string[] =>
  textsOf(value)
    .slice(0, mostTransports)
    .map((name) => name.slice(0, 20).toLowerCase());

const bytesOf = (text: unknown): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(typeof text === 'string' ? text : '', 'base64'));

/** The keys of a user of a type. The form of `credentialData` is that of the contract, with base64 or base64url. */
export const keysOfUser = ({ credentials }: Pick<TokenUser, 'credentials'>, type: KeyType): StoredKey[] =>
  credentials
    .filter((credential) => credential.type === type)
    .flatMap(({ id, credentialData }) => {
      const data = members(JSON.parse(credentialData));
      const credentialId = Buffer.from(bytesOf(data.credentialId)).toString('base64url');
      const publicKey = bytesOf(data.credentialPublicKey);
      if (credentialId === '' || publicKey.length === 0) return [];
      const counter = numberOf(data, 'counter', 0);
      return [{ id, credentialId, publicKey, counter, transports: transportsIn(data.transports) }];
    });
