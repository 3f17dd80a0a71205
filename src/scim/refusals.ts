import { Refusal } from '../services/core/refusal.js';

/** The reasons of errors that RFC 7644 section 3.12 and RFC 9865 section 3 name. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidCursor'
  | 'expiredCursor';

/** A refusal for which the surface itself knows the reason: the request is not valid SCIM. */
export class ScimRefusal extends Refusal {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, message: string) {
    super('invalid', message);
    this.name = 'ScimRefusal';
    this.scimType = scimType;
  }
}

/** Refusal of a path that names no attribute, or no attribute that the request can use. */
export const invalidPath = (message: string): ScimRefusal => new ScimRefusal('invalidPath', message);
/** Refusal of a value that an attribute cannot have. */
export const invalidValue = (message: string): ScimRefusal => new ScimRefusal('invalidValue', message);
/** Refusal of a filter. */
export const invalidFilter = (message: string): ScimRefusal => new ScimRefusal('invalidFilter', message);
/** Refusal of a message that does not have the form of SCIM. */
export const invalidSyntax = (message: string): ScimRefusal => new ScimRefusal('invalidSyntax', message);
