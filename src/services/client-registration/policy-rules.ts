import type { Db } from '../../database/db.js';
import { scopeNames } from '../clients/encode.js';
import type { ClientInput } from '../clients/representation.js';
import type { FullClient } from '../clients/store.js';
import { addressObjection, trustedOf, trustsSender } from './trusted-hosts.js';

/** The request: a client is registered, changed, or (without `proposed`) read or deleted. */
export interface Asked {
  db: Db;
  realmId: string;
  /** IP address of the request */
  address: string;
  /** the present client; undefined for a new one */
  client?: FullClient;
  /** the client after the request */
  proposed?: ClientInput;
}

/** Settings of a policy: lists of texts by name. */
export type Settings = Readonly<Record<string, readonly string[] | undefined>>;

/** A policy for clients that register themselves. */
export interface PolicyRule {
  /** the reason for a refusal; undefined if the request is allowed */
  objection?: (asked: Asked, settings: Settings) => string | undefined | Promise<string | undefined>;
  /** values that every new client gets, regardless of its request */
  imposes?: Partial<ClientInput>;
  /** the types of protocol mappers that a new client keeps */
  mapperTypes?: (settings: Settings) => readonly string[];
  /** whether concurrent registrations could circumvent it */
  countsClients?: boolean;
}

const isOn = (settings: Settings, name: string): boolean => (settings[name]?.[0] ?? 'true') === 'true';

const notTurnedBack =
  (text: string, turnsBack: (proposed: ClientInput, client: FullClient) => boolean): PolicyRule['objection'] =>
  ({ client, proposed }) =>
    client && proposed && turnsBack(proposed, client) ? text : undefined;

const allowedMappers = (settings: Settings): readonly string[] => settings['allowed-protocol-mapper-types'] ?? [];

/** The policies by the IDs of their providers. */
export const policyRules: ReadonlyMap<string, PolicyRule> = new Map<string, PolicyRule>([
  [
    'trusted-hosts',
    {
      objection: async ({ address, proposed }, settings) => {
        const trusted = trustedOf(settings['trusted-hosts'] ?? []);
        const bySender = isOn(settings, 'host-sending-registration-request-must-match');
        if (bySender && !(await trustsSender(trusted, address))) return 'Host not trusted.';
        return proposed && isOn(settings, 'client-uris-must-match') ? addressObjection(trusted, proposed) : undefined;
      },
    },
  ],
  [
    'consent-required',
    {
      imposes: { consentRequired: true },
      objection: notTurnedBack(
        'Not permitted to update consentRequired to false',
        (proposed, client) => client.consentRequired && proposed.consentRequired === false,
      ),
    },
  ],
  [
    'scope',
    {
      imposes: { fullScopeAllowed: false },
      objection: notTurnedBack(
        'Not permitted to enable fullScopeAllowed',
        (proposed, client) => !client.fullScopeAllowed && proposed.fullScopeAllowed === true,
      ),
    },
  ],
  [
    'client-disabled',
    {
      imposes: { enabled: false },
      objection: notTurnedBack(
        'Not permitted to enable client',
        (proposed, client) => !client.enabled && proposed.enabled === true,
      ),
    },
  ],
  [
    'max-clients',
    {
      countsClients: true,
      objection: async ({ db, realmId, client, proposed }, settings) => {
        if (client || !proposed) return undefined;
        const most = Number(settings['max-clients']?.[0] ?? 200);
        const count = await db.client.count({ where: { realmId } });
        return count >= most ? `It's allowed to have max ${most} clients per realm` : undefined;
      },
    },
  ],
  [
    'allowed-protocol-mappers',
    {
      mapperTypes: allowedMappers,
      objection: ({ client, proposed }, settings) => {
        const allowed = allowedMappers(settings);
        // mappers that an administrator added to the client are kept
        const kept = (client?.protocolMappers ?? []).map((mapper) => asText(mapper));
        const isFine = (mapper: NonNullable<ClientInput['protocolMappers']>[number]) =>
          allowed.includes(mapper.protocolMapper ?? '') || kept.includes(asText(mapper));
        return (proposed?.protocolMappers ?? []).every(isFine) ? undefined : 'ProtocolMapper type not allowed';
      },
    },
  ],
  [
    'allowed-client-templates',
    {
      objection: async ({ db, realmId, client, proposed }, settings) => {
        const lists = { default: proposed?.defaultClientScopes ?? [], optional: proposed?.optionalClientScopes ?? [] };
        if (lists.default.length + lists.optional.length === 0) return undefined;
        const where = { realmId, assignment: { not: null } };
        const byRealm = isOn(settings, 'allow-default-scopes')
          ? await db.clientScope.findMany({ where, select: { name: true, assignment: true } })
          : [];
        const isAllowed = (list: 'default' | 'optional') => (name: string) =>
          settings['allowed-client-scopes']?.includes(name) ||
          byRealm.some((scope) => scope.name === name && scope.assignment === list) ||
          (client !== undefined && scopeNames(client, list === 'optional').includes(name));
        const isFine = lists.default.every(isAllowed('default')) && lists.optional.every(isAllowed('optional'));
        return isFine ? undefined : 'Not permitted to use specified clientScope';
      },
    },
  ],
]);

/** A mapper without its ID, as text with sorted settings, for comparison. */
const asText = (mapper: { name?: string | undefined; protocolMapper?: string | null | undefined; config?: unknown }) =>
  JSON.stringify([
    mapper.name,
    mapper.protocolMapper,
    Object.entries((mapper.config ?? {}) as Record<string, string>).sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
