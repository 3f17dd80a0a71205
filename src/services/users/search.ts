/** The names of a user that its search column is made of. */
export interface SearchedNames {
  username: string;
  email?: string | null;
  firstName?: string | null;
  lastName?: string | null;
}

/**
 * The search column of a user: a line feed on both sides of each part and nowhere else, so that a search can ask for
 * whole parts and for one of them.
 */
export const userSearch = ({ username, email, firstName, lastName }: SearchedNames): string =>
  `\n${[username, email, firstName, lastName].map(searchText).join('\n')}\n`;

/** A text in the form that it has within the search column. */
export const searchText = (text: string | null | undefined): string => (text ?? '').replace(/\n/g, ' ').toLowerCase();
