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
import type { TargetKind } from '../parts/fields.js';
import type { Target } from '../parts/targets.js';
import { mutate } from '../session/mutate.js';
import { type Language, type Translate, translated } from '../text/text.js';
import type { Area } from './areas.js';
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

/** The kinds of objects that are searched: what they are called, their screens, and what is required to find and to enable them. */
export const targets = {
  user: {
    group: 'users',
    to: '/$realm/users/$id',
    icon: IconUser,
    permission: 'QUERY_USERS',
    enable: { permission: 'MANAGE_USERS', mutation: 'userUpdate' },
  },
  client: {
    group: 'clients',
    to: '/$realm/clients/$id',
    icon: IconApps,
    permission: 'QUERY_CLIENTS',
    enable: { permission: 'CONFIGURE_CLIENTS', mutation: 'clientUpdate' },
  },
  group: {
    group: 'groups',
    to: '/$realm/groups/$id',
    icon: IconUsersGroup,
    permission: 'QUERY_GROUPS',
    enable: undefined,
  },
  role: { group: 'roles', to: '/$realm/roles/$id', icon: IconShield, permission: 'QUERY_REALM', enable: undefined },
} as const satisfies Record<TargetKind, object>;

/** The kinds in the order of the palette. */
export const targetKinds = Object.keys(targets) as TargetKind[];

/** The line of an object that was found, which opens its screen. */
export function entryOf({ kind, id, label, email }: Target, { t, realm, router }: Context): Entry {
  const { to, group, icon } = targets[kind];
  const run = () => router.navigate({ to, params: { realm, id } });
  return { key: id, group: t(group), label, hint: email ?? '', icon, run };
}

/** What can be done with an object that was found: what the text asks for, or what it is not yet. */
export function actionsOf(target: Target, action: Action | undefined, { t, notify, may }: Context): Entry[] {
  const { kind, id, label: name, isEnabled } = target;
  const { group, enable } = targets[kind];
  const wanted: Action = isEnabled ? 'disable' : 'enable';
  if (!enable || !may(enable.permission) || (action ?? wanted) !== wanted) return [];
  const set = (next: boolean) => mutate(enable.mutation, { id, isEnabled: next });
  return [
    {
      key: `${wanted} ${id}`,
      group: t('actions'),
      label: `${t(wanted)} ${name}`,
      hint: t(group),
      icon: isEnabled ? IconPlayerPause : IconPlayerPlay,
      async run() {
        const { errors } = await set(!isEnabled);
        if (errors.length > 0) notify.failed(errors);
        else notify.succeeded(t(isEnabled ? 'disabled' : 'enabled', { name }), () => set(isEnabled === true));
      },
    },
  ];
}
