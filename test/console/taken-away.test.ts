import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { payloadObjects } from '../../console/src/session/documents.js';
import { hasBrowser } from '../../tools/browser.mjs';
import { login } from '../support/fixture.js';
import { useConsole, within } from './visitor.js';

/** The mutations of the console that take something away, by their names. */
const takingAway = Object.keys(payloadObjects).filter((name) =>
  /(Delete|Remove\w*|Leave\w*|Revoke\w*|Revert|Logout\w*|End|Unlink\w*|RotateSecret)$/.test(name),
);

/** A control that takes something away: its screen, and its name. A tab is opened or a row selected before. */
interface Control {
  at: string;
  tab?: string;
  before?: string;
  name: string | RegExp;
  /** whether it acts at once, and offers to undo it; otherwise it asks */
  isUndone?: boolean;
}

/** The control of each mutation. A mutation that only undoes has none. */
const controls: Record<string, Control | 'undo'> = {
  authenticationFlowDelete: { at: 'authentication?flow={flow}', name: 'Delete flow' },
  authenticatorConfigDelete: { at: 'authentication?flow={flow}', name: 'Delete configuration to partner' },
  authorizationPolicyDelete: { at: 'clients/{client}', tab: 'Authorization', name: 'Delete readers' },
  authorizationResourceDelete: { at: 'clients/{client}', tab: 'Authorization', name: 'Delete drawer' },
  authorizationScopeDelete: { at: 'clients/{client}', tab: 'Authorization', name: 'Delete close' },
  clientDelete: { at: 'clients/{client}', name: 'Delete' },
  clientInitialAccessDelete: { at: 'settings?section=registration', name: /^Delete token of/ },
  clientRemoveClientScope: { at: 'clients/{client}', tab: 'Client scopes', name: 'Remove phones', isUndone: true },
  clientRemoveNode: { at: 'clients/{client}', tab: 'Operation', name: 'Delete node.example' },
  clientRevokePreviousSecret: { at: 'clients/{client}', tab: 'Credentials', name: 'Revoke previous secret' },
  clientRotateSecret: { at: 'clients/{client}', tab: 'Credentials', name: 'Rotate secret' },
  clientScopeDelete: { at: 'client-scopes/{clientScope}', name: 'Delete' },
  clientsDelete: { at: 'clients?search=till', before: 'Select till', name: 'Delete' },
  componentDelete: { at: 'directories/{directory}', name: 'Delete' },
  credentialDelete: { at: 'users/{user}', tab: 'Credentials', name: 'Delete Password' },
  flowExecutionDelete: { at: 'authentication?flow={flow}', name: 'Delete Identity Provider Redirector' },
  groupDelete: { at: 'groups/{group}', name: 'Delete' },
  groupRemoveMembers: {
    at: 'groups/{group}',
    tab: 'Members',
    before: 'Select anna',
    name: 'Remove 1 members',
    isUndone: true,
  },
  groupRemoveRoles: { at: 'groups/{group}', tab: 'Roles', name: 'Remove editor', isUndone: true },
  identityProviderDelete: { at: 'identity-providers/{provider}', name: 'Delete' },
  identityProviderMapperDelete: { at: 'identity-providers/{provider}', tab: 'Mappers', name: 'Delete origin' },
  localizationTextDelete: { at: 'settings?section=texts', name: 'Remove loginTitle', isUndone: true },
  protocolMapperDelete: { at: 'clients/{client}', tab: 'Mappers', name: 'Delete full name' },
  realmApplyRevert: { at: 'code', name: '1' },
  realmDelete: { at: 'settings', name: 'Delete realm' },
  realmLogoutAll: { at: 'sessions', name: 'End all sessions' },
  realmRemoveClientScope: { at: 'client-scopes/{assigned}', name: 'not assigned', isUndone: true },
  realmRemoveDefaultGroup: { at: 'groups/{group}', name: 'No longer default', isUndone: true },
  requiredActionDelete: { at: 'authentication', tab: 'Required actions', name: 'Delete Verify Email' },
  roleDelete: { at: 'roles/{role}', name: 'Delete' },
  roleRemoveComposites: { at: 'roles/{role}', tab: 'Contained roles', name: 'Remove reader', isUndone: true },
  scopeMappingRemove: { at: 'clients/{client}', tab: 'Scope mappings', name: 'Remove reader', isUndone: true },
  userDelete: { at: 'users/{user}', name: 'Delete' },
  userLeaveGroups: { at: 'users/{user}', tab: 'Groups', name: 'Remove /staff', isUndone: true },
  userLogout: { at: 'users/{user}', tab: 'Sessions', name: 'End all sessions' },
  userRemoveFederatedIdentity: { at: 'users/{user}', tab: 'Consents and identities', name: 'Unlink partner' },
  userRemoveRoles: { at: 'users/{user}', tab: 'Roles', name: 'Remove reader', isUndone: true },
  userRevokeConsent: { at: 'users/{user}', tab: 'Consents and identities', name: 'Revoke consent to till' },
  userSessionEnd: { at: 'users/{user}', tab: 'Sessions', name: 'End session' },
  userStorageRemoveUsers: { at: 'directories/{directory}', tab: 'Synchronisation', name: 'Delete imported users' },
  userStorageUnlinkUsers: { at: 'directories/{directory}', tab: 'Synchronisation', name: 'Unlink users' },
  usersDelete: { at: 'users?search=anna', before: 'Select anna', name: 'Delete' },
  usersLeaveGroups: 'undo',
  usersRemoveRoles: 'undo',
  webhookDelete: { at: 'webhooks/{webhook}', name: 'Delete' },
  webhookRotateSecret: { at: 'webhooks/{webhook}', name: 'Rotate secret' },
};

it('has a control for each mutation of the console that takes something away', () => {
  expect(Object.keys(controls)).toEqual(takingAway);
});

/** Goes to an address as a link of the console does, without loading its scripts again. */
function follow(address: string): void {
  history.pushState(null, '', address);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** The mutation that a request performs, unless it is only tried. */
function changeIn(request: Request): string | undefined {
  const { query = '' } = (request.postDataJSON() as { query?: string } | null) ?? {};
  return /^mutation(?![^{]*@dryRun)/.test(query) ? query : undefined;
}

describe.skipIf(!hasBrowser)('what takes something away in the console', () => {
  const ids: Record<string, string> = {};
  const shop = useConsole(async (admin) => {
    const made = await admin.send('POST', '/', {
      realm: 'shop',
      enabled: true,
      defaultGroups: ['/staff'],
      roles: { realm: [{ name: 'reader' }, { name: 'editor', composites: { realm: ['reader'] } }] },
      groups: [{ name: 'staff', realmRoles: ['editor'] }],
      clientScopes: [
        { name: 'phones', protocol: 'openid-connect' },
        { name: 'email', protocol: 'openid-connect' },
      ],
      defaultDefaultClientScopes: ['email'],
      scopeMappings: [{ client: 'till', roles: ['reader'] }],
      authenticationFlows: [
        {
          alias: 'kiosk',
          providerId: 'basic-flow',
          topLevel: true,
          builtIn: false,
          authenticationExecutions: [
            {
              authenticator: 'identity-provider-redirector',
              requirement: 'REQUIRED',
              priority: 1,
              authenticatorConfig: 'to partner',
            },
          ],
        },
      ],
      authenticatorConfig: [{ alias: 'to partner', config: { defaultProvider: 'partner' } }],
      clients: [
        {
          clientId: 'till',
          enabled: true,
          publicClient: false,
          secret: 'first',
          registeredNodes: { 'node.example': 1 },
          serviceAccountsEnabled: true,
          authorizationServicesEnabled: true,
          authorizationSettings: {
            resources: [{ name: 'drawer', scopes: [{ name: 'open' }] }],
            scopes: [{ name: 'open' }, { name: 'close' }],
            policies: [{ name: 'readers', type: 'role', config: { roles: '[{"id":"reader","required":false}]' } }],
          },
          optionalClientScopes: ['phones'],
          protocolMappers: [
            { name: 'full name', protocol: 'openid-connect', protocolMapper: 'oidc-full-name-mapper', config: {} },
          ],
        },
      ],
      identityProviders: [{ alias: 'partner', providerId: 'oidc', config: {} }],
      identityProviderMappers: [
        {
          name: 'origin',
          identityProviderAlias: 'partner',
          identityProviderMapper: 'hardcoded-attribute-idp-mapper',
          config: {},
        },
      ],
      components: {
        'org.keycloak.storage.UserStorageProvider': [
          {
            name: 'people',
            providerId: 'ldap',
            config: { connectionUrl: ['ldap://directory.example'], editMode: ['READ_ONLY'] },
          },
        ],
      },
      users: [
        {
          username: 'anna',
          enabled: true,
          groups: ['/staff'],
          realmRoles: ['reader'],
          credentials: [{ type: 'password', value: 'pw' }],
          clientConsents: [{ clientId: 'till', grantedClientScopes: ['phones'] }],
          federatedIdentities: [{ identityProvider: 'partner', userId: '4711', userName: 'anna' }],
        },
      ],
    });
    expect([made.status, made.body]).toEqual([201, '']);
    await login(shop.server, 'shop', 'anna', 'pw');
    const applied = await admin.send('POST', '/admin/realms/shop/apply', { desired: { displayName: 'The shop' } });
    const plain = { 'content-type': 'text/plain' };
    const texts = await admin.send('PUT', '/admin/realms/shop/localization/en/loginTitle', 'Shop', plain);
    expect([applied.status, texts.status]).toEqual([200, 204]);
    const { data } = await admin.graphql<{ realm: Record<string, { id: string; nodes: { id: string }[] }> }>(`{
      realm(name: "shop") {
        id
        user: users(filter: { search: "anna" }) { nodes { id } }
        client(clientId: "till") { id }
        group: groups { nodes { id } }
        role: roles(filter: { search: "editor" }) { nodes { id } }
        clientScope: clientScopes(filter: { name: { equals: "phones" } }) { nodes { id } }
        assigned: clientScopes(filter: { name: { equals: "email" } }) { nodes { id } }
        provider: identityProviders { nodes { id } }
        flow: authenticationFlows(filter: { alias: { equals: "kiosk" } }) { nodes { id } }
      }
    }`);
    for (const [name, { id, nodes }] of Object.entries(data.realm)) ids[name] = nodes?.[0]?.id ?? id;
    const prepared = await admin.graphql(
      `mutation ($realm: ID!, $client: ID!) {
        clientInitialAccessCreate(input: { realm: $realm }) { token }
        clientRotateSecret(input: { id: $client, gracePeriod: 600 }) { secret }
      }`,
      { realm: data.realm.id, client: ids.client },
    );
    expect(prepared).not.toHaveProperty('errors');
    const more = await admin.graphql<{ webhookCreate: { webhook: { id: string } } }>(
      'mutation ($realm: ID!) { webhookCreate(input: { realm: $realm, name: "audit", url: "https://hook.example/", isEnabled: false }) { webhook { id } } }',
      { realm: data.realm.id },
    );
    ids.webhook = more.data.webhookCreate.webhook.id;
    const found = await admin.graphql<{ realm: { userStorages: { id: string }[] } }>(
      '{ realm(name: "shop") { userStorages { id } } }',
    );
    ids.directory = found.data.realm.userStorages[0]?.id ?? '';
  });

  it('asks before it does so, or can be undone', { timeout: 120_000 }, async () => {
    const { page } = await shop.visit('master/shop');
    const sent: string[] = [];
    page.on('request', (request) => {
      const change = changeIn(request);
      if (change) sent.push(change);
    });
    let left = '';
    for (const [mutation, control] of Object.entries(controls)) {
      if (control === 'undo') continue;
      const { at, tab, before, name, isUndone = false } = control;
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // a control of the screen before can have the same name
      await page.evaluate(() => document.querySelector('h1')?.setAttribute('data-left', ''));
      await page.evaluate(follow, `/console/master/shop/${at.replace(/\{(\w+)\}/, (_, key) => ids[key] ?? '')}`);
      const [screen = ''] = at.split('?');
      if (screen !== left) await page.locator('h1:not([data-left])').waitFor(within);
      left = screen;
      if (tab) await page.getByRole('tab', { name: tab, exact: true }).click();
      if (before) await page.getByRole('checkbox', { name: before }).check();
      await page.getByRole('button', { name, exact: true }).first().click();
      if (isUndone) {
        const undo = page.getByRole('button', { name: 'Undo' });
        await undo.waitFor();
        expect(sent, mutation).toEqual([expect.stringContaining(mutation)]);
        const undone = page.waitForResponse((answer) => changeIn(answer.request()) !== undefined);
        await undo.click();
        await undone;
        await expect.poll(() => undo.count(), within).toBe(0);
        sent.length = 0;
      } else {
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Cancel' }).last().waitFor();
        await expect
          .poll(() => dialog.locator('[data-dangerous]').isEnabled(), { ...within, message: mutation })
          .toBe(true);
        expect(sent, mutation).toEqual([]);
      }
    }
  });
});
