import { ActionIcon, Box, Code, Popover, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { load } from '../session/graphql.js';
import type { MutationName } from '../session/mutation-text.js';
import { inputTypeOf } from '../session/mutation-text.js';
import { useText, useTranslated } from '../text/text.js';
import { InputHelp, type InputHelpQuery } from './documents.js';
import { type FormField, keysOf } from './fields.js';
import { IconInfoCircle } from './icons.js';
import { texts } from './texts.js';

/** The mutation that a form sends: the descriptions of its input explain the fields. */
export const HelpOf = createContext<MutationName | undefined>(undefined);

const types = new Map<string, Promise<InputHelpQuery | undefined>>();

/** The description of a field of an input type. Undefined if the API has no such field. */
async function descriptionOf(type: string, [key, ...rest]: string[]): Promise<string | undefined> {
  const loading = types.get(type) ?? load(InputHelp, { type });
  types.set(type, loading);
  const fields = (await loading)?.__type?.inputFields;
  // what could not be loaded is asked for again
  if (!fields) types.delete(type);
  const field = fields?.find(({ name }) => name === key);
  const below = field?.type.name ?? field?.type.ofType?.name;
  return rest.length > 0 && below ? descriptionOf(below, rest) : (field?.description ?? undefined);
}

/** An input with a button beside its label that explains the field, if its form says what it sends. */
export function Helped({ field, children }: { field: FormField; children: ReactNode }) {
  const mutation = useContext(HelpOf);
  // settings of providers have the texts that the providers declare
  const { path, setting, explainedBy = path } = field;
  if (!mutation || setting !== undefined || explainedBy === false) return children;
  return (
    <Box className="helped">
      {children}
      <FieldHelp path={explainedBy} label={field.label} type={inputTypeOf(mutation)} />
    </Box>
  );
}

function FieldHelp({ path, label, type }: Pick<FormField, 'path' | 'label'> & { type: string }) {
  const t = useText(texts);
  const name = useTranslated()(label);
  const [isOpen, { open, close }] = useDisclosure();
  const [text, setText] = useState<string>();
  const show = async () => {
    open();
    setText(await descriptionOf(type, keysOf(path)));
  };
  return (
    <Popover opened={isOpen} onDismiss={close} width={320} position="bottom-end" withArrow shadow="md">
      <Popover.Target>
        <ActionIcon
          className="help"
          size={22}
          aria-label={t('explanation')}
          title={name}
          // the key closes the explanation, and not the dialog that the field is in
          data-mantine-stop-propagation={isOpen || undefined}
          onKeyDown={(event) => event.key === 'Escape' && close()}
          onBlur={close}
          onClick={isOpen ? close : show}
        >
          <IconInfoCircle size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={name}>
        {/* the API describes itself in English */}
        <Text lang="en" role="status" mb="xs">
          {text?.replaceAll('`', '')}
        </Text>
        <Code>{path}</Code>
      </Popover.Dropdown>
    </Popover>
  );
}
