/** A text that the pages for users look up in the language of the reader, as the contract writes it. */
export const message = (key: string): string => `\${${key}}`;
