import type { AuditRecord } from '../../core/operation.js';
import type { Input } from '../../core/shape.js';
import { withoutSecrets } from '../../users/names.js';
import type { PartialImportRepresentation } from '../nested-representations.js';
import type { Imported, ImportResult } from './results.js';

function pathOf({ kind, name, id, client }: ImportResult): string {
  switch (kind) {
    case 'CLIENT':
      return `clients/${id}`;
    case 'REALM_ROLE':
      return `roles/${name}`;
    case 'CLIENT_ROLE':
      return `clients/${client?.id}/roles/${name}`;
    case 'IDP':
      return `identity-provider/instances/${name}`;
    case 'GROUP':
      return `groups/${id}`;
    case 'USER':
      return `users/${id}`;
  }
}

/** One audit record for each written object. The records contain no secrets. */
export function auditOf(
  { results, implied }: Imported,
  input: Input<typeof PartialImportRepresentation>,
): AuditRecord[] {
  const users = new Map((input.users ?? []).map((user) => [user.username, user]));
  const providers = new Map((input.identityProviders ?? []).map((provider) => [provider.alias, provider]));
  const groups = new Map((input.groups ?? []).map((group) => [group.name, group]));
  const clients = new Map((input.clients ?? []).map((client) => [client.clientId, client]));
  const representationOf = ({ kind, name }: ImportResult): unknown => {
    switch (kind) {
      case 'USER': {
        const user = users.get(name);
        return user && withoutSecrets(user);
      }
      case 'CLIENT': {
        const { secret: _, attributes: __, authorizationSettings: ___, ...open } = clients.get(name) ?? {};
        return open;
      }
      case 'IDP': {
        const { config: _, ...open } = providers.get(name) ?? {};
        return open;
      }
      case 'GROUP':
        return groups.get(name);
      default:
        return { name };
    }
  };
  return [...results, ...implied]
    .filter(({ action }) => action !== 'SKIPPED')
    .map((result) => ({
      operationType: result.action === 'ADDED' ? 'CREATE' : 'UPDATE',
      resourceType: result.kind === 'IDP' ? 'IDENTITY_PROVIDER' : result.kind,
      resourcePath: pathOf(result),
      resourceId: result.id,
      ...(result.formerId !== undefined && { removes: [result.formerId] }),
      representation: representationOf(result),
    }));
}
