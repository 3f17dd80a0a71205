import { Combobox, Group, Loader, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { FormDialog } from '../parts/dialogs.js';
import { IconPlayerPause, IconPlayerPlay, IconSearch, IconWorld } from '../parts/icons.js';
import { useReturnedFocus } from '../parts/kept-focus.js';
import { routes, type TargetKind } from '../parts/target-kinds.js';
import { contains, type Target, useTargets } from '../parts/targets.js';
import { isFound, sections } from '../realm/sections.js';
import { mutate } from '../session/graphql.js';
import { type Text as Title, type Translate, useAllLanguages, useText, useTranslated } from '../text/text.js';
import { type Area, area, useAreas, useMay, useShell } from './areas.js';
import { type Change, type Entry, useCommands } from './commands.js';
import type { Permission, ShellQuery } from './documents.js';
import { texts } from './texts.js';
import { useTypeAhead } from './type-ahead.js';

interface PaletteProps {
  realm: string;
  /** what was typed before the palette was there */
  typed: { current: string };
  onClose(): void;
}

/** Finds screens, realms, settings, and objects by name, and performs commands such as "disable anna". */
export function Palette({ realm, typed, onClose }: PaletteProps) {
  const t = useText(texts);
  const translate = useTranslated();
  const router = useRouter();
  const may = useMay(realm);
  const realms = useShell(realm).data?.realms?.nodes ?? [];
  const areas = useAreas(realm);
  const combobox = useCombobox({ opened: true });
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 150);
  /** whether Enter was pressed before the entries of the text were there */
  const isSubmitted = useRef(false);
  const [asked, setAsked] = useState<Change>();
  const { action, name } = commandOf(settled);
  const search = { realm, search: name, kinds: kindsFor(may), first: 5 };
  const { targets: matching, isLoading } = useTargets(search, name === '');
  const context = { t, translate, realm, router, may };
  const found = name === '' ? [] : matching;
  useAllLanguages(name !== '');
  const commands = useCommands(realm, action ? '' : name);
  const entries: Entry[] = [
    ...(action && action !== 'goTo' ? [] : screensOf(areas, name, context)),
    ...(action && action !== 'goTo' ? [] : found.map((target) => entryOf(target, context))),
    ...(name === '' || (action && action !== 'goTo') ? [] : realmsOf(realms, name, context)),
    ...(name === '' || action || !may('VIEW_REALM') ? [] : settingsOf(name, context)),
    ...commands,
    // what changes something is never the first, unless it is asked for
    ...(action === 'goTo' ? [] : found.flatMap((target) => actionsOf(target, action, context))),
  ];
  const groups = [...Map.groupBy(entries, ({ group }) => group)];
  const keys = entries.map(({ key }) => key).join();
  // keys may have come since the first render, until now
  useEffect(() => {
    if (typed.current) setText(typed.current);
    typed.current = '';
  }, [typed]);
  const field = useRef<HTMLInputElement>(null);
  useReturnedFocus();
  // the field has the focus only after the window has come up
  useTypeAhead(
    (key) => setText((before) => before + key),
    () => document.activeElement !== field.current && !asked,
  );
  // what was selected before may be gone, and there may have been nothing to select
  useEffect(() => {
    combobox.selectFirstOption();
  }, [keys]);
  const isSettled = text === settled && !(isLoading && name !== '');
  const run = (key: string) => {
    if (isSubmitted.current) return;
    const chosen = entries.find((entry) => entry.key === key);
    if (chosen?.change) return setAsked(chosen.change);
    onClose();
    chosen?.run?.();
  };
  useEffect(() => {
    if (!isSubmitted.current || !isSettled) return;
    isSubmitted.current = false;
    const [first] = entries;
    if (first) run(first.key);
  });
  if (asked) return <FormDialog {...asked} onClose={onClose} />;
  return (
    <Modal.Root opened onClose={onClose} padding={0} size="lg" yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content
        aria-label={t('search')}
        // the list of results would take the key for itself
        onKeyDownCapture={(event) => event.key === 'Escape' && onClose()}
      >
        <Combobox store={combobox} onOptionSubmit={run} size="md">
          <Combobox.EventsTarget>
            <TextInput
              ref={field}
              data-autofocus
              size="lg"
              variant="unstyled"
              px="md"
              aria-label={t('search')}
              placeholder={t('search')}
              leftSection={<IconSearch size={18} aria-hidden />}
              rightSection={isLoading && name !== '' ? <Loader size={16} /> : undefined}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !isSettled) isSubmitted.current = true;
              }}
            />
          </Combobox.EventsTarget>
          <Combobox.Options p="xs" mah="60vh" tabIndex={0} style={{ overflowY: 'auto' }} aria-label={t('search')}>
            {groups.map(([group, list]) => (
              <Combobox.Group key={group} label={group}>
                {list.map(({ key, label, hint, icon: Icon }) => (
                  <Combobox.Option key={key} value={key}>
                    <Group gap="sm" wrap="nowrap">
                      <Icon size={18} aria-hidden />
                      <Text truncate>{label}</Text>
                      <Text size="xs" c="dimmed" truncate>
                        {hint}
                      </Text>
                    </Group>
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
            {entries.length === 0 && (
              <Combobox.Empty>
                {name === '' || isLoading ? t('searchHint') : t('searchNothing', { search: settled })}
              </Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox>
      </Modal.Content>
    </Modal.Root>
  );
}

interface Context {
  t: Translate<typeof texts>;
  translate(text: Title | string): string;
  realm: string;
  router: AnyRouter;
  may(permission: Permission): boolean;
}

type Realms = NonNullable<ShellQuery['realms']>['nodes'];
type Screens = (Area & { path: string })[];
type Action = 'enable' | 'disable' | 'goTo';

/** The words that begin a command, in all languages. Words such as "user" between command and name are passed over. */
const verbs: Record<Action, RegExp> = {
  enable: /^(enable|aktiviere)\s+/i,
  disable: /^(disable|deaktiviere)\s+/i,
  goTo: /^(go\s+to|open|gehe\s+zu|öffne)\s+/i,
};
const nouns =
  /^(user|client scope|client|group|role|screen|realm|directory|webhook|flow|benutzer|gruppe|rolle|seite|verzeichnis|ablauf)\s+/i;

/** The action and the name that a text asks for. */
function commandOf(text: string): { action: Action | undefined; name: string } {
  const given = text.trimStart();
  const action = (Object.keys(verbs) as Action[]).find((key) => verbs[key].test(given));
  const rest = action ? given.replace(verbs[action], '') : given;
  return { action, name: rest.replace(nouns, '').trim() };
}

/** Screens whose title has the text. */
const screensOf = (areas: Screens, name: string, { t, translate, realm, router }: Context): Entry[] =>
  areas
    .map((area) => ({ ...area, label: translate(area.title) }))
    .filter(({ label }) => contains(label, name))
    .map(({ path, label, icon }) => ({
      key: path,
      group: t('screens'),
      label,
      icon,
      run: () => router.navigate({ to: path, params: { realm } }),
    }));

/** The realms that the caller may view, but the present one. */
const realmsOf = (realms: Realms, typed: string, { t, realm, router }: Context): Entry[] =>
  realms
    .filter(({ name, displayName }) => name !== realm && (contains(name, typed) || contains(displayName, typed)))
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
const settingsOf = (typed: string, { translate, realm, router }: Context): Entry[] =>
  Object.values(sections)
    .flatMap(({ title, fields }) => fields.map((field) => ({ ...field, hint: title, isFound: isFound(field, typed) })))
    .filter((field) => field.isFound)
    .slice(0, 5)
    .map(({ path, label, hint }) => ({
      key: path,
      group: translate(area.settings.title),
      label: translate(label),
      hint: translate(hint),
      icon: area.settings.icon,
      run: () => router.navigate({ to: '/$realm/settings', params: { realm }, search: { search: path } }),
    }));

/** The kinds of objects that are searched, with their areas, and how they are enabled. */
const targets = {
  user: { of: area.users, enable: { permission: 'MANAGE_USERS', mutation: 'userUpdate' } },
  client: { of: area.clients, enable: { permission: 'CONFIGURE_CLIENTS', mutation: 'clientUpdate' } },
  group: { of: area.groups, enable: undefined },
  role: { of: area.roles, enable: undefined },
  clientScope: { of: area.clientScopes, enable: undefined },
  identityProvider: { of: area.identityProviders, enable: undefined },
  directory: { of: area.directories, enable: undefined },
  webhook: { of: area.webhooks, enable: undefined },
  flow: { of: area.authentication, enable: undefined },
} as const satisfies Record<TargetKind, object>;

/** The kinds that the caller may search, in the order of the palette. */
const kindsFor = (may: Context['may']): TargetKind[] =>
  (Object.keys(targets) as TargetKind[]).filter((kind) => may(targets[kind].of.permission));

/** The line of an object that was found, which opens its screen. */
function entryOf({ kind, id, label, email }: Target, { translate, realm, router }: Context): Entry {
  const { of } = targets[kind];
  // flows have one screen, whose address has the one that is shown
  const run = () =>
    kind === 'flow'
      ? router.navigate({ to: '/$realm/authentication', params: { realm }, search: { flow: id } })
      : router.navigate({ to: routes[kind], params: { realm, id } });
  return { key: id, group: translate(of.title), label, hint: email ?? '', icon: of.icon, run };
}

/** What can be done with an object that was found: what the text asks for, or what it is not yet. */
function actionsOf(target: Target, action: Action | undefined, { t, translate, may }: Context): Entry[] {
  const { kind, id, label: name, isEnabled } = target;
  const { of, enable } = targets[kind];
  const wanted: Action = isEnabled ? 'disable' : 'enable';
  if (!enable || !may(enable.permission) || (action ?? wanted) !== wanted) return [];
  const set = (next: boolean) => mutate(enable.mutation, { id, isEnabled: next });
  return [
    {
      key: `${wanted} ${id}`,
      group: t('actions'),
      label: `${t(wanted)} ${name}`,
      hint: translate(of.title),
      icon: isEnabled ? IconPlayerPause : IconPlayerPlay,
      change: {
        title: `${t(wanted)} ${name}`,
        hint: t(isEnabled ? 'disableHint' : 'enableHint', { name }),
        submit: () => set(!isEnabled),
        done: () => t(isEnabled ? 'disabled' : 'enabled', { name }),
        undo: () => () => set(isEnabled === true),
      },
    },
  ];
}
