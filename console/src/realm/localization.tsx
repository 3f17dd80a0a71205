import {
  ActionIcon,
  Autocomplete,
  Badge,
  Button,
  Group,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAct } from '../parts/act.js';
import { Empty } from '../parts/display.js';
import { SearchInput } from '../parts/filters.js';
import { IconLanguage, IconX } from '../parts/icons.js';
import { List } from '../parts/list.js';
import { mutate } from '../session/graphql.js';
import { useText } from '../text/text.js';
import { texts } from './texts.js';
import { useTexts } from './use-texts.js';

interface LocalizationProps {
  realm: string;
  realmId: string;
  locales: string[];
  isAllowed: boolean;
}

const noText = { key: '', value: '' };

/** The texts of pages and emails in a language: the built-in ones, and those that the realm has in their place. */
export function Localization({ realm, realmId, locales, isAllowed }: LocalizationProps) {
  const t = useText(texts);
  const act = useAct();
  const [locale, setLocale] = useState(locales[0] ?? 'en');
  const [text, setText] = useState(noText);
  const [search, setSearch] = useState('');
  const [isOnlyOwn, setOnlyOwn] = useState(false);
  const { pages, ownOf } = useTexts(realm, locale, search, isOnlyOwn);
  const set = (key: string, value: string) => () =>
    mutate('localizationTextsSet', { realm: realmId, locale, texts: { list: [{ key, value }] } });
  const remove = (key: string) => () => mutate('localizationTextDelete', { realm: realmId, locale, key });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { key, value } = text;
    const before = ownOf(key);
    const undo = before === undefined ? remove(key) : set(key, before);
    if (await act(set(key, value), t('textSet', { name: key }), undo)) setText(noText);
  };
  return (
    <Stack>
      <form onSubmit={submit}>
        <Group align="flex-end">
          <Autocomplete label={t('locale')} w={140} data={[...new Set(locales)]} value={locale} onChange={setLocale} />
          {isAllowed && (
            <>
              <TextInput
                label={t('key')}
                flex="1 1 160px"
                required
                value={text.key}
                onChange={({ currentTarget: { value: key } }) => setText((before) => ({ ...before, key }))}
              />
              <Textarea
                label={t('value')}
                flex="2 1 220px"
                autosize
                minRows={1}
                maxRows={8}
                required
                value={text.value}
                onChange={({ currentTarget: { value } }) => setText((before) => ({ ...before, value }))}
              />
            </>
          )}
          {isAllowed && (
            <Button variant="filled" type="submit" disabled={!locale}>
              {t('set')}
            </Button>
          )}
        </Group>
      </form>
      <Text c="dimmed">{t('textsHint')}</Text>
      <Group>
        <SearchInput label={t('filterTexts')} maw={420} value={search} onChange={(text) => setSearch(text ?? '')} />
        <Switch
          label={t('onlyOwn')}
          checked={isOnlyOwn}
          onChange={({ currentTarget: { checked } }) => setOnlyOwn(checked)}
        />
      </Group>
      <List
        label={t('texts')}
        pages={pages}
        columns={[
          { key: 'key', title: texts.key, width: 260 },
          { key: 'value', title: texts.value, width: 480 },
          {
            key: 'isOwn',
            title: texts.status,
            width: 150,
            render: ({ key, value, isOwn }) =>
              isOwn && (
                <Group gap="xs" wrap="nowrap" justify="space-between">
                  <Badge color="blue">{t('changed')}</Badge>
                  {isAllowed && (
                    <ActionIcon
                      aria-label={t('removeNamed', { name: key })}
                      onClick={(event) => {
                        event.stopPropagation();
                        act(remove(key), t('removed', { name: key }), set(key, value));
                      }}
                    >
                      <IconX size={16} />
                    </ActionIcon>
                  )}
                </Group>
              ),
          },
        ]}
        nameOf={({ key }) => key}
        onOpen={({ key, value }) => setText({ key, value })}
        empty={<Empty icon={IconLanguage} title={t('noTexts')} />}
      />
    </Stack>
  );
}
