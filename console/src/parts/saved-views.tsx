import { Button, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { useReplaceAddress } from './address.js';
import { FormDialog } from './dialogs.js';
import { nameField } from './fields.js';
import { IconSearch } from './icons.js';
import { texts } from './texts.js';

/** The search, filters, and order of a list by the names of its saved views, which the browser remembers. */
type Views = Record<string, Record<string, unknown>>;

const done = { data: {}, errors: [] };

/** Saves the search, the filters, and the order of a list under a name, and opens what was saved. */
export function SavedViews({ name: list }: { name: string }) {
  const t = useText(texts);
  const notify = useNotify();
  const [views, setViews] = useLocalStorage<Views>({ key: `realmgate-console-views-${list}`, defaultValue: {} });
  const [isNaming, setNaming] = useState(false);
  const address: Record<string, unknown> = useSearch({ strict: false });
  const open = useReplaceAddress();
  const present = JSON.stringify(address);
  const shown = Object.keys(views).find((name) => JSON.stringify(views[name]) === present);
  const isAll = Object.values(address).every((value) => value === undefined);
  const remove = (name: string) => {
    const { [name]: removed, ...others } = views;
    setViews(others);
    notify.succeeded(t('deleted', { name }), async () => {
      setViews((now) => ({ ...now, [name]: removed ?? {} }));
      return done;
    });
  };
  return (
    <>
      <Menu position="bottom-end" keepMounted={false}>
        <Menu.Target>
          <Button leftSection={<IconSearch size={16} aria-hidden />}>{shown ?? t('views')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {Object.entries(views).map(([name, view]) => (
            <Menu.Item key={name} onClick={() => open(view)}>
              {name}
            </Menu.Item>
          ))}
          {Object.keys(views).length > 0 && <Menu.Divider />}
          {isAll && <Menu.Label>{t('nothingToSave')}</Menu.Label>}
          <Menu.Item disabled={isAll} onClick={() => setNaming(true)}>
            {t('saveView')}
          </Menu.Item>
          {shown && <Menu.Item onClick={() => remove(shown)}>{t('deleteNamed', { name: shown })}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {isNaming && (
        <FormDialog
          title={t('saveView')}
          hint={t('saveViewHint')}
          fields={[nameField]}
          submit={async ({ name }) => {
            setViews((now) => ({ ...now, [String(name)]: JSON.parse(present) }));
            return done;
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}
