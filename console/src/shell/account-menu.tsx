import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { signOut } from '../session/sign-in.js';
import { useStore } from '../session/store.js';
import { chooseLanguage, type Language, language, languages, useText } from '../text/text.js';
import { useShell } from './areas.js';
import { texts } from './text.js';

const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;
type Scheme = keyof typeof schemes;

/** The caller's name, language, appearance, and the way out. */
export function AccountMenu({ realm }: { realm: string }) {
  const t = useText(texts);
  const present = useStore(language);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = useShell(realm).data?.viewer.displayName ?? '';
  const chosen = (is: boolean) => (is ? <IconCheck size={14} aria-hidden /> : undefined);
  return (
    <Menu position="bottom-end" width={220} keepMounted={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('account', { name })}>
          <IconUserCircle size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('appearance')}</Menu.Label>
        {(Object.keys(schemes) as Scheme[]).map((scheme) => {
          const Icon = schemes[scheme];
          return (
            <Menu.Item
              key={scheme}
              leftSection={<Icon size={16} aria-hidden />}
              rightSection={chosen(scheme === colorScheme)}
              onClick={() => setColorScheme(scheme)}
            >
              {t(scheme)}
            </Menu.Item>
          );
        })}
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {(Object.keys(languages) as Language[]).map((key) => (
          <Menu.Item key={key} rightSection={chosen(key === present)} onClick={() => chooseLanguage(key)} lang={key}>
            {languages[key]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
