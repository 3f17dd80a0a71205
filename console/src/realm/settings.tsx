import { Button, Tabs, Text, TextInput, Tooltip } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useParams, useSearch } from '@tanstack/react-router';
import { useChange } from '../parts/address.js';
import type { FormField } from '../parts/fields.js';
import { ObjectScreen } from '../parts/object-screen.js';
import { SettingsForm } from '../parts/settings-form.js';
import { useAct } from '../parts/use-act.js';
import { useLoad } from '../session/graphql.js';
import { mutate } from '../session/mutate.js';
import { useText, useTranslated } from '../text/text.js';
import { RealmSettings, type RealmSettingsQuery } from './documents.js';
import { Keys } from './keys.js';
import { Localization } from './localization.js';
import { LoginPreview } from './login-preview.js';
import { sections } from './sections.js';
import { texts } from './text.js';

type LoadedRealm = NonNullable<RealmSettingsQuery['realm']>;

/** The settings of a realm in sections, with a search over all of them, its keys, and its texts. */
export function Settings() {
  const t = useText(texts);
  const translate = useTranslated();
  const { realm: name } = useParams({ from: '/$realm' });
  const address = useSearch({ from: '/$realm/settings' });
  const change = useChange<typeof address>();
  const { search = '' } = address;
  const loaded = useLoad(RealmSettings, { realm: name });
  const reload = async () => (await loaded.reload())?.realm ?? undefined;
  const titles = [
    ...Object.entries(sections).map(([key, { title }]) => [key, title] as const),
    ['keys', texts.keys] as const,
    ['texts', texts.texts] as const,
  ];
  const section = titles.find(([key]) => key === address.section)?.[0] ?? 'general';
  const isForm = search !== '' || section in sections;
  return (
    <ObjectScreen title={t('title', { realm: name })} loaded={loaded} object={loaded.data?.realm}>
      {(realm) => (
        <>
          <TextInput
            type="search"
            role="searchbox"
            aria-label={t('search')}
            placeholder={t('search')}
            leftSection={<IconSearch size={16} aria-hidden />}
            maw={420}
            value={search}
            onChange={({ currentTarget: { value } }) => change({ search: value })}
          />
          <Tabs value={section} onChange={(next) => next && change({ section: next, search: undefined })}>
            <Tabs.List aria-label={t('sections')}>
              {titles.map(([key, title]) => (
                <Tabs.Tab key={key} value={key}>
                  {translate(title)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value={section} pt="md">
              {/* the form keeps what was typed in all sections */}
              <div hidden={!isForm}>
                <RealmForm key={realm.id} realm={realm} reload={reload} name={name} section={section} search={search} />
              </div>
              {!isForm && section === 'keys' && <Keys keys={realm.keys ?? []} />}
              {!isForm && section === 'texts' && (
                <Localization
                  realm={name}
                  realmId={realm.id}
                  locales={[...(realm.localizedLocales ?? []), ...(realm.internationalization?.supportedLocales ?? [])]}
                  isAllowed={realm.viewerCan.update.isAllowed}
                />
              )}
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </ObjectScreen>
  );
}

interface RealmFormProps {
  realm: LoadedRealm;
  reload(): Promise<LoadedRealm | undefined>;
  name: string;
  section: string;
  search: string;
}

/** The form of all settings, of which those of a section are shown, or those that are searched for. */
function RealmForm({ realm, reload, name, section, search }: RealmFormProps) {
  const t = useText(texts);
  const translate = useTranslated();
  const act = useAct();
  const isFound = ({ label, path }: FormField) =>
    `${translate(label)} ${path}`.toLowerCase().includes(search.toLowerCase());
  const shown = Object.entries(sections)
    .filter(([key]) => search !== '' || key === section)
    .map(([, { title, fields }]) => ({ title, fields: fields.filter(isFound) }))
    .filter(({ fields }) => fields.length > 0);
  const testEmail = (
    <Tooltip label={t('testHint')}>
      <Button variant="default" onClick={() => act(() => mutate('realmTestSmtp', { id: realm.id }), t('emailSent'))}>
        {t('testEmail')}
      </Button>
    </Tooltip>
  );
  return (
    <>
      {shown.length === 0 && <Text>{t('noMatch')}</Text>}
      <SettingsForm
        nameOf={() => name}
        sections={Object.values(sections)}
        shown={shown}
        stored={realm}
        save={(input, options) => mutate('realmUpdate', input, options)}
        reload={reload}
        beside={(values) => search === '' && section === 'loginPages' && <LoginPreview realm={name} values={values} />}
        actions={() => section === 'email' && testEmail}
      />
    </>
  );
}
