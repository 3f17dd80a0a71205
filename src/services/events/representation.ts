import { z } from 'zod';
import type { Prisma } from '../../generated/sqlite/client.js';
import { ownMember } from '../core/json.js';
import { answeredText, int, long, map, representation, text } from '../core/shape.js';
import { eventTypes } from './types.js';

export const operationTypes = ['ACTION', 'CREATE', 'DELETE', 'UPDATE'] as const;

/** The kinds of resources in admin events. */
export const resourceTypes = [
  'AUTHENTICATOR_CONFIG',
  'AUTHORIZATION_POLICY',
  'AUTHORIZATION_RESOURCE',
  'AUTHORIZATION_RESOURCE_SERVER',
  'AUTHORIZATION_SCOPE',
  'AUTH_EXECUTION',
  'AUTH_EXECUTION_FLOW',
  'AUTH_FLOW',
  'CLIENT',
  'CLIENT_INITIAL_ACCESS_MODEL',
  'CLIENT_ROLE',
  'CLIENT_ROLE_MAPPING',
  'CLIENT_SCOPE',
  'CLIENT_SCOPE_CLIENT_MAPPING',
  'CLIENT_SCOPE_MAPPING',
  'CLUSTER_NODE',
  'COMPONENT',
  'CUSTOM',
  'GROUP',
  'GROUP_MEMBERSHIP',
  'IDENTITY_PROVIDER',
  'IDENTITY_PROVIDER_MAPPER',
  'PROTOCOL_MAPPER',
  'REALM',
  'REALM_ROLE',
  'REALM_ROLE_MAPPING',
  'REALM_SCOPE_MAPPING',
  'REQUIRED_ACTION',
  'USER',
  'USER_FEDERATION_MAPPER',
  'USER_FEDERATION_PROVIDER',
  'USER_LOGIN_FAILURE',
  'USER_SESSION',
] as const;

/** `desc`, the default, lists the newest events first. A parameter of versions after 15. */
const direction = z.enum(['asc', 'desc']);

/** The filters of the contract for a list of admin events. A star in the path stands for any text. */
export const AdminEventFilter = representation('AdminEventFilter', {
  operationTypes: z.array(z.enum(operationTypes)),
  resourceTypes: z.array(z.enum(resourceTypes)),
  resourcePath: text,
  authRealm: text,
  authClient: text,
  authUser: text,
  authIpAddress: text,
  dateFrom: text,
  dateTo: text,
  direction,
  first: int,
  max: int,
});

/** The filters of the contract for a list of user events. */
export const EventFilter = representation('EventFilter', {
  type: z.array(z.enum(eventTypes)),
  client: text,
  user: text,
  ipAddress: text,
  dateFrom: text,
  dateTo: text,
  direction,
  first: int,
  max: int,
});

const AuthDetailsRepresentation = representation('AuthDetailsRepresentation', {
  realmId: text,
  clientId: text,
  userId: text,
  ipAddress: text,
});

/** AdminEventRepresentation of the contract. */
export const AdminEventRepresentation = representation('AdminEventRepresentation', {
  time: long,
  realmId: text,
  authDetails: AuthDetailsRepresentation,
  operationType: text,
  resourceType: text,
  resourcePath: text,
  representation: answeredText,
  error: text,
});

export const adminEventSelect = {
  time: true,
  realmId: true,
  authRealmId: true,
  authClientId: true,
  authUserId: true,
  authIpAddress: true,
  operationType: true,
  resourceType: true,
  resourcePath: true,
  representation: true,
  sent: true,
} as const satisfies Prisma.AdminEventSelect;

/** All of an admin event that callers of GraphQL see. */
export const allOfAdminEvent = {
  ...adminEventSelect,
  id: true,
  operation: true,
  resourceId: true,
  before: true,
  listed: true,
} as const satisfies Prisma.AdminEventSelect;

export type AdminEventRow = Prisma.AdminEventGetPayload<{ select: typeof adminEventSelect }>;

/** One admin event. `clientId` is the ID of the client, if it still exists. */
export const encodeAdminEvent = (row: AdminEventRow, clientId: string | null) => ({
  time: Number(row.time),
  realmId: row.realmId,
  authDetails: {
    realmId: row.authRealmId,
    clientId,
    userId: row.authUserId,
    ipAddress: row.authIpAddress,
  },
  operationType: row.operationType,
  resourceType: row.resourceType,
  ...(row.resourcePath !== '' && { resourcePath: row.resourcePath }),
  ...(row.representation !== null && { representation: sentPart(row.representation, row) }),
});

/** Fields that the reference server adds to the input of a new resource before it records it. */
const added: Readonly<Record<string, readonly string[]>> = {
  CLIENT: ['id'],
  CLIENT_ROLE: ['id', 'composite'],
  GROUP: ['id'],
  REALM_ROLE: ['id', 'composite'],
};

/** The part of a written object that the caller sent: the contract records no more. */
function sentPart(written: string, { sent, operationType, resourceType }: AdminEventRow): string {
  if (sent === null) return written;
  const fields = [
    ...(JSON.parse(sent) as string[]),
    ...((operationType === 'CREATE' && ownMember(added, resourceType)) || []),
  ];
  const whole = JSON.parse(written) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(Object.entries(whole).filter(([name]) => fields.includes(name))));
}

/** EventRepresentation of the contract. */
export const EventRepresentation = representation('EventRepresentation', {
  time: long,
  type: text,
  realmId: text,
  clientId: text,
  userId: text,
  sessionId: text,
  ipAddress: text,
  error: text,
  details: map,
});

/** All of a login event. */
export const loginEventSelect = {
  id: true,
  time: true,
  type: true,
  realmId: true,
  clientId: true,
  userId: true,
  sessionId: true,
  ipAddress: true,
  error: true,
  details: true,
} as const satisfies Prisma.LoginEventSelect;

export type LoginEventRow = Prisma.LoginEventGetPayload<{ select: typeof loginEventSelect }>;

/** One login event; empty fields are left out. */
export const encodeLoginEvent = ({ id: _, time, ...row }: LoginEventRow) => ({
  time: Number(time),
  ...Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
});
