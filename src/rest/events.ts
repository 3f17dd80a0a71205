import { list } from '../services/core/shape.js';
import { clearEvents, listEvents } from '../services/events/login-operations.js';
import * as events from '../services/events/operations.js';
import { AdminEventRepresentation, EventRepresentation } from '../services/events/representation.js';
import { RealmEventsConfigRepresentation } from '../services/realms/nested-representations.js';
import { below } from './place.js';
import { inRealm } from './realm.js';
import { intParameter, type RestRequest } from './request.js';
import { del, get, mergePatch, put } from './table.js';

const config = below(inRealm, '/events/config');
const adminEvents = below(inRealm, '/admin-events');

const texts = [
  'resourcePath',
  'authRealm',
  'authClient',
  'authUser',
  'authIpAddress',
  'dateFrom',
  'dateTo',
  'direction',
] as const;
const lists = ['operationTypes', 'resourceTypes'] as const;

const eventTexts = ['client', 'user', 'ipAddress', 'dateFrom', 'dateTo', 'direction'] as const;
const eventLists = ['type'] as const;

/** Lists come as repeated parameters or separated by commas. */
const filter =
  (texts: readonly string[], lists: readonly string[]) =>
  ({ query }: RestRequest): Record<string, unknown> => {
    const given: Record<string, unknown> = { first: intParameter(query, 'first'), max: intParameter(query, 'max') };
    for (const name of texts) given[name] = query.get(name) ?? undefined;
    for (const name of lists) given[name] = query.getAll(name).flatMap((value) => value.split(',').filter(Boolean));
    return given;
  };

export const eventRoutes = [
  get(config, events.getConfig, { returns: RealmEventsConfigRepresentation }),
  put(config, events.updateConfig),
  mergePatch(config, events.patchConfig),
  get(adminEvents, events.listAdminEvents, {
    returns: list(AdminEventRepresentation),
    query: [...texts, ...lists, 'first', 'max'],
    input: filter(texts, lists),
  }),
  del(adminEvents, events.clearAdminEvents),
  get(below(inRealm, '/events'), listEvents, {
    returns: list(EventRepresentation),
    query: [...eventTexts, ...eventLists, 'first', 'max'],
    input: filter(eventTexts, eventLists),
  }),
  del(below(inRealm, '/events'), clearEvents),
].flat();
