/** A line of a list of users, with its place in the text. */
interface Line {
  /** from 1 */
  number: number;
  values: string[];
}

/** The values of a line. They are separated by commas, semicolons, or tabs; one with such a character is in quotes. */
const valuesOf = (text: string): string[] =>
  [...text.matchAll(/(?:^|[,;\t]) *(?:"((?:[^"]|"")*)"|([^,;\t]*))/g)].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  );

/** The lines of a text that have a user. The first one may have the names of the columns. */
export const linesOf = (text: string): Line[] =>
  text
    .split(/\r?\n/)
    .map((line, at) => ({ number: at + 1, values: valuesOf(line) }))
    .filter(({ values }) => values.some(Boolean))
    .filter(({ values }, at) => at > 0 || values[0]?.toLowerCase() !== 'username');

/** The users that lines have, as the API creates them. */
export const usersIn = (lines: readonly Line[]) =>
  lines.map(({ values: [username = '', email, firstName, lastName] }) => ({
    username,
    isEnabled: true,
    ...(email && { email }),
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
  }));
