import { mask } from '../realms/mask.js';

type Attributes = Record<string, string>;

/** What private keys are called. They are sealed within the column, and nobody but administrators of clients sees them. */
const secretSuffix = '.private.key';

/** Whether the value of this attribute is a secret. */
export const isSecretAttribute = (name: string): boolean => name.endsWith(secretSuffix);

const converted = (attributes: Attributes, convert: (value: string) => string): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, isSecretAttribute(name) ? convert(value) : value]),
  );

/** Attributes as they are stored. Empty values are none; the mask is never stored. */
export const sealedAttributes = (attributes: Attributes, seal: (text: string) => string): Attributes =>
  converted(Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== '')), seal);

/** Stored attributes with their secrets. */
export const openedAttributes = (attributes: unknown, open: (sealed: string) => string): Attributes =>
  converted(attributes as Attributes, open);

/** Stored attributes with a mask in the place of each secret. */
export const maskedAttributes = (attributes: unknown): Attributes => converted(attributes as Attributes, () => mask);
