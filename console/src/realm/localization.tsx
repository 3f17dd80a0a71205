import { ActionIcon, Autocomplete, Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAct } from '../parts/act.js';
import { Empty } from '../parts/display.js';
import { IconLanguage, IconX } from '../parts/icons.js';
import { List } from '../parts/list.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { RealmTexts } from './documents.js';
import { texts } from './text.js';

interface LocalizationProps {
  realm: string;
  realmId: string;
  locales: string[];
  isAllowed: boolean;
}

const noText = { key: '', value: '' };

/** The texts of a realm in a language, which replace those of its login pages and emails. */
export function Localization({ realm, realmId, locales, isAllowed }: LocalizationProps) {
  const t = useText(texts);
  const act = useAct();
  const [locale, setLocale] = useState(locales[0] ?? 'en');
  const [text, setText] = useState(noText);
  const pages = usePages(RealmTexts, { realm, locale }, (data) => {
    const found = data.realm?.localizationTexts;
    return found && { ...found, nodes: found.nodes.map((node) => ({ ...node, id: node.key })) };
  });
  const set = (key: string, value: string) => () =>
    mutate('localizationTextsSet', { realm: realmId, locale, texts: { list: [{ key, value }] } });
  const remove = (key: string) => () => mutate('localizationTextDelete', { realm: realmId, locale, key });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { key, value } = text;
    const before = pages.nodes.find((node) => node.key === key);
    const undo = before ? set(key, before.value) : remove(key);
    if (await act(set(key, value), t('textSet', { name: key }), undo)) setText(noText);
  };
  return (
    <Stack>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <Autocomplete label={t('locale')} w={140} data={[...new Set(locales)]} value={locale} onChange={setLocale} />
          {isAllowed &&
            (['key', 'value'] as const).map((field) => (
              <TextInput
                key={field}
                label={t(field)}
                flex={field === 'key' ? '1 1 160px' : '2 1 220px'}
                required
                value={text[field]}
                onChange={({ currentTarget: { value } }) => setText((before) => ({ ...before, [field]: value }))}
              />
            ))}
          {isAllowed && (
            <Button variant="filled" type="submit" disabled={!locale}>
              {t('set')}
            </Button>
          )}
        </Group>
      </form>
      <List
        label={t('texts')}
        pages={pages}
        columns={[
          { key: 'key', title: texts.key, width: 260 },
          { key: 'value', title: texts.value },
          {
            key: 'remove',
            title: ['', ''],
            width: 60,
            render: ({ key, value }) =>
              isAllowed && (
                <ActionIcon
                  aria-label={t('removeNamed', { name: key })}
                  onClick={(event) => {
                    event.stopPropagation();
                    act(remove(key), t('removed', { name: key }), set(key, value));
                  }}
                >
                  <IconX size={16} />
                </ActionIcon>
              ),
          },
        ]}
        nameOf={({ key }) => key}
        onOpen={({ key, value }) => setText({ key, value })}
        empty={<Empty icon={IconLanguage} title={t('noTexts')} hint={t('noTextsHint')} />}
      />
    </Stack>
  );
}
