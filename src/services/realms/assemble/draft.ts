import { breaks, type Pause } from '../../../database/turns.js';
import type { Prisma } from '../../../generated/sqlite/client.js';
import { type AuthorizationRows, noRows } from '../../authorization/rows.js';
import type { FetchSettings } from '../../core/fetch-public.js';
import { type FileIds, fileIds } from '../../core/own-id.js';
import { Refusals } from '../../core/refusal.js';
import type { Sealer } from '../../core/seal.js';
import type { RoleRow } from '../../roles/row.js';
import type { CredentialInput } from '../../users/representation.js';
import type { RealmInput } from '../representation.js';

/** A password in its stored form. `secretData` is not sealed yet. */
export interface HashedPassword {
  credentialData: string;
  secretData: string;
}

export interface AssemblyContext {
  /** a new random ID */
  newId(): string;
  /** a new random client secret */
  newSecret(): string;
  seal: Sealer['seal'];
  /** milliseconds since 1970 */
  now: number;
  /** the IDs of the file that something on the server has already; more may be added as the file is read */
  taken?: ReadonlySet<string>;
  /** the hashes of everything that `plainPasswords` listed */
  passwords?: ReadonlyMap<CredentialInput, HashedPassword>;
  /** whether the file is the whole realm: missing defaults are not added */
  isWhole?: boolean;
  /** the position of the first event that webhooks receive, and whether they may lead to private addresses */
  webhooks?: { position: bigint; places: FetchSettings };
  /**
   * whether generated keys of the file are accepted: the person who provides the file could sign tokens of all users
   * with them
   */
  takesKeys?: boolean;
  /** position of the first identity provider; 1 in a new realm */
  firstProvider?: number;
  /** the master realm, to which the client that represents the realm is added; undefined for the master realm itself */
  master?: { realmId: string; adminRoleId: string };
  /** the breaks of the surrounding work. Default: separate breaks, as in a transaction */
  pause?: Pause;
}

/** The rows of one realm by model, in an order in which every foreign key points to an earlier row. */
export interface RealmRows extends AuthorizationRows {
  Realm: Prisma.RealmCreateManyInput[];
  AuthenticationFlow: Prisma.AuthenticationFlowCreateManyInput[];
  AuthenticatorConfig: Prisma.AuthenticatorConfigCreateManyInput[];
  AuthenticationExecution: Prisma.AuthenticationExecutionCreateManyInput[];
  RequiredAction: Prisma.RequiredActionCreateManyInput[];
  Component: Prisma.ComponentCreateManyInput[];
  IdentityProvider: Prisma.IdentityProviderCreateManyInput[];
  IdentityProviderMapper: Prisma.IdentityProviderMapperCreateManyInput[];
  ClientScope: Prisma.ClientScopeCreateManyInput[];
  Client: Prisma.ClientCreateManyInput[];
  ClientScopeAssignment: Prisma.ClientScopeAssignmentCreateManyInput[];
  ProtocolMapper: Prisma.ProtocolMapperCreateManyInput[];
  Role: Prisma.RoleCreateManyInput[];
  RoleAttribute: Prisma.RoleAttributeCreateManyInput[];
  AdministrationRole: Prisma.AdministrationRoleCreateManyInput[];
  CompositeRole: Prisma.CompositeRoleCreateManyInput[];
  ClientScopeMapping: Prisma.ClientScopeMappingCreateManyInput[];
  ClientScopeScopeMapping: Prisma.ClientScopeScopeMappingCreateManyInput[];
  Group: Prisma.GroupCreateManyInput[];
  GroupAttribute: Prisma.GroupAttributeCreateManyInput[];
  GroupRole: Prisma.GroupRoleCreateManyInput[];
  User: Prisma.UserCreateManyInput[];
  UserAttribute: Prisma.UserAttributeCreateManyInput[];
  Credential: Prisma.CredentialCreateManyInput[];
  FederatedIdentity: Prisma.FederatedIdentityCreateManyInput[];
  UserConsent: Prisma.UserConsentCreateManyInput[];
  UserGroup: Prisma.UserGroupCreateManyInput[];
  UserRole: Prisma.UserRoleCreateManyInput[];
  LocalizationText: Prisma.LocalizationTextCreateManyInput[];
  Webhook: Prisma.WebhookCreateManyInput[];
  ResourceServer: Prisma.ResourceServerCreateManyInput[];
}

export type ClientRow = Prisma.ClientCreateManyInput & { id: string; clientId: string };

/** A realm that is being assembled, with indexes of its objects so far. */
export interface Draft {
  readonly input: RealmInput & { realm: string };
  readonly context: AssemblyContext;
  readonly realmId: string;
  /** the IDs of the objects in the file */
  readonly ids: FileIds;
  readonly isMaster: boolean;
  readonly rows: RealmRows;
  readonly flowByAlias: Map<string, Prisma.AuthenticationFlowCreateManyInput>;
  readonly flowIds: Set<string>;
  /**
   * IDs of authenticator configurations by the names that steps use: an ID of the file, or the first configuration with
   * the alias
   */
  readonly configByName: Map<string, string>;
  /** IDs of the user storages */
  readonly storages: Set<string>;
  readonly clientByName: Map<string, ClientRow>;
  readonly scopeByName: Map<string, Prisma.ClientScopeCreateManyInput>;
  /** roles by container (the realm or a client), then by name */
  readonly rolesOf: Map<string, Map<string, RoleRow>>;
  /** the roles that only their mention has made, by ID, with the first place that names them */
  readonly mentions: Map<string, string>;
  readonly groupByPath: Map<string, Prisma.GroupCreateManyInput>;
  readonly userByName: Map<string, Prisma.UserCreateManyInput>;
  readonly emails: Set<string>;
  /** existing links, as `kind:from:to` */
  readonly links: Set<string>;
  /** existing links of users; see `takeUsers` */
  readonly userLinks: Set<string>;
  /** the groups that new users join */
  readonly defaultGroups: string[];
  /** the faults of the input; the code that has created the draft throws them */
  readonly refusals: Refusals;
  /** to await between objects, so that other requests run in between */
  readonly pause: Pause;
}

const emptyRows = (): RealmRows => ({
  Realm: [],
  AuthenticationFlow: [],
  AuthenticatorConfig: [],
  AuthenticationExecution: [],
  RequiredAction: [],
  Component: [],
  IdentityProvider: [],
  IdentityProviderMapper: [],
  ClientScope: [],
  Client: [],
  ClientScopeAssignment: [],
  ProtocolMapper: [],
  Role: [],
  RoleAttribute: [],
  AdministrationRole: [],
  CompositeRole: [],
  ClientScopeMapping: [],
  ClientScopeScopeMapping: [],
  Group: [],
  GroupAttribute: [],
  GroupRole: [],
  User: [],
  UserAttribute: [],
  Credential: [],
  FederatedIdentity: [],
  UserConsent: [],
  UserGroup: [],
  UserRole: [],
  LocalizationText: [],
  Webhook: [],
  ResourceServer: [],
  ...noRows(),
});

/** The IDs of a file before it is read. */
export const idsOf = ({ taken, newId }: AssemblyContext): FileIds => fileIds(taken ?? new Set(), { newId });

/** A draft without content. */
export const newDraft = (
  input: Draft['input'],
  context: AssemblyContext,
  {
    realmId,
    isMaster,
    ids = idsOf(context),
    refusals = new Refusals(),
  }: { realmId: string; isMaster: boolean; ids?: FileIds; refusals?: Refusals },
): Draft => ({
  input,
  context,
  realmId,
  ids,
  isMaster,
  rows: emptyRows(),
  flowByAlias: new Map(),
  flowIds: new Set(),
  configByName: new Map(),
  storages: new Set(),
  clientByName: new Map(),
  scopeByName: new Map(),
  rolesOf: new Map(),
  mentions: new Map(),
  groupByPath: new Map(),
  userByName: new Map(),
  emails: new Set(),
  links: new Set(),
  userLinks: new Set(),
  defaultGroups: [],
  refusals,
  pause: context.pause ?? breaks(),
});

/**
 * The entries of a list of the input with their indexes. Other requests run in between. The list has gaps if a partial
 * import leaves entries out.
 */
export async function* itemsOf<T>({ pause }: Draft, list: readonly T[] | undefined): AsyncGenerator<[number, T]> {
  for (const [index, item] of (list ?? []).entries()) {
    if (item === undefined) continue;
    await pause();
    yield [index, item];
  }
}

/** Whether this link is new; it is then remembered. Some files name the same role or group twice. */
export const isNewLink = ({ links }: Draft, kind: string, from: string, to: string): boolean =>
  isNew(links, kind, from, to);

/** Whether the link of a user is new; adds it to the existing ones. */
export const isNewUserLink = ({ userLinks }: Draft, kind: string, from: string, to: string): boolean =>
  isNew(userLinks, kind, from, to);

function isNew(links: Set<string>, kind: string, from: string, to: string): boolean {
  const key = `${kind}:${from}:${to}`;
  if (links.has(key)) return false;
  links.add(key);
  return true;
}
