/** The name of an object that was loaded with the fragment `ObjectName`. Undefined if its type has no name. */
export const nameIn = (found: object): string | undefined =>
  ('label' in found && typeof found.label === 'string' && found.label) ||
  ('storageName' in found && typeof found.storageName === 'string' && found.storageName) ||
  undefined;
