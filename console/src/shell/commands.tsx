import { useMantineColorScheme } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { createdIn, type FormDialogProps } from '../parts/dialogs.js';
import {
  type Icon,
  IconDeviceDesktop,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSun,
  IconUsersPlus,
} from '../parts/icons.js';
import { signOut } from '../session/sign-in.js';
import { chooseLanguage, inLanguages, type Language, languages, type Text } from '../text/catalogue.js';
import { useText, useTranslated } from '../text/text.js';
import { createUser, newUserFields } from '../users/create-users.js';
import { useMay, useShell } from './areas.js';
import { texts } from './texts.js';

/** A line of the palette. */
export interface Entry {
  key: string;
  group: string;
  label: string;
  hint?: string;
  icon: Icon;
  run?(): unknown;
  /** the change that the entry asks about before it is made */
  change?: Change;
}

/** A change with its dialog. */
export type Change = Omit<FormDialogProps<object>, 'onClose'>;

/** Whether each word of a text begins a word of a command's title, in any language that is loaded. Articles are passed over. */
function isMeant(title: Text, typed: string): boolean {
  const words = inLanguages(title).toLowerCase().split(/\s+/);
  const wanted = typed
    .toLowerCase()
    .replace(/\b(an?|einen?)\s+/g, '')
    .split(/\s+/);
  return wanted.every((word) => words.some((known) => known.startsWith(word)));
}

/** The commands of the palette that concern no object that exists, and that a text asks for. */
export function useCommands(realm: string, typed: string): Entry[] {
  const t = useText(texts);
  const translate = useTranslated();
  const router = useRouter();
  const may = useMay(realm);
  const { setColorScheme } = useMantineColorScheme();
  const realmId = useShell(realm).data?.realms?.nodes.find(({ name }) => name === realm)?.id;
  if (typed === '') return [];
  const creation: Change = {
    title: t('createUser'),
    help: 'userCreate',
    fields: newUserFields,
    submit: (input) => createUser(realmId ?? '', input),
    done: (_, { username }) => t('created', { name: String(username) }),
    onDone: (data) => router.navigate({ to: '/$realm/users/$id', params: { realm, id: createdIn(data) ?? '' } }),
  };
  const leaving: Change = {
    title: t('signOut'),
    hint: t('signOutHint'),
    submit: async () => {
      await signOut();
      return { data: {}, errors: [] };
    },
  };
  const scheme = (name: 'light' | 'dark' | 'auto', icon: Icon) =>
    [texts[name], icon, { run: () => setColorScheme(name) }, t('appearance')] as const;
  const inLanguage = (name: Language, title: Text) =>
    [title, IconLanguage, { run: () => chooseLanguage(name) }, languages[name]] as const;
  return [
    ...(realmId && may('MANAGE_USERS') ? [[texts.createUser, IconUsersPlus, { change: creation }, ''] as const] : []),
    scheme('light', IconSun),
    scheme('dark', IconMoon),
    scheme('auto', IconDeviceDesktop),
    inLanguage('en', texts.english),
    inLanguage('de', texts.german),
    [texts.signOut, IconLogout, { change: leaving }, ''] as const,
  ]
    .filter(([title]) => isMeant(title, typed))
    .map(([title, icon, act, hint]) => ({
      key: title.key,
      group: t('actions'),
      label: translate(title),
      hint,
      icon,
      ...act,
    }));
}
