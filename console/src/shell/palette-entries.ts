import { type Icon, IconPlayerPause, IconPlayerPlay, IconWorld } from '@tabler/icons-react';
import type { AnyRouter } from '@tanstack/react-router';
import { sections } from '../realm/sections.js';
import { mutate, type Outcome } from '../session/graphql.js';
import { type Language, type Translate, translated } from '../text/text.js';
import { type Area, area } from './areas.js';
import { ClientSetEnabled, type PaletteQuery, type ShellQuery, UserSetEnabled } from './documents.js';
import type { useNotify } from './notify.js';
import type { Permission } from './permissions.js';
import type { texts } from './text.js';

/** A line of the palette. */
export interface Entry {
  key: string;
  group: string;
  label: string;
  hint?: string;
  icon: Icon;
  run(): unknown;
}

interface Context {
  t: Translate<typeof texts>;
  realm: string;
  router: AnyRouter;
  notify: ReturnType<typeof useNotify>;
  may(permission: Permission): boolean;
}

type Found = NonNullable<PaletteQuery['realm']>;
type Action = 'enable' | 'disable' | 'goTo';

/** The words that begin a command, in all languages. Words such as "user" between command and name are passed over. */
const verbs: Record<Action, RegExp> = {
  enable: /^(enable|aktiviere)\s+/i,
  disable: /^(disable|deaktiviere)\s+/i,
  goTo: /^(go\s+to|open|gehe\s+zu|öffne)\s+/i,
};
const nouns =
  /^(user|client scope|client|group|role|screen|realm|directory|webhook|benutzer|gruppe|rolle|seite|verzeichnis)\s+/i;

/** The action and the name that a text asks for. */
export function commandOf(text: string): { action: Action | undefined; name: string } {
  const given = text.trimStart();
  const action = (Object.keys(verbs) as Action[]).find((key) => verbs[key].test(given));
  const rest = action ? given.replace(verbs[action], '') : given;
  return { action, name: rest.replace(nouns, '').trim() };
}

/** Screens whose title has the text. */
export const screensOf = (
  areas: (Area & { path: string })[],
  name: string,
  present: Language,
  { t, realm, router }: Context,
): Entry[] =>
  areas
    .map((area) => ({ ...area, label: translated(area.title, present) }))
    .filter(({ label }) => label.toLowerCase().includes(name.toLowerCase()))
    .map(({ path, label, icon }) => ({
      key: path,
      group: t('screens'),
      label,
      icon,
      run: () => router.navigate({ to: path, params: { realm } }),
    }));

/** Whether a name has what was typed. */
const has = (name: string | null, typed: string): boolean => (name ?? '').toLowerCase().includes(typed.toLowerCase());

/** The objects that were found. */
export function targetsOf(found: Found, name: string, present: Language, { realm, router }: Context): Entry[] {
  const { users, clients, groups, roles, clientScopes, identityProviders, webhooks } = found;
  // the API lists directories without a search: a realm has few
  const directories = found.userStorages?.filter((directory) => has(directory.name, name));
  const kinds = [
    { path: '/$realm/users/$id', of: area.users, list: users?.nodes, labelOf: 'username' },
    { path: '/$realm/clients/$id', of: area.clients, list: clients?.nodes, labelOf: 'clientId' },
    { path: '/$realm/groups/$id', of: area.groups, list: groups?.nodes, labelOf: 'path' },
    { path: '/$realm/roles/$id', of: area.roles, list: roles?.nodes, labelOf: 'name' },
    { path: '/$realm/client-scopes/$id', of: area.clientScopes, list: clientScopes?.nodes, labelOf: 'name' },
    {
      path: '/$realm/identity-providers/$id',
      of: area.identityProviders,
      list: identityProviders?.nodes,
      labelOf: 'alias',
    },
    { path: '/$realm/directories/$id', of: area.directories, list: directories, labelOf: 'name' },
    { path: '/$realm/webhooks/$id', of: area.webhooks, list: webhooks?.nodes, labelOf: 'name' },
  ] as const;
  return kinds.flatMap(({ path, of, list, labelOf }) =>
    (list ?? []).map((node) => {
      const row = node as Record<string, unknown> & { id: string };
      return {
        key: row.id,
        group: translated(of.title, present),
        label: String(row[labelOf]),
        hint: String(row.email ?? ''),
        icon: of.icon,
        run: () => router.navigate({ to: path, params: { realm, id: row.id } } as never),
      };
    }),
  );
}

/** The realms that the caller may view, but the present one. */
export const realmsOf = (
  realms: NonNullable<ShellQuery['realms']>['nodes'],
  typed: string,
  { t, realm, router }: Context,
): Entry[] =>
  realms
    .filter(({ name, displayName }) => name !== realm && (has(name, typed) || has(displayName, typed)))
    .slice(0, 5)
    .map(({ id, name, displayName }) => ({
      key: id,
      group: t('realms'),
      label: name,
      hint: displayName ?? '',
      icon: IconWorld,
      run: () => router.navigate({ to: '/$realm', params: { realm: name } }),
    }));

/** The settings of the realm with what was typed in their names. */
export const settingsOf = (typed: string, present: Language, { realm, router }: Context): Entry[] =>
  Object.values(sections)
    .flatMap(({ fields }) => fields)
    .filter(({ label }) => has(translated(label, present), typed))
    .slice(0, 5)
    .map(({ path, label }) => ({
      key: path,
      group: translated(area.settings.title, present),
      label: translated(label, present),
      icon: area.settings.icon,
      run: () => router.navigate({ to: '/$realm/settings', params: { realm }, search: { search: path } }),
    }));

/** What can be done with the users and clients that were found: what the text asks for, or what each is not yet. */
export function actionsOf({ users, clients }: Found, action: Action | undefined, context: Context): Entry[] {
  const { t, notify, may } = context;
  const entry = (
    { id, isEnabled }: { id: string; isEnabled: boolean },
    name: string,
    hint: string,
    set: (isEnabled: boolean) => Promise<Outcome<unknown>>,
  ): Entry[] => {
    const wanted: Action = isEnabled ? 'disable' : 'enable';
    if (action ? action !== wanted : false) return [];
    return [
      {
        key: `${wanted} ${id}`,
        group: t('actions'),
        label: `${t(wanted)} ${name}`,
        hint,
        icon: isEnabled ? IconPlayerPause : IconPlayerPlay,
        async run() {
          const { errors } = await set(!isEnabled);
          if (errors.length > 0) notify.failed(errors);
          else notify.succeeded(t(isEnabled ? 'disabled' : 'enabled', { name }), () => set(isEnabled));
        },
      },
    ];
  };
  const ofUsers = may('MANAGE_USERS') ? (users?.nodes ?? []) : [];
  const ofClients = may('CONFIGURE_CLIENTS') ? (clients?.nodes ?? []) : [];
  return [
    ...ofUsers.flatMap((node) =>
      entry(node, node.username, t('users'), (isEnabled) => mutate(UserSetEnabled, { id: node.id, isEnabled })),
    ),
    ...ofClients.flatMap((node) =>
      entry(node, node.clientId, t('clients'), (isEnabled) => mutate(ClientSetEnabled, { id: node.id, isEnabled })),
    ),
  ];
}
