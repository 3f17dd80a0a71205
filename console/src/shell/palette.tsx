import { Combobox, Group, Loader, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTargets } from '../parts/targets.js';
import { useStore } from '../session/store.js';
import { language, useText } from '../text/text.js';
import { useAreas, useMay, useShell } from './areas.js';
import { useNotify } from './notify.js';
import {
  actionsOf,
  commandOf,
  type Entry,
  entryOf,
  kindsFor,
  realmsOf,
  screensOf,
  settingsOf,
} from './palette-entries.js';
import { texts } from './text.js';

interface PaletteProps {
  realm: string;
  /** what was typed before the palette was there */
  typed: { current: string };
  onClose(): void;
}

/** Finds screens, realms, settings, and objects by name, and performs commands such as "disable anna". */
export function Palette({ realm, typed, onClose }: PaletteProps) {
  const t = useText(texts);
  const present = useStore(language);
  const router = useRouter();
  const may = useMay(realm);
  const notify = useNotify();
  const realms = useShell(realm).data?.realms?.nodes ?? [];
  const areas = useAreas(realm);
  const combobox = useCombobox({ opened: true });
  const [text, setText] = useState(typed.current);
  const [settled] = useDebouncedValue(text, 150);
  const { action, name } = commandOf(settled);
  const search = { realm, search: name, kinds: kindsFor(may), first: 5 };
  const { targets: matching, isLoading } = useTargets(search, name === '');
  const context = { t, realm, router, notify, may };
  const found = name === '' ? [] : matching;
  const entries: Entry[] = [
    ...(action && action !== 'goTo' ? [] : screensOf(areas, name, present, context)),
    ...(action === 'goTo' ? [] : found.flatMap((target) => actionsOf(target, action, present, context))),
    ...(action && action !== 'goTo' ? [] : found.map((target) => entryOf(target, present, context))),
    ...(name === '' || (action && action !== 'goTo') ? [] : realmsOf(realms, name, context)),
    ...(name === '' || action || !may('VIEW_REALM') ? [] : settingsOf(name, present, context)),
  ];
  const groups = [...Map.groupBy(entries, ({ group }) => group)];
  const keys = entries.map(({ key }) => key).join();
  useEffect(() => {
    typed.current = '';
  }, [typed]);
  // what was selected before may be gone, and there may have been nothing to select
  useEffect(() => {
    combobox.selectFirstOption();
  }, [keys]);
  const run = (key: string) => {
    onClose();
    entries.find((entry) => entry.key === key)?.run();
  };
  return (
    <Modal.Root opened onClose={onClose} padding={0} size="lg" yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('search')}>
        <Combobox store={combobox} onOptionSubmit={run} size="md">
          <Combobox.EventsTarget>
            <TextInput
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
