/** What a test may do through either surface. Ids are those of the contract, whatever the surface calls them. */
export interface AdminClient {
  createRealm(name: string): Promise<void>;
  deleteRealm(realm: string): Promise<void>;

  createRole(realm: string, role: { name: string; description?: string; attributes?: Attributes }): Promise<string>;
  readRole(realm: string, id: string): Promise<RoleView | undefined>;
  updateRole(
    realm: string,
    id: string,
    change: { name: string; description?: string; attributes?: Attributes },
  ): Promise<void>;
  deleteRole(realm: string, id: string): Promise<void>;
  addComposites(realm: string, id: string, members: string[]): Promise<void>;
  removeComposites(realm: string, id: string, members: string[]): Promise<void>;
  /** names of the direct members, sorted */
  compositesOf(realm: string, id: string): Promise<string[]>;

  createGroup(realm: string, group: { name: string; parent?: string; attributes?: Attributes }): Promise<string>;
  readGroup(realm: string, id: string): Promise<{ name: string; path: string; attributes: Attributes } | undefined>;
  renameGroup(realm: string, id: string, name: string): Promise<void>;
  moveGroup(realm: string, id: string, name: string, parent: string): Promise<void>;
  deleteGroup(realm: string, id: string): Promise<void>;

  createUser(realm: string, user: UserInput): Promise<string>;
  readUser(realm: string, id: string): Promise<UserView | undefined>;
  updateUser(realm: string, id: string, change: Partial<UserInput>): Promise<void>;
  deleteUser(realm: string, id: string): Promise<void>;
  /** user names that the search finds, sorted */
  searchUsers(realm: string, search: string): Promise<string[]>;
  setPassword(realm: string, id: string, password: string): Promise<void>;
  joinGroup(realm: string, user: string, group: string): Promise<void>;
  leaveGroup(realm: string, user: string, group: string): Promise<void>;
  /** paths of the groups that the user is in, sorted */
  groupsOf(realm: string, user: string): Promise<string[]>;

  addRoles(realm: string, owner: Owner, roles: { id: string; name: string }[]): Promise<void>;
  removeRoles(realm: string, owner: Owner, roles: { id: string; name: string }[]): Promise<void>;
  /** names of the realm roles that the owner has, directly or not, sorted */
  effectiveRoles(realm: string, owner: Owner): Promise<string[]>;
}

export type Attributes = Record<string, string[]>;
export interface Owner {
  kind: 'user' | 'group';
  id: string;
}
interface RoleView {
  name: string;
  description: string | undefined;
  composite: boolean;
  attributes: Attributes;
}
interface UserInput {
  username: string;
  email?: string;
  firstName?: string;
  lastName?: string;
  enabled?: boolean;
  attributes?: Attributes;
}
interface UserView {
  username: string;
  email: string | undefined;
  firstName: string | undefined;
  lastName: string | undefined;
  enabled: boolean;
  attributes: Attributes;
}

export type FailureKind = 'NOT_FOUND' | 'CONFLICT' | 'INVALID' | 'FORBIDDEN';

/** What either client throws when the service refused. */
export class Failure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string) {
    super(`${kind}: ${message}`);
    this.kind = kind;
  }
}
