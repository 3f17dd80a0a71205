import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Colours a text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

// Names in a realm and in its files can come from an untrusted source. On a terminal, control characters in them would
// move the cursor, and directional characters would change the text that a reviewer reads. Joiners are parts of words
// and emoji.
const unprintable = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The sequences that `painter` writes. */
const ownColours = new RegExp(`(${String.fromCharCode(27)}\\[(?:1|2|22|31|32|33|39)m)`);

const unicodeEscape = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/** A text without characters that control a terminal: they become escapes as in JSON and YAML. It keeps its lines. */
export const printable = (text: string): string => text.replace(unprintable, unicodeEscape);

/** Whether a text has characters that act on a terminal. */
export const isPrintable = (text: string): boolean => text.search(unprintable) < 0;

/** A text as a part of a line, so that it cannot add lines to the output. */
export const oneLine = (text: string): string => printable(text).replace(/\n/g, '\\n');

const hasColours = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && stream.hasColors() && !process.env['NO_COLOR'];

/** Colours texts for a stream. If it is not a terminal, and with NO_COLOR, the texts stay unchanged. */
export function painter(stream: NodeJS.WriteStream): Paint {
  return hasColours(stream) ? (style, text) => styleText(style, printable(text)) : (_, text) => text;
}

function lineFor(stream: NodeJS.WriteStream, text: string): string {
  if (!hasColours(stream)) return printable(text);
  return text
    .split(ownColours)
    .map((part) => (ownColours.test(part) ? part : printable(part)))
    .join('');
}

/** Prints a line on the standard output. */
export const print = (text: string): void => console.log(lineFor(process.stdout, text));

/** Prints a line on the standard error stream. */
export const printError = (text: string): void => console.error(lineFor(process.stderr, text));
