import { permissionNames, rolesFor } from '../../services/core/permissions.js';
import { builder } from './builder.js';

/** The name of a permission or of a kind of target as a value of an enum: `view:client-scopes` as VIEW_CLIENT_SCOPES. */
export const enumName = (text: string): string => text.replaceAll(/[^a-z]+/g, '_').toUpperCase();

/** The permissions, as fields and as the directive `requires` name them. */
export const PermissionEnum = builder.enumType('Permission', {
  description: 'A permission of an administrator in one realm.',
  values: Object.fromEntries(
    permissionNames.map((name) => [
      enumName(name),
      { value: name, description: `\`${name}\`: held by ${rolesFor(name)}.` },
    ]),
  ),
});
