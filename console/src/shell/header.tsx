import { ActionIcon, type MantineColorScheme, Menu, Select, useMantineColorScheme } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { IconDeviceDesktop, IconKey, IconLogout, IconMoon, IconSun, IconUserCircle } from '../parts/icons.js';
import { changePassword, signOut } from '../session/sign-in.js';
import { useStore } from '../session/store.js';
import { chooseLanguage, type Language, language, languages } from '../text/catalogue.js';
import { useText } from '../text/text.js';
import { useShell } from './areas.js';
import { useRealmCreation } from './create-realm.js';
import { texts } from './texts.js';

/** Chooses the realm to administer. Callers of one realm see only its name. */
export function RealmSwitcher({ realm }: { realm: string }) {
  const t = useText(texts);
  const router = useRouter();
  const { data } = useShell(realm);
  const creation = useRealmCreation();
  const realms = data?.realms?.nodes ?? [];
  const options = realms.map(({ name, displayName }) => ({
    value: name,
    label: displayName && displayName !== name ? `${name} · ${displayName}` : name,
  }));
  const known = options.some(({ value }) => value === realm) ? options : [{ value: realm, label: realm }, ...options];
  const create = data?.viewer.canCreateRealms ? [{ value: '', label: t('createRealm') }] : [];
  return (
    <>
      <Select
        aria-label={t('realm')}
        data={[...known, ...create]}
        value={realm}
        onChange={(name) => (name ? router.navigate({ to: '/$realm', params: { realm: name } }) : creation.open())}
        allowDeselect={false}
        searchable={options.length > 8}
        nothingFoundMessage={t('noRealms')}
        w={{ base: '100%', sm: 220 }}
        maw={220}
        checkIconPosition="right"
        comboboxProps={{ width: 260, position: 'bottom-start' }}
      />
      {creation.dialog}
    </>
  );
}

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const;

/** The caller's name, language, appearance, and the way out. */
export function AccountMenu({ realm }: { realm: string }) {
  const t = useText(texts);
  const present = useStore(language);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = useShell(realm).data?.viewer.displayName ?? '';
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
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as MantineColorScheme)}>
          {schemes.map(([scheme, Icon]) => (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={16} aria-hidden />} closeMenuOnClick>
              {t(scheme)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        <Menu.RadioGroup value={present} onChange={(name) => chooseLanguage(name as Language)}>
          {Object.entries(languages).map(([key, name]) => (
            <Menu.RadioItem key={key} value={key} lang={key} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => changePassword()}>
          {t('changePassword')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
