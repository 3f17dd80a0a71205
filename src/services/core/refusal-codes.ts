/**
 * Reasons of refusals that programs distinguish, besides the kind of the refusal. An operation lists its codes in
 * `refuses`; REST has its own answers for them.
 */
export const refusalCodes = {
  ADMINISTRATION: 'The server needs the object for its administration.',
  BAD_ID: 'The text is not the ID of such an object.',
  BUILT_IN: 'The object is built in.',
  CYCLE: 'The object would contain itself, directly or through other objects.',
  DEFAULT_ROLE: 'The role is the default role of its realm.',
  EMAIL_INVALID: 'The text is not a single email address.',
  EMAIL_MISSING: 'The user has no email address.',
  EMAIL_TAKEN: 'Another user of the realm has this email address.',
  EXPIRED: 'The apply is too old to be reverted.',
  ID_TAKEN: 'Another object has this ID.',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was already used for another request.',
  IDENTITY_TAKEN: 'The user is already linked to this identity provider.',
  IN_USE: 'Another object refers to this one.',
  LAST_ADMIN: 'No enabled user would be left who administers the master realm.',
  LIMIT_REACHED: 'The realm or object already has as many parts of this kind as it can have.',
  MANAGED: 'A file describes the object, and the realm refuses other changes of it.',
  NAME_INVALID: 'The name has characters that are not allowed, or too many of them.',
  NAME_TAKEN: 'Another object of this kind has this name.',
  PASSWORD_POLICY: 'The password does not meet the password policy of the realm.',
  READ_ONLY:
    'Only a user storage writes the field, or the user storage of the user or the realm does not accept the change.',
  REPEATED: 'The input names the same object twice.',
  SECRET_REQUIRED: 'A stored secret must be sent again, because its destination changes.',
  SERVICE_ACCOUNT_REQUIRED: 'The client has no service account, which this requires.',
  TOO_MANY: 'More objects match the filter than the limit allows.',
  UNKNOWN_REQUIRED_ACTION: 'The server has no required action with this alias.',
  USER_DISABLED: 'The user is disabled.',
  USERNAME_INVALID: 'The username is empty, or has characters that are not allowed.',
  USERNAME_TAKEN: 'Another user of the realm has this username, or one that looks the same.',
} as const;

export type RefusalCode = keyof typeof refusalCodes;

/** The fault of an argument of a field: its size is out of range, or it is not a valid cursor or ID. */
export type ArgumentCode = 'LIMIT' | 'BAD_CURSOR' | 'BAD_ID';
