import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface TabSetProps {
  /** tabs by name in their order; one that is not there is left out */
  tabs: readonly (false | { name: string; title: string; content: ReactNode; keepsMounted?: boolean })[];
}

/** Tabs of a screen. The open one is in the address. */
export function TabSet({ tabs }: TabSetProps) {
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const navigate = useNavigate();
  const shown = tabs.filter((entry) => entry !== false);
  return (
    <Tabs
      // only panels that say so keep their state, such as what was typed
      keepMounted={false}
      value={shown.find(({ name }) => name === tab)?.name ?? shown[0]?.name ?? null}
      onChange={(name) => navigate({ to: '.', search: { tab: name } as never, replace: true })}
    >
      <Tabs.List>
        {shown.map(({ name, title }) => (
          <Tabs.Tab key={name} value={name}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ name, content, keepsMounted = false }) => (
        <Tabs.Panel key={name} value={name} pt="md" keepMounted={keepsMounted}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
