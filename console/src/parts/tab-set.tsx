import { Tabs } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslated } from '../text/text.js';
import type { Text } from '../text/words.js';
import { useChange } from './address.js';

/** A tab: its name in the address, its title, and what it shows. The first one keeps its state, such as what was typed. */
export type Tab = readonly [name: string, title: Text, content: ReactNode];

/** Tabs of a screen. The open one is in the address. One that is not there is left out. */
export function TabSet({ tabs }: { tabs: readonly (Tab | false | null | undefined)[] }) {
  const { tab } = useSearch({ strict: false });
  const change = useChange<{ tab: string | null }>();
  const translate = useTranslated();
  const shown = tabs.filter((entry): entry is Tab => Boolean(entry));
  const [first] = shown;
  const open = shown.find(([name]) => name === tab) ?? first;
  return (
    <Tabs keepMounted={false} value={open?.[0] ?? null} onChange={(name) => change({ tab: name })}>
      <Tabs.List>
        {shown.map(([name, title]) => (
          <Tabs.Tab key={name} value={name}>
            {translate(title)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(([name, , content]) => (
        <Tabs.Panel key={name} value={name} pt="md" keepMounted={name === first?.[0]}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
