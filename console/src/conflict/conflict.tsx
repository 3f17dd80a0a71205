import { Radio, ScrollArea, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { readableText } from '../parts/change-list.js';
import { Dialog } from '../parts/dialog.js';
import { partTexts } from '../parts/text.js';
import { useText } from '../text/text.js';
import { changedFields, type Field, merged } from './merge.js';
import { texts } from './text.js';

interface ConflictProps<Values extends object> {
  base: Values;
  mine: Values;
  theirs: Values;
  labelOf(key: string): string;
  isSaving: boolean;
  /** saves values that have the changes of both */
  onSave(values: Values): void;
  /** goes on with what is stored */
  onDiscard(): void;
  onClose(): void;
}

/** Shows what both sides have made of what they began with, and saves the changes of both. */
export function Conflict<Values extends object>(props: ConflictProps<Values>) {
  const { base, mine, theirs, labelOf, isSaving, onSave, onDiscard, onClose } = props;
  const t = useText(texts);
  const [choices, setChoices] = useState<Record<string, 'mine' | 'theirs'>>({});
  const fields = changedFields(base, mine, theirs);
  const contested = fields.filter(({ isContested }) => isContested);
  const isDecided = contested.every(({ key }) => choices[key]);
  return (
    <Dialog
      title={t('title')}
      size="xl"
      action={{
        label: t('save'),
        isRunning: isSaving,
        isDisabled: !isDecided,
        run: () => onSave(merged(base, mine, theirs, (key) => choices[key] === 'mine')),
      }}
      leave={{ label: t('discard'), run: onDiscard }}
      onClose={onClose}
    >
      <Text>{t(contested.length > 0 ? 'explanation' : 'noContest')}</Text>
      <ScrollArea viewportProps={{ tabIndex: 0 }}>
        <Table miw={560}>
          <Table.Thead>
            <Table.Tr>
              {(['field', 'base', 'mine', 'theirs'] as const).map((column) => (
                <Table.Th key={column}>{t(column)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {fields.map((field) => (
              <Table.Tr key={field.key}>
                <Table.Th scope="row">{labelOf(field.key)}</Table.Th>
                <Table.Td>{shown(field.base) || t('empty')}</Table.Td>
                {(['mine', 'theirs'] as const).map((side) => (
                  <Table.Td key={side}>
                    <Side
                      field={field}
                      side={side}
                      label={`${labelOf(field.key)}: ${t(side)}`}
                      isChosen={choices[field.key] === side}
                      onChoose={() => setChoices((before) => ({ ...before, [field.key]: side }))}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea>
    </Dialog>
  );
}

interface SideProps {
  field: Field;
  side: 'mine' | 'theirs';
  label: string;
  isChosen: boolean;
  onChoose(): void;
}

/** The value of one side: to be chosen if both have changed the field, and marked if only this one has. */
function Side({ field, side, label, isChosen, onChoose }: SideProps) {
  const t = useText(texts);
  const parts = useText(partTexts);
  const value = readableText(shown(field[side]), parts) || t('empty');
  if (field.isContested)
    return <Radio checked={isChosen} onChange={onChoose} label={value} aria-label={`${label}: ${value}`} />;
  const isChanged = shown(field[side]) !== shown(field.base);
  return (
    <Text className={isChanged ? 'after' : undefined} span>
      {value}
    </Text>
  );
}

/** A value as one reads it. */
const shown = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
