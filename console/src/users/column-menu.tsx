import { Button, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCheck, IconColumns } from '@tabler/icons-react';
import { useText, useTranslated } from '../text/text.js';
import { columns } from './columns.js';
import { texts } from './text.js';

/** The columns that the caller has hidden, which the browser remembers, and how to change them. */
export function useHiddenColumns(): [ReadonlySet<string>, (keys: ReadonlySet<string>) => void] {
  const [keys, setKeys] = useLocalStorage<string[]>({ key: 'realmgate-console-users-hidden', defaultValue: [] });
  return [new Set(keys), (next) => setKeys([...next])];
}

interface ColumnMenuProps {
  hidden: ReadonlySet<string>;
  onHide(keys: ReadonlySet<string>): void;
}

/** Chooses the columns of the list. The first one always stays. */
export function ColumnMenu({ hidden, onHide }: ColumnMenuProps) {
  const t = useText(texts);
  const translate = useTranslated();
  return (
    <Menu closeOnItemClick={false} position="bottom-end" keepMounted={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns size={16} aria-hidden />}>
          {t('columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.slice(1).map(({ key, title }) => (
          <Menu.Item
            key={key}
            role="menuitemcheckbox"
            aria-checked={!hidden.has(key)}
            onClick={() => onHide(new Set(hidden).symmetricDifference(new Set([key])))}
            leftSection={<IconCheck size={14} aria-hidden style={{ opacity: hidden.has(key) ? 0 : 1 }} />}
          >
            {translate(title)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
