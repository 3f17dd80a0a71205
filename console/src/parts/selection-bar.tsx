import { Affix, Button, CloseButton, Group, Paper, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

interface SelectionBarProps<Kind extends string> {
  /** what is selected, as a text */
  selected: string;
  actions: readonly { kind: Kind; title: string; icon?: Icon }[];
  /** what the button that ends the selection is called */
  clear: string;
  onAct(kind: Kind): void;
  onClear(): void;
}

/** What can be done with the selected objects of a list, at the bottom of the window. */
export function SelectionBar<Kind extends string>(props: SelectionBarProps<Kind>) {
  const { selected, actions, clear, onAct, onClear } = props;
  return (
    <Affix withinPortal={false} position={{ bottom: 16, left: 16, right: 16 }} style={{ pointerEvents: 'none' }}>
      <Paper
        withBorder
        shadow="md"
        p="xs"
        mx="auto"
        w="fit-content"
        role="toolbar"
        aria-label={selected}
        style={{ pointerEvents: 'auto' }}
      >
        <Group gap="xs" justify="center">
          <Text size="sm" fw={600} px="xs" role="status">
            {selected}
          </Text>
          {actions.map(({ kind, title, icon: Icon }) => (
            <Button
              key={kind}
              size="xs"
              variant="default"
              {...(Icon && { leftSection: <Icon size={14} aria-hidden /> })}
              onClick={() => onAct(kind)}
            >
              {title}
            </Button>
          ))}
          <CloseButton aria-label={clear} onClick={onClear} />
        </Group>
      </Paper>
    </Affix>
  );
}
