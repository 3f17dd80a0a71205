import { type ComponentRow, encodeComponent } from '../../components/encode.js';
import type { NamedRole } from './names.js';

/** Names of realm roles, and of client roles by clientId. */
export function namesByClient(roles: readonly NamedRole[]): { realm: string[]; client: Record<string, string[]> } {
  const realm: string[] = [];
  // without a prototype, because that has members such as "constructor"
  const client: Record<string, string[]> = Object.create(null);
  for (const role of roles) {
    if (!role.client) {
      realm.push(role.name);
      continue;
    }
    const { clientId } = role.client;
    const known = client[clientId];
    if (known) known.push(role.name);
    else client[clientId] = [role.name];
  }
  return { realm, client };
}

/** A client or client scope with the roles in its scope. */
export interface ScopeSource {
  client?: string;
  clientScope?: string;
  rows: readonly { role: NamedRole }[];
}

/** `scopeMappings` of realm roles, and `clientScopeMappings` of client roles by client. */
export function scopeMappings(sources: readonly ScopeSource[]) {
  const ofRealm: object[] = [];
  const ofClients: Record<string, object[]> = Object.create(null);
  for (const { rows, ...whose } of sources) {
    const { realm, client } = namesByClient(rows.map(({ role }) => role));
    if (realm.length > 0) ofRealm.push({ ...whose, roles: realm });
    for (const [clientId, roles] of Object.entries(client)) {
      const mapping = { ...whose, roles };
      const known = ofClients[clientId];
      if (known) known.push(mapping);
      else ofClients[clientId] = [mapping];
    }
  }
  return {
    ...(ofRealm.length > 0 && { scopeMappings: ofRealm }),
    ...(Object.keys(ofClients).length > 0 && { clientScopeMappings: ofClients }),
  };
}

/** Components below a parent by provider type, each with its children: MultivaluedHashMap of the contract. */
export function componentTree(parentId: string, components: readonly ComponentRow[]): Record<string, object[]> {
  const tree: Record<string, object[]> = Object.create(null);
  for (const component of components) {
    if (component.parentId !== parentId) continue;
    const { providerType, parentId: _parent, ...encoded } = encodeComponent(component);
    const rest = components.filter((other) => other !== component);
    const entry = { ...encoded, subComponents: componentTree(component.id, rest) };
    tree[providerType] = [...(tree[providerType] ?? []), entry];
  }
  return tree;
}
