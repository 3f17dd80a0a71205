import { describe, expect, it } from 'vitest';
import '../../src/graph/schema.js';
import { operations } from '../../src/services/core/operation.js';
import '../support/server.js';

/** Why writes that declare nothing give nobody anything, and change nobody's account. */
const reasons: Record<string, readonly string[]> = {
  'is noted, shown or forgotten, and gives no rights': [
    'adminEvent.clear',
    'event.clear',
    'events.updateConfig',
    'eventsConfig.patch',
    'realm.clearCache',
    'realm.clearKeysCache',
    'realm.clearUserCache',
    'realm.exportSecrets',
  ],
  'changes how users log in: no flow ends without a proof of who the user is': [
    'authenticatorConfig.create',
    'authenticatorConfig.delete',
    'authenticatorConfig.patch',
    'authenticatorConfig.update',
    'execution.add',
    'execution.addFlow',
    'execution.create',
    'execution.delete',
    'execution.lower',
    'execution.raise',
    'execution.update',
    'flow.copy',
    'flow.create',
    'flow.delete',
    'flow.patch',
    'flow.update',
    'requiredAction.delete',
    'requiredAction.lower',
    'requiredAction.patch',
    'requiredAction.raise',
    'requiredAction.register',
    'requiredAction.update',
  ],
  'makes something new that nobody has: its roles, mappers and scopes are asked about one by one': [
    'client.create',
    'clientInitialAccess.create',
    'clientRegistration.create',
    'clientScope.create',
    'group.create',
  ],
  'decides what stands in tokens; what tokens say counts only as far as their user has the roles': [
    'clientPolicies.patch',
    'clientPolicies.update',
    'clientProfiles.patch',
    'clientProfiles.update',
    'clientScope.addToRealm',
    'clientScope.delete',
    'clientScope.patch',
    'clientScope.removeFromRealm',
    'clientScope.update',
  ],
  'takes something away that gave rights only to those who log in by it': [
    'clientInitialAccess.delete',
    'identityProvider.delete',
    'scopeMapping.remove',
  ],
  'has tokens of earlier times refused, and gives none': ['client.pushRevocation', 'realm.pushRevocation'],
  'tells addresses what happens, without secrets': [
    'client.registerNode',
    'client.removeNode',
    'realm.testSmtp',
    'userStorage.testConnection',
    'webhook.create',
    'webhook.delete',
    'webhook.patch',
    'webhook.ping',
    'webhook.replay',
    'webhook.replayDelivery',
    'webhook.rotateSecret',
    'webhook.update',
  ],
  'writes texts of pages and mails, which are shown as texts': [
    'localization.deleteText',
    'localization.deleteTexts',
    'localization.setText',
    'localization.setTexts',
  ],
  'reads a directory whose mappers were asked about when they were configured': [
    'userStorage.mapperSync',
    'userStorage.sync',
  ],
  'is for resource servers and owners, about resources': [
    'permissionTicket.create',
    'permissionTicket.delete',
    'permissionTicket.update',
    'umaPolicy.create',
    'umaPolicy.delete',
    'umaPolicy.update',
    'umaResource.create',
    'umaResource.delete',
    'umaResource.update',
  ],
  'is for users, about their own accounts: no role is given by it': [
    'account.delete',
    'account.endSession',
    'account.endSessions',
    'account.giveConsent',
    'account.labelCredential',
    'account.removeCredential',
    'account.removeLink',
    'account.revokeConsent',
    'account.shareResource',
    'account.updateProfile',
  ],
  'asks in `check` or `run`, of whatever the input has': [
    'realm.partialImport',
    'realm.patch',
    'realm.update',
    'user.deleteMatching',
  ],
  'makes or removes a realm as a whole: who creates one gets the roles of that one': ['realm.create', 'realm.delete'],
  'is for those who have all permissions of the realm': ['realm.apply', 'realm.revert', 'realm.unmanage'],
  'is for those who may set policies anyhow; the policies are asked about': [
    'managementPermission.patch',
    'managementPermission.update',
  ],
};
const excused = Object.values(reasons).flat();

const writes = [...operations().values()].filter(({ kind }) => kind === 'write');
const declares = (write: (typeof writes)[number]) =>
  Boolean(write.grants ?? write.actsOn ?? write.alters ?? write.asksEach);

describe('every write', () => {
  it.each(writes.map((operation) => [operation.name, operation] as const))(
    '%s declares what it gives, acts on or alters, or has a reason to do none of it',
    (name, operation) => {
      expect(
        declares(operation),
        'A write declares `grants`, `actsOn` or `alters`, asks for each object, or is listed above with its reason, not both',
      ).toBe(!excused.includes(name));
    },
  );

  it('that has a reason is there, and has one reason', () => {
    const names = new Set(writes.map(({ name }) => name));
    expect(excused.filter((name) => !names.has(name))).toEqual([]);
    expect(excused.length).toBe(new Set(excused).size);
  });
});
