import { json } from '../http/answer.js';
import { clientById } from '../services/clients/locate.js';
import { Refusal } from '../services/core/refusal.js';
import { texts } from '../services/core/shape.js';
import { testSmtp } from '../services/mail/test-mail.js';
import { partialExport } from '../services/realms/export/partial.js';
import { partialImport } from '../services/realms/partial-import/operation.js';
import type { Imported } from '../services/realms/partial-import/results.js';
import { RealmRepresentation } from '../services/realms/representation.js';
import * as upkeep from '../services/realms/upkeep.js';
import { GlobalRequestResult, PartialImportResults } from './answer-shapes.js';
import { below, child } from './place.js';
import { inRealm, realm } from './realm.js';
import { flagParameter, type RestRequest } from './request.js';
import { get, post, postToRead } from './table.js';

/**
 * Results in the form of the contract: a role that was overwritten counts as added as well, and the id of a client role
 * is that of its client, as recorded.
 */
function importAnswer({ results }: Imported) {
  const listed = results.flatMap((result) => {
    const twice = result.action === 'OVERWRITTEN' && result.kind.endsWith('_ROLE');
    return twice ? [{ ...result, action: 'ADDED' as const }, result] : [result];
  });
  const count = (action: string) => listed.filter((result) => result.action === action).length;
  return {
    overwritten: count('OVERWRITTEN'),
    added: count('ADDED'),
    skipped: count('SKIPPED'),
    results: listed.map(({ action, kind, name, id, client }) => ({
      action,
      resourceType: kind,
      resourceName: client ? `${client.clientId}-->${name}` : name,
      id: client?.id ?? id,
    })),
  };
}

const client = child(realm, '/clients/{id}', (ctx, parent, { id = '' }) => clientById(ctx, parent, id));

const whoWasTold = {
  returns: GlobalRequestResult,
  answer: ({ successRequests, failedRequests }: upkeep.Told) =>
    json({ ...(successRequests && { successRequests }), ...(failedRequests && { failedRequests }) }),
};

/** The settings as JSON, or as JSON in the field `config` of a form, as old consoles send them. */
async function smtpSettings(request: RestRequest): Promise<unknown> {
  const text = await request.text('application/json', 'application/x-www-form-urlencoded');
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  try {
    return JSON.parse(isForm ? (new URLSearchParams(text).get('config') ?? '') : text);
  } catch {
    throw new Refusal('malformed', 'The body must be valid JSON', { field: 'body' });
  }
}

const at = (path: string) => below(inRealm, path);

export const upkeepRoutes = [
  get(at('/credential-registrators'), upkeep.credentialRegistrators, { returns: texts }),
  post(at('/clear-realm-cache'), upkeep.clearRealmCache),
  post(at('/clear-user-cache'), upkeep.clearUserCache),
  post(at('/clear-keys-cache'), upkeep.clearKeysCache),
  postToRead(at('/partial-export'), partialExport, {
    returns: RealmRepresentation,
    query: ['exportClients', 'exportGroupsAndRoles'],
    input: ({ query }) => ({
      clients: flagParameter(query, 'exportClients'),
      groupsAndRoles: flagParameter(query, 'exportGroupsAndRoles'),
    }),
  }),
  post(at('/logout-all'), upkeep.logoutAll, whoWasTold),
  post(at('/push-revocation'), upkeep.pushRevocation, whoWasTold),
  post(below(client, '/push-revocation'), upkeep.pushClientRevocation, whoWasTold),
  post(at('/testSMTPConnection'), testSmtp, {
    input: smtpSettings,
    takes: 'json',
    failures: { 500: 'The mail could not be sent.' },
  }),
  post(at('/partialImport'), partialImport, {
    large: true,
    returns: PartialImportResults,
    answer: (imported) => json(importAnswer(imported)),
  }),
].flat();
