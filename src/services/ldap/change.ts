import { Attribute, Change } from 'ldapts';

type Operation = 'add' | 'delete' | 'replace';

/** One part of a modification (RFC 4511, 4.6). Buffers are sent as bytes. */
export const changeOf = (operation: Operation, type: string, values: readonly (string | Buffer)[]): Change =>
  new Change({ operation, modification: new Attribute({ type, values: [...values] as string[] | Buffer[] }) });

/** Replaces the values of an attribute; an empty list removes it. */
export const replace = (type: string, values: readonly (string | Buffer)[]): Change =>
  changeOf('replace', type, values);

/** The form of a password for Active Directory (MS-ADTS 3.1.1.3.1.5): in quotation marks, in UTF-16. */
export const quotedPassword = (password: string): Buffer => Buffer.from(`"${password}"`, 'utf16le');
