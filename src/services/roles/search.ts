/** The text in which searches for roles look: name and description in lower case. */
export const roleSearchText = (name: string, description?: string | null): string =>
  `${name}\n${description ?? ''}`.toLowerCase();
