import { Alert, Button, Flex, Group, Radio, ScrollArea, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Outcome, UserError } from '../session/graphql.js';
import type { MutationName } from '../session/mutation-text.js';
import { useRunning } from '../session/running.js';
import { useNotify } from '../shell/notify.js';
import { useText, useTranslated } from '../text/text.js';
import { changesIn, Dialog } from './dialogs.js';
import { Card, type Change, ChangeList, readableText } from './display.js';
import { changedFields, changesOf, type Field, merged, useDraft } from './draft.js';
import { HelpOf } from './field-help.js';
import { FieldInput } from './field-input.js';
import { type FieldValues, inputOf, messageAt, type Section, valuesAt } from './fields.js';
import { useFirstError } from './first-error.js';
import { texts } from './texts.js';

/** The object of a form. It can be changed by those who may save it. */
export interface Stored {
  id: string;
  version: number | null;
  viewerCan: { update: { isAllowed: boolean } };
}

/** The values of a form as they are stored, and the version that has them. */
interface Version {
  values: FieldValues;
  version: number;
}

export interface SettingsFormProps<Node extends Stored> {
  /** what the object is called in what is told after it was saved */
  nameOf(stored: Node): string;
  sections: readonly Section[];
  /** the mutation that `save` sends, whose descriptions explain the fields */
  help?: MutationName;
  /** the sections that are shown, with the fields that are; by default all of them */
  shown?: readonly Section[];
  stored: Node;
  /** whether the changes are shown, by a dry run, before they are saved */
  isPreviewed?: boolean;
  save(
    input: FieldValues & { id: string; expectedVersion: number },
    options: { isDryRun: boolean },
  ): Promise<Outcome<object>>;
  /** what is stored now, after this form or somebody else has saved */
  reload(): Promise<Node | undefined>;
  /** what is shown beside the fields */
  beside?(values: FieldValues): ReactNode;
  /** what can be done with the values besides saving them */
  actions?(values: FieldValues): ReactNode;
}

/** A form made from sections of fields. It saves what was changed, and merges it with what others have saved meanwhile. */
export function SettingsForm<Node extends Stored>(props: SettingsFormProps<Node>) {
  const { nameOf, sections, shown = sections, stored, isPreviewed = true, reload, actions, beside } = props;
  const isReadOnly = !stored.viewerCan.update.isAllowed;
  const t = useText(texts);
  const translate = useTranslated();
  const notify = useNotify();
  const fields = sections.flatMap((section) => section.fields);
  const versionOf = (node: Node): Version => ({ values: valuesAt(fields, node), version: node.version ?? 0 });
  const loaded = versionOf(stored);
  const draft = useDraft(loaded.values, loaded.version);
  const [errors, setErrors] = useState<UserError[]>([]);
  const form = useFirstError(errors);
  const [theirs, setTheirs] = useState<Version>();
  const [preview, setPreview] = useState<{ of: FieldValues; changes: Change[] }>();
  const [isRunning, whileRunning] = useRunning();
  const isChecked = !isPreviewed || preview?.of === draft.values;
  const labelOf = (path: string) => translate(fields.find((field) => field.path === path)?.label ?? path);

  const save = async ({ values: base, version }: Version, values: FieldValues, isDryRun: boolean) => {
    const input = { id: stored.id, expectedVersion: version, ...inputOf(changesOf(base, values)) };
    const { data, errors, isStale, node } = await whileRunning(async () => {
      const outcome = await props.save(input, { isDryRun });
      const isStale = outcome.errors.some(({ code }) => code === 'STALE');
      const isSaved = outcome.errors.length === 0 && !isDryRun;
      return { ...outcome, isStale, node: isStale || isSaved ? await reload() : undefined };
    });
    const now = node && versionOf(node);
    setTheirs(isStale ? now : undefined);
    if (isStale) return;
    setErrors(errors);
    if (errors.some(({ path }) => !path)) notify.failed(errors);
    if (errors.length > 0) return;
    if (isDryRun) return setPreview({ of: values, changes: changesIn(data) });
    if (now) draft.rebase(now.values, now.version, now.values);
    notify.succeeded(t('saved', { name: nameOf(node ?? stored) }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({ values: draft.base, version: draft.version }, draft.values, !isChecked);
  };
  const listed = errors.filter((error) => error.path && !fields.some((field) => messageAt([error], field)));
  return (
    <HelpOf value={props.help}>
      <form onSubmit={submit}>
        <Flex gap="md" wrap="wrap" align="flex-start">
          <Stack flex="1 1 300px">
            <div className="sections" ref={form}>
              {shown.map(({ title, fields }) => (
                <Card key={title.key} title={translate(title)}>
                  <Stack>
                    {/* a switch beside an input would leave a hole */}
                    {[false, true].map((isFlag) => {
                      const inputs = fields.filter(({ kind }) => (kind === 'flag') === isFlag);
                      return (
                        inputs.length > 0 && (
                          <SimpleGrid
                            key={String(isFlag)}
                            cols={{ base: 1, sm: fields.length > 1 ? 2 : 1 }}
                            style={{ alignItems: isFlag ? 'start' : 'end' }}
                          >
                            {inputs.map((field) => (
                              <FieldInput
                                key={field.path}
                                field={field}
                                value={draft.values[field.path]}
                                error={messageAt(errors, field)}
                                isReadOnly={isReadOnly}
                                onChange={(value) => draft.set(field.path, value)}
                              />
                            ))}
                          </SimpleGrid>
                        )
                      );
                    })}
                  </Stack>
                </Card>
              ))}
            </div>
            {preview && isChecked && draft.isChanged && (
              <Alert color="indigo" title={t('wouldChange')} role="status" maw={760}>
                <ChangeList
                  changes={preview.changes.map((change) => ({ ...change, path: [labelOf(change.path.join('.'))] }))}
                />
              </Alert>
            )}
            {listed.length > 0 && (
              <Text c="red" role="alert">
                {listed.map(({ message }) => message).join(' ')}
              </Text>
            )}
            {!isReadOnly && (
              <Group>
                <Button variant="filled" type="submit" disabled={!draft.isChanged} loading={isRunning}>
                  {t(isChecked ? 'save' : 'check')}
                </Button>
                <Button disabled={!draft.isChanged} onClick={draft.reset}>
                  {t('reset')}
                </Button>
                {actions?.(draft.values)}
              </Group>
            )}
          </Stack>
          {beside?.(draft.values)}
        </Flex>
        {theirs && (
          <Conflict
            base={draft.base}
            mine={draft.values}
            theirs={theirs.values}
            labelOf={labelOf}
            isSaving={isRunning}
            onSave={(values) => {
              draft.rebase(theirs.values, theirs.version, values);
              save(theirs, values, false);
            }}
            onDiscard={() => {
              draft.rebase(theirs.values, theirs.version, theirs.values);
              setTheirs(undefined);
            }}
            onClose={() => setTheirs(undefined)}
          />
        )}
      </form>
    </HelpOf>
  );
}

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
function Conflict<Values extends object>(props: ConflictProps<Values>) {
  const { base, mine, theirs, labelOf, isSaving, onSave, onDiscard, onClose } = props;
  const t = useText(texts);
  const [choices, setChoices] = useState<Record<string, 'mine' | 'theirs'>>({});
  const fields = changedFields(base, mine, theirs);
  const contested = fields.filter(({ isContested }) => isContested);
  const isDecided = contested.every(({ key }) => choices[key]);
  return (
    <Dialog
      title={t('conflict')}
      size="xl"
      action={{
        label: t('saveBoth'),
        isRunning: isSaving,
        isDisabled: !isDecided,
        run: () => onSave(merged(base, mine, theirs, (key) => choices[key] === 'mine')),
      }}
      leave={{ label: t('discardMine'), run: onDiscard }}
      onClose={onClose}
    >
      <Text>{t(contested.length > 0 ? 'conflictHint' : 'noContest')}</Text>
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
  const value = readableText(shown(field[side]), t) || t('empty');
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
