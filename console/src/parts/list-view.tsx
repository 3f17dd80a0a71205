import { Button, Menu } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useText, useTranslated } from '../text/text.js';
import { IconColumns } from './icons.js';
import type { Column } from './list.js';
import { texts } from './texts.js';

/** How a list is shown: its columns, and how high its rows are. The browser remembers both. */
export function useListView<Node, Field extends string>(name: string, columns: readonly Column<Node, Field>[]) {
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `realmgate-console-hidden-${name}`,
    defaultValue: columns.flatMap(({ key, isOptional }) => (isOptional ? [key] : [])),
  });
  const [isDense, setDense] = useLocalStorage({ key: 'realmgate-console-dense', defaultValue: false });
  const menu = <ViewMenu columns={columns} hidden={hidden} onHide={setHidden} isDense={isDense} onDense={setDense} />;
  return { columns: columns.filter(({ key }) => !hidden.includes(key)), isDense, menu };
}

interface ViewMenuProps<Node, Field extends string> {
  columns: readonly Column<Node, Field>[];
  hidden: readonly string[];
  onHide(keys: string[]): void;
  isDense: boolean;
  onDense(isDense: boolean): void;
}

/** Chooses the columns of a list, of which the first one always stays, and the height of the rows of all lists. */
function ViewMenu<Node, Field extends string>(props: ViewMenuProps<Node, Field>) {
  const { columns, hidden, onHide, isDense, onDense } = props;
  const t = useText(texts);
  const translate = useTranslated();
  return (
    <Menu position="bottom-end" keepMounted={false}>
      <Menu.Target>
        <Button leftSection={<IconColumns size={16} aria-hidden />}>{t('columns')}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.slice(1).map(({ key, title }) => (
          <Menu.CheckboxItem
            key={key}
            checked={!hidden.includes(key)}
            onChange={() => onHide([...new Set(hidden).symmetricDifference(new Set([key]))])}
          >
            {translate(title)}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem checked={isDense} onChange={() => onDense(!isDense)}>
          {t('dense')}
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}
