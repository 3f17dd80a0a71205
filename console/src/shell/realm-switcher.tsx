import { Select } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useText } from '../text/text.js';
import { useShell } from './areas.js';
import { texts } from './text.js';

/** Chooses the realm to administer. Callers of one realm see only its name. */
export function RealmSwitcher({ realm }: { realm: string }) {
  const t = useText(texts);
  const router = useRouter();
  const { data } = useShell(realm);
  const realms = data?.realms?.nodes ?? [];
  const options = realms.map(({ name, displayName }) => ({
    value: name,
    label: displayName && displayName !== name ? `${name} · ${displayName}` : name,
  }));
  return (
    <Select
      aria-label={t('realm')}
      data={options.some(({ value }) => value === realm) ? options : [{ value: realm, label: realm }, ...options]}
      value={realm}
      onChange={(name) => name && router.navigate({ to: '/$realm', params: { realm: name } })}
      allowDeselect={false}
      searchable={options.length > 8}
      nothingFoundMessage={t('noRealms')}
      w={{ base: 130, sm: 220 }}
      checkIconPosition="right"
      comboboxProps={{ width: 260, position: 'bottom-start' }}
    />
  );
}
