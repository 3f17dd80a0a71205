import {
  listOwnResources,
  listPendingRequests,
  listRequestsOfOthers,
  listSharedWithMe,
  listSharedWithOthers,
  ownResource,
  type SharedResource,
  type SharedWith,
} from '../../services/account/resources.js';
import { shareResource } from '../../services/account/share-resource.js';
import { perform, performWrite } from '../../services/core/perform.js';
import { Refusal } from '../../services/core/refusal.js';
import { html, type Markup } from '../../services/login/pages/html.js';
import { accountForm, entries, entry, namedButton, section } from './parts.js';
import { type AccountForm, mayPerform, type Visited } from './visited.js';

const page = { first: 0, max: 100 };

/** The page with the resources that the user shares with others, and others with the user. */
export async function resourcesPage(at: Visited): Promise<Markup> {
  const { visit, ctx, account } = at;
  const { say } = visit.frame.texts;
  const list = (operation: typeof listOwnResources) => perform(ctx, operation, async () => account, page);
  const [own, shared, requests, withMe, pending] = await Promise.all(
    [listOwnResources, listSharedWithOthers, listRequestsOfOthers, listSharedWithMe, listPendingRequests].map(list),
  );
  const byId = (found: typeof own) => new Map(found?.resources.map(({ _id, permissions }) => [_id, permissions ?? []]));
  const granted = byId(shared);
  const asked = byId(requests);
  const changes = mayPerform(at, shareResource);
  const plain = (resource: SharedResource) => entry(html`${heading(at, resource)}${scopeText(resource)}`);
  const ownEntries = (own?.resources ?? []).map((resource) =>
    ownEntry(at, resource, granted.get(resource._id) ?? [], asked.get(resource._id) ?? [], changes),
  );
  return html`<p>${say('resourcesText')}</p>${section(say('resourcesOwn'), entries(ownEntries, say('resourcesOwnNone')))}${section(
    say('resourcesShared'),
    entries((withMe?.resources ?? []).map(plain), say('resourcesSharedNone')),
  )}${(pending?.resources.length ?? 0) > 0 && section(say('resourcesPending'), entries((pending?.resources ?? []).map(plain), ''))}`;
}

const heading = ({ visit }: Visited, { name, displayName, client }: SharedResource): Markup => {
  const { say, resolve } = visit.frame.texts;
  return html`<strong>${displayName ?? name}</strong><span class="quiet">${say('resourceOfClient', resolve(client.name ?? client.clientId))}</span>`;
};

const scopeText = ({ scopes = [] }: SharedResource): Markup =>
  html`<span class="quiet">${scopes.map(({ displayName, name }) => displayName ?? name).join(', ')}</span>`;

const nameOf = ({ firstName, lastName, username }: SharedWith): string =>
  [firstName, lastName].filter(Boolean).join(' ') || username;

function ownEntry(
  at: Visited,
  resource: SharedResource,
  granted: readonly SharedWith[],
  asked: readonly SharedWith[],
  changes: boolean,
): Markup {
  const { say } = at.visit.frame.texts;
  const title = resource.displayName ?? resource.name;
  const share = (user: SharedWith, scopes: readonly string[], label: string, name: string) =>
    changes &&
    accountForm(at, 'share', { resource: resource._id, user: user.username, scope: scopes }, namedButton(label, name));
  const about = (user: SharedWith) => `${title}, ${nameOf(user)}`;
  const scopesOf = (list: readonly SharedWith[], { username }: SharedWith) =>
    list.find((one) => one.username === username)?.scopes ?? [];
  const grants = granted.map((user) =>
    entry(
      html`${say('resourceSharedWith', nameOf(user), user.scopes.join(', '))}`,
      share(user, [], say('resourceStop'), about(user)),
    ),
  );
  const requests = asked.map((user) => {
    const now = scopesOf(granted, user);
    return entry(
      html`${say('resourceRequest', nameOf(user), user.scopes.join(', '))}`,
      share(user, [...now, ...user.scopes], say('resourceAllow'), about(user)),
      share(user, now, say('resourceRefuse'), about(user)),
    );
  });
  const people = [...requests, ...grants];
  return html`<li class="whole"><div class="what">${heading(at, resource)}</div>${
    people.length > 0 && html`<ul class="entries">${people}</ul>`
  }${changes && (resource.scopes ?? []).length > 0 && shareForm(at, resource, title)}</li>`;
}

function shareForm(at: Visited, resource: SharedResource, title: string): Markup {
  const { say } = at.visit.frame.texts;
  const id = `user-${resource._id}`;
  const scopes = (resource.scopes ?? []).map(
    ({ name, displayName }) =>
      html`<label class="check"><input type="checkbox" name="scope" value="${name}"> ${displayName ?? name}</label>`,
  );
  return html`<details><summary>${say('resourceShare')}: ${title}</summary>${accountForm(
    at,
    'share',
    { resource: resource._id, isNew: 'true' },
    html`<label for="${id}">${say('resourceShareWith')}</label><input id="${id}" name="user" required autocomplete="off" autocapitalize="none" spellcheck="false"><fieldset><legend>${say('resourceScopes')}</legend>${scopes}</fieldset>`,
    namedButton(say('resourceShare'), title, false),
  )}</details>`;
}

export const sharingForm: AccountForm = {
  async take({ ctx, account }, form) {
    const username = (form.get('user') ?? '').trim();
    const scopes = form.getAll('scope');
    if (form.has('isNew') && scopes.length === 0) return { kind: 'refused', notice: { key: 'resourceScopeNeeded' } };
    try {
      await performWrite(ctx, shareResource, (now) => ownResource(now, account, form.get('resource') ?? ''), [
        { username, scopes },
      ]);
    } catch (error) {
      const { field = '' } = error instanceof Refusal ? error.details : {};
      if (!(error instanceof Refusal) || !field.endsWith('.username')) throw error;
      const key = error.kind === 'notFound' ? 'resourceNoUser' : 'resourceSelf';
      return { kind: 'refused', notice: { key } };
    }
    return { kind: 'saved', notice: 'accountSaved' };
  },
};
