import { one } from './config.js';
import type { Storage } from './storage.js';

/** The attribute of the directory for a field of users, if there is one. */
export function attributeFor({ mappers, people }: Storage, field: string): string | undefined {
  const mapper = mappers.find(
    ({ providerId, config }) =>
      providerId === 'user-attribute-ldap-mapper' && one(config, 'user.model.attribute') === field,
  );
  return (mapper && one(mapper.config, 'ldap.attribute')) ?? (field === 'username' ? people.username : undefined);
}
