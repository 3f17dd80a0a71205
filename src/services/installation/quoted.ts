/** A value in a command of the console of JBoss, in quotes. */
export const quoted = (text: string): string =>
  `"${text.replace(/[\r\n\t]+/g, ' ').replace(/[\\"$]/g, (character) => `\\${character}`)}"`;
