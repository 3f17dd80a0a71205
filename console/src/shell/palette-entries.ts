import {
  type Icon,
  IconApps,
  IconPlayerPause,
  IconPlayerPlay,
  IconShield,
  IconUser,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { AnyRouter } from '@tanstack/react-router';
import type { Outcome } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { type Language, type Translate, translated } from '../text/text.js';
import type { Area } from './areas.js';
import type { PaletteQuery } from './documents.js';
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
const nouns = /^(user|client|group|role|screen|benutzer|gruppe|rolle|seite)\s+/i;

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

/** The objects that were found. Those whose screen is not a part of the console yet are left out. */
export function targetsOf({ users, clients, groups, roles }: Found, { t, realm, router }: Context): Entry[] {
  const kinds = [
    { path: '/$realm/users/$id', group: t('users'), icon: IconUser, list: users, labelOf: 'username' },
    { path: '/$realm/clients/$id', group: t('clients'), icon: IconApps, list: clients, labelOf: 'clientId' },
    { path: '/$realm/groups/$id', group: t('groups'), icon: IconUsersGroup, list: groups, labelOf: 'path' },
    { path: '/$realm/roles/$id', group: t('roles'), icon: IconShield, list: roles, labelOf: 'name' },
  ] as const;
  return kinds
    .filter(({ path }) => path in router.routesByPath)
    .flatMap(({ path, group, icon, list, labelOf }) =>
      (list?.nodes ?? []).map((node) => {
        const row = node as Record<string, unknown> & { id: string };
        return {
          key: row.id,
          group,
          label: String(row[labelOf]),
          hint: String(row.email ?? ''),
          icon,
          run: () => router.navigate({ to: path, params: { realm, id: row.id } } as never),
        };
      }),
    );
}

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
      entry(node, node.username, t('users'), (isEnabled) => mutate('userUpdate', { id: node.id, isEnabled })),
    ),
    ...ofClients.flatMap((node) =>
      entry(node, node.clientId, t('clients'), (isEnabled) => mutate('clientUpdate', { id: node.id, isEnabled })),
    ),
  ];
}
