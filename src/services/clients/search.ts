/** The text in which searches for clients look: clientId and name in lower case. */
export const clientSearchText = (clientId: string, name?: string | null): string =>
  `${clientId}\n${name ?? ''}`.toLowerCase();
