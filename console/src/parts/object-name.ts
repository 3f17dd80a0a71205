/** Where the fragments `ObjectName` and `ResourceName` have names. They differ where a name can be missing, and for interfaces. */
const fields = new Set(['label', 'storageName', 'policyName']);

/** The name of an object that was loaded with one of these fragments. Undefined if its type has no name. */
export const nameIn = (found: object): string | undefined =>
  Object.entries(found).flatMap(([field, value]) =>
    fields.has(field) && typeof value === 'string' && value ? [value] : [],
  )[0];
