import { assemble } from '../../authorization/assemble.js';
import { requireNoCircles } from '../../authorization/circles.js';
import { type Resolve, unknownSubject } from '../../authorization/references.js';
import type { AuthorizationRows } from '../../authorization/rows.js';
import { laterInPlace } from '../../core/batch.js';
import type { Draft } from './draft.js';

/** Adds the authorization services of the clients of the file. Services without settings begin empty, as recorded. */
export async function assembleAuthorization(draft: Draft): Promise<void> {
  // the list may have gaps, if a partial import leaves clients out
  const settingsOf = new Map(
    (draft.input.clients ?? []).flatMap((client, index) => [
      [client.clientId, { given: client.authorizationSettings, index }] as const,
    ]),
  );
  for (const { id, clientId, authorizationServicesEnabled } of draft.rows.Client) {
    if (!authorizationServicesEnabled) continue;
    await draft.pause();
    const { given = {}, index } = settingsOf.get(clientId) ?? {};
    const settings = draft.ids.renewed(given);
    const place = index === undefined ? ['clients'] : ['clients', String(index), 'authorizationSettings'];
    draft.rows.ResourceServer.push({
      id,
      allowRemoteResourceManagement: settings.allowRemoteResourceManagement ?? true,
      policyEnforcementMode: settings.policyEnforcementMode ?? 'ENFORCING',
      decisionStrategy: settings.decisionStrategy ?? 'UNANIMOUS',
    });
    const rows = await draft.refusals.attemptLater(() =>
      laterInPlace(place, () =>
        assemble(settings, {
          resourceServerId: id,
          known: { scopes: new Map(), resources: new Map(), policies: new Map() },
          resolve: (subject) => find(draft, subject),
          ids: draft.ids,
          mayBeEmpty: draft.context.isWhole,
          pause: draft.pause,
        }),
      ),
    );
    if (!rows) continue;
    for (const [model, added] of Object.entries(rows) as [keyof AuthorizationRows, unknown[]][]) {
      // both have rows of the same model
      const rowsOfModel = draft.rows[model] as unknown[];
      for (const row of added) rowsOfModel.push(row);
    }
  }
  // a realm may have circles from the time before they were refused, and is compared with a file that removes them
  if (!draft.context.isWhole) draft.refusals.attempt(() => requireNoCircles(draft.rows));
}

/** The ID of the object that a policy names, from the objects in the draft so far. */
function find(draft: Draft, subject: Parameters<Resolve>[0]): string {
  const { kind, reference } = subject;
  const id = finders[kind](draft, reference);
  if (id === undefined) throw unknownSubject(subject);
  return id;
}

const finders: Record<Parameters<Resolve>[0]['kind'], (draft: Draft, name: string) => string | undefined> = {
  role({ rolesOf, realmId, clientByName, ids }, name) {
    const at = name.indexOf('/');
    const client = at > 0 ? clientByName.get(name.slice(0, at)) : undefined;
    const found = client ? rolesOf.get(client.id)?.get(name.slice(at + 1)) : rolesOf.get(realmId)?.get(name);
    const all = () => [...rolesOf.values()].flatMap((roles) => [...roles.values()]);
    return found?.id ?? byId(all(), ids.now('Role', name));
  },
  user: ({ userByName, ids }, name) =>
    userByName.get(name.toLowerCase())?.id ?? byId([...userByName.values()], ids.now('User', name)),
  group: ({ groupByPath, ids }, name) =>
    groupByPath.get(name)?.id ?? byId([...groupByPath.values()], ids.now('Group', name)),
  client: ({ clientByName, ids }, name) =>
    clientByName.get(name)?.id ?? byId([...clientByName.values()], ids.now('Client', name)),
  'client-scope': ({ scopeByName, ids }, name) =>
    scopeByName.get(name)?.id ?? byId([...scopeByName.values()], ids.now('ClientScope', name)),
};

const byId = (rows: readonly { id: string }[], id: string): string | undefined =>
  rows.some((row) => row.id === id) ? id : undefined;
