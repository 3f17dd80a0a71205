import { Box, Tabs, Text } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { useParams, useSearch } from '@tanstack/react-router';
import { Fragment, useRef } from 'react';
import { ClientPolicies } from '../client-policies/client-policies.js';
import { useChange } from '../parts/address.js';
import { FormButton } from '../parts/dialogs.js';
import type { FieldValues } from '../parts/fields.js';
import { SearchInput } from '../parts/filters.js';
import { ObjectScreen, TabList } from '../parts/object-screen.js';
import { SettingsForm } from '../parts/settings-form.js';
import { mutate, useLoad } from '../session/graphql.js';
import { useMay } from '../shell/areas.js';
import { Failure } from '../shell/screen.js';
import { type Text as Title, useAllLanguages, useText, useTranslated } from '../text/text.js';
import { RealmLoginPreview, RealmSettings, type RealmSettingsQuery } from './documents.js';
import { InitialAccess } from './initial-access.js';
import { Keys } from './keys.js';
import { Localization } from './localization.js';
import { Maintenance } from './maintenance.js';
import { RealmActions } from './realm-actions.js';
import { isFound, sections } from './sections.js';
import { texts } from './texts.js';

type LoadedRealm = NonNullable<RealmSettingsQuery['realm']>;

/** The titles of the sections, of which those with forms have more in `sections`. */
const titles: Record<string, Title> = {
  ...Object.fromEntries(Object.entries(sections).map(([key, { title }]) => [key, title])),
  keys: texts.keys,
  texts: texts.texts,
  policies: texts.clientPolicies,
  registration: texts.registration,
  maintenance: texts.maintenance,
};

/** The sections as they are listed, all of them. */
const groups: readonly (readonly [title: Title, keys: readonly string[]])[] = [
  [texts.realm, ['general', 'languages', 'texts', 'email', 'maintenance']],
  [texts.loginGroup, ['login', 'loginPages', 'otp', 'webAuthn', 'webAuthnPasswordless', 'protection']],
  [texts.tokenGroup, ['sessions', 'tokens', 'keys']],
  [texts.clients, ['policies', 'registration']],
];

/** Where the list of sections has room beside them. */
const wide = '(min-width: 62em)';

/** The settings of a realm in sections, with a search over all of them, its keys, and its texts. */
export function Settings() {
  const t = useText(texts);
  const translate = useTranslated();
  const { realm: name } = useParams({ from: '/$realm' });
  const address = useSearch({ from: '/$realm/settings' });
  const change = useChange<typeof address>();
  const may = useMay(name);
  const { search = '' } = address;
  const loaded = useLoad(RealmSettings, { realm: name });
  const reload = async () => (await loaded.reload())?.realm ?? undefined;
  const isWide = useMediaQuery(wide, undefined, { getInitialValueInEffect: false });
  const isKnown = (key: string) => key in titles && (key !== 'registration' || may('VIEW_CLIENTS'));
  const section = address.section && isKnown(address.section) ? address.section : 'general';
  const isForm = search !== '' || section in sections;
  return (
    <ObjectScreen
      title={t('title', { realm: name })}
      loaded={loaded}
      object={loaded.data?.realm}
      actions={loaded.data?.realm && <RealmActions realm={loaded.data.realm} name={name} />}
    >
      {(realm) => (
        <>
          <SearchInput label={t('search')} maw={420} value={search} onChange={(text) => change({ search: text })} />
          <Tabs
            orientation={isWide ? 'vertical' : 'horizontal'}
            styles={{ tabLabel: { textAlign: 'start' } }}
            value={section}
            onChange={(next) => next && change({ section: next, search: undefined })}
          >
            <TabList label={t('sections')} open={section}>
              {groups.map(([title, keys]) => (
                <Fragment key={title.key}>
                  {isWide && (
                    <Text size="xs" c="dimmed" fw={600} px="md" pt="sm" pb={4}>
                      {translate(title)}
                    </Text>
                  )}
                  {keys.filter(isKnown).map((key) => (
                    <Tabs.Tab key={key} value={key}>
                      {translate(titles[key] ?? key)}
                    </Tabs.Tab>
                  ))}
                </Fragment>
              ))}
            </TabList>
            <Tabs.Panel value={section} {...(isWide ? { pl: 'md', miw: 0 } : { pt: 'md' })}>
              {/* the form keeps what was typed in all sections */}
              <div hidden={!isForm}>
                <RealmForm key={realm.id} realm={realm} reload={reload} name={name} section={section} search={search} />
              </div>
              {!isForm && section === 'keys' && <Keys />}
              {!isForm && section === 'policies' && <ClientPolicies />}
              {!isForm && section === 'registration' && <InitialAccess />}
              {!isForm && section === 'maintenance' && <Maintenance realm={realm} reload={reload} />}
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
  useAllLanguages(search !== '');
  const shown = Object.entries(sections)
    .filter(([key]) => search !== '' || key === section)
    .map(([, { title, fields }]) => ({ title, fields: fields.filter((field) => isFound(field, search)) }))
    .filter(({ fields }) => fields.length > 0);
  const testEmail = (
    <FormButton
      title={t('testEmail')}
      hint={t('testHint')}
      fields={[{ path: 'recipient', label: texts.recipient, kind: 'email', hint: texts.recipientHint }]}
      submit={(input) => mutate('realmTestSmtp', { id: realm.id, ...input })}
      done={() => t('emailSent')}
    />
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
        help="realmUpdate"
        reload={reload}
        beside={(values) => search === '' && section === 'loginPages' && <LoginPreview realm={name} values={values} />}
        actions={() => section === 'email' && testEmail}
      />
    </>
  );
}

/** A value of the form once nobody types any more. A colour that is not complete is none. */
function useSettled(value: unknown): string | null {
  const text = typeof value === 'string' ? value : '';
  const [settled] = useDebouncedValue(/^(#[0-9a-f]{6}$|data:)/i.test(text) ? text : null, 300);
  return settled;
}

/** The login page of a realm as it would be with the values of the form. */
function LoginPreview({ realm, values }: { realm: string; values: FieldValues }) {
  const t = useText(texts);
  const accentColor = useSettled(values['loginPages.accentColor']);
  const backgroundColor = useSettled(values['loginPages.backgroundColor']);
  const logo = useSettled(values['loginPages.logo']);
  const loaded = useLoad(RealmLoginPreview, { realm, accentColor, backgroundColor, logo });
  // the last page stays until the next one is there
  const shown = useRef('');
  shown.current = loaded.data?.realm?.loginPagePreview ?? shown.current;
  return (
    <Box component="section" aria-label={t('loginPreview')} flex="1 1 300px" maw={480} miw={0}>
      <Text fw={600} mb="xs">
        {t('loginPreview')}
      </Text>
      <Failure loaded={loaded} />
      <iframe className="login-preview" title={t('loginPreview')} sandbox="" tabIndex={-1} srcDoc={shown.current} />
    </Box>
  );
}
