/** The names of a user that its search column is made of. */
export interface SearchedNames {
  username: string;
  email?: string | null;
  firstName?: string | null;
  lastName?: string | null;
}

/** The search column of a user: a line feed on both sides of each part, so that a search can ask for whole parts. */
export const userSearch = ({ username, email, firstName, lastName }: SearchedNames): string =>
  `\n${[username, email ?? '', firstName ?? '', lastName ?? ''].join('\n').toLowerCase()}\n`;
