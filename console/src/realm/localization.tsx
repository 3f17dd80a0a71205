import { ActionIcon, Autocomplete, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconLanguage, IconX } from '@tabler/icons-react';
import { type FormEvent, useMemo, useState } from 'react';
import { Empty } from '../parts/empty.js';
import { List } from '../parts/list.js';
import { useAct } from '../parts/use-act.js';
import { mutate } from '../session/graphql.js';
import { usePages } from '../session/pages.js';
import { useText } from '../text/text.js';
import { RealmRemoveText, RealmSetText, RealmTexts, type RealmTextsQuery } from './documents.js';
import { texts } from './text.js';

interface LocalizationProps {
  realm: string;
  realmId: string;
  locales: string[];
  isAllowed: boolean;
}

const noText = { key: '', value: '' };
const textsOf = ({ realm }: RealmTextsQuery) => realm?.localizationTexts;

/** The texts of a realm in a language, which replace those of its login pages and emails. */
export function Localization({ realm, realmId, locales, isAllowed }: LocalizationProps) {
  const t = useText(texts);
  const act = useAct();
  const [locale, setLocale] = useState(locales[0] ?? 'en');
  const [{ key, value }, setText] = useState(noText);
  const variables = useMemo(() => ({ realm, locale }), [realm, locale]);
  const pages = usePages(RealmTexts, variables, (data) => {
    const found = textsOf(data);
    return found && { ...found, edges: found.edges.map(({ node }) => ({ node: { ...node, id: node.key } })) };
  });
  const set = (key: string, value: string) => mutate(RealmSetText, { realm: realmId, locale, key, value });
  const remove = (key: string) => mutate(RealmRemoveText, { realm: realmId, locale, key });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const before = pages.nodes.find((text) => text.key === key);
    const undo = () => (before ? set(key, before.value) : remove(key));
    if (await act(() => set(key, value), t('textSet', { key }), undo)) setText(noText);
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
                value={key}
                onChange={({ currentTarget }) => setText({ key: currentTarget.value, value })}
              />
              <TextInput
                label={t('value')}
                flex="2 1 220px"
                required
                value={value}
                onChange={({ currentTarget }) => setText({ key, value: currentTarget.value })}
              />
              <Button type="submit" disabled={!locale}>
                {t('set')}
              </Button>
            </>
          )}
        </Group>
      </form>
      <List
        label={t('texts')}
        pages={pages}
        total={pages.data && textsOf(pages.data)?.totalCount}
        columns={[
          { key: 'key', title: t('key'), render: ({ key }) => key },
          { key: 'value', title: t('value'), width: 260, render: ({ value }) => value },
          {
            key: 'remove',
            title: '',
            width: 60,
            render: ({ key, value }) =>
              isAllowed && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('remove', { key })}
                  onClick={(event) => {
                    event.stopPropagation();
                    act(
                      () => remove(key),
                      t('textRemoved', { key }),
                      () => set(key, value),
                    );
                  }}
                >
                  <IconX size={16} />
                </ActionIcon>
              ),
          },
        ]}
        nameOf={({ key }) => key}
        onOpen={({ key, value }) => setText({ key, value })}
        empty={
          <Empty icon={IconLanguage} title={t('noTexts')}>
            {t('noTextsHint')}
          </Empty>
        }
      />
    </Stack>
  );
}
