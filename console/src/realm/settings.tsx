import { Button, Fieldset, Group, SimpleGrid, Tabs, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { NotFound } from '../parts/not-found.js';
import { StoredForm } from '../parts/stored-form.js';
import { useAct } from '../parts/use-act.js';
import { load, mutate, type UserError, useLoad } from '../session/graphql.js';
import { useStore } from '../session/store.js';
import { Screen } from '../shell/screen.js';
import { language, translated, useText } from '../text/text.js';
import { RealmSave, RealmSettings, type RealmSettingsQuery, RealmStored, RealmTestEmail } from './documents.js';
import { Keys } from './keys.js';
import { Localization } from './localization.js';
import type { settingsSearch } from './search.js';
import { fields, sections } from './sections.js';
import { Setting } from './setting.js';
import { texts } from './text.js';
import { inputOf, type RealmValues, storedOf } from './values.js';

type LoadedRealm = NonNullable<RealmSettingsQuery['realm']>;

/** The settings of a realm in sections, with a search over all of them, its keys, and its texts. */
export function Settings() {
  const t = useText(texts);
  const present = useStore(language);
  const { realm: name } = useParams({ from: '/$realm' });
  const { section = 'general', search = '' } = useSearch({ from: '/$realm/settings' });
  const navigate = useNavigate();
  const loaded = useLoad(RealmSettings, { realm: name });
  const set = (changes: ReturnType<typeof settingsSearch>) =>
    navigate({ to: '/$realm/settings', params: { realm: name }, search: changes, replace: true });
  return (
    <Screen title={t('title', { realm: name })} loaded={loaded}>
      {({ realm }) => {
        if (!realm) return <NotFound />;
        const isForm = search !== '' || section in sections;
        return (
          <>
            <TextInput
              type="search"
              role="searchbox"
              aria-label={t('search')}
              placeholder={t('search')}
              leftSection={<IconSearch size={16} aria-hidden />}
              maw={420}
              value={search}
              onChange={({ currentTarget: { value } }) => set({ section, search: value })}
            />
            <Tabs value={section} onChange={(next) => next && set({ section: next })}>
              <Tabs.List aria-label={t('sections')}>
                {Object.entries(sections).map(([key, { title }]) => (
                  <Tabs.Tab key={key} value={key}>
                    {translated(title, present)}
                  </Tabs.Tab>
                ))}
                <Tabs.Tab value="keys">{t('keys')}</Tabs.Tab>
                <Tabs.Tab value="texts">{t('texts')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value={section} pt="md">
                {/* the form keeps what was typed in all sections */}
                <div hidden={!isForm}>
                  <SettingsForm key={realm.id} realm={realm} name={name} section={section} search={search} />
                </div>
                {!isForm && section === 'keys' && <Keys keys={realm.keys ?? []} />}
                {!isForm && section === 'texts' && (
                  <Localization
                    realm={name}
                    realmId={realm.id}
                    locales={[
                      ...(realm.localizedLocales ?? []),
                      ...(realm.internationalization?.supportedLocales ?? []),
                    ]}
                    isAllowed={realm.viewerCan.update.isAllowed}
                  />
                )}
              </Tabs.Panel>
            </Tabs>
          </>
        );
      }}
    </Screen>
  );
}

interface SettingsFormProps {
  realm: LoadedRealm;
  name: string;
  section: string;
  search: string;
}

function SettingsForm({ realm, name, section, search }: SettingsFormProps) {
  const t = useText(texts);
  const act = useAct();
  const present = useStore(language);
  const isReadOnly = !realm.viewerCan.update.isAllowed;
  const labelOf = (path: string) => {
    const [, ...label] = fields[path] ?? ['text', path, path];
    return translated(label, present);
  };
  const isFound = (path: string) => `${labelOf(path)} ${path}`.toLowerCase().includes(search.toLowerCase());
  const shown = Object.entries(sections)
    .filter(([key]) => search !== '' || key === section)
    .map(([key, { title, fields: own }]) => ({ key, title, paths: Object.keys(own).filter(isFound) }))
    .filter(({ paths }) => paths.length > 0);
  return (
    <StoredForm<RealmValues>
      {...storedOf(realm)}
      isReadOnly={isReadOnly}
      isPreviewed
      labelOf={labelOf}
      save={async (changes, expectedVersion, options) => {
        const input = { id: realm.id, expectedVersion, ...inputOf(changes) };
        const { data, errors } = await mutate(RealmSave, { input }, options);
        const saved = data?.realmUpdate;
        const changed = saved?.changes?.map((change) => ({ ...change, path: [labelOf(change.path.join('.'))] }));
        return { errors, changes: changed, stored: saved?.realm ? storedOf(saved.realm) : undefined };
      }}
      load={async () => {
        const stored = (await load(RealmStored, { realm: name }))?.realm;
        return stored ? storedOf(stored) : undefined;
      }}
    >
      {(values: RealmValues, onChange: (path: string, value: never) => void, errors: UserError[]) => (
        <>
          {shown.length === 0 && <Text size="sm">{t('noMatch')}</Text>}
          {shown.map(({ key, title, paths }) => (
            <Fieldset key={key} legend={translated(title, present)}>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                {paths.map((path) => (
                  <Setting
                    key={path}
                    path={path}
                    value={values[path]}
                    errors={errors}
                    isReadOnly={isReadOnly}
                    onChange={(value) => onChange(path, value as never)}
                  />
                ))}
              </SimpleGrid>
              {key === 'email' && !isReadOnly && (
                <Group mt="md">
                  <Button
                    variant="default"
                    onClick={() => act(() => mutate(RealmTestEmail, { id: realm.id }), t('emailSent'))}
                  >
                    {t('testEmail')}
                  </Button>
                  <Text size="sm" c="dimmed">
                    {t('testHint')}
                  </Text>
                </Group>
              )}
            </Fieldset>
          ))}
        </>
      )}
    </StoredForm>
  );
}
