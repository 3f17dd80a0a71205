/** The base64 within a PEM text (RFC 7468), or of one without the lines around it; blanks are left out. */
export const pemBody = (text: string): string => text.replace(/-----[^-]+-----|\s/g, '');

/** The bytes of a PEM text, or of its base64 alone. */
export const pemBytes = (text: string): Buffer => Buffer.from(pemBody(text), 'base64');
