import { Button, FileButton, Group, Image, Input } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useText } from '../text/text.js';
import { readDataUrl } from './file-content.js';
import { texts } from './texts.js';

/** What the API takes as a logo. */
const types = ['image/png', 'image/jpeg', 'image/svg+xml', 'image/webp'];
const mostBytes = 65_536;

interface LogoInputProps {
  label: string;
  description: ReactNode;
  error: ReactNode;
  readOnly: boolean;
  /** a data URL, or empty */
  value: string;
  onChange(value: string | null): void;
}

/** The input of a small image, which is read from a file as a data URL. */
export function LogoInput({ label, description, error, readOnly, value, onChange }: LogoInputProps) {
  const t = useText(texts);
  const [fault, setFault] = useState<string>();
  const read = async (file: File | null) => {
    if (!file) return;
    const refused = !types.includes(file.type) ? t('logoType') : file.size > mostBytes ? t('logoSize') : undefined;
    setFault(refused);
    if (!refused) onChange(await readDataUrl(file));
  };
  return (
    <Input.Wrapper label={label} labelElement="div" description={description} error={fault ?? error}>
      <Group gap="xs">
        {value && <Image src={value} alt={label} h={36} w="auto" maw={120} fit="contain" />}
        {!readOnly && (
          <FileButton accept={types.join(',')} onChange={read}>
            {(props) => (
              <Button {...props} aria-label={`${t('chooseFile')}: ${label}`}>
                {t('chooseFile')}
              </Button>
            )}
          </FileButton>
        )}
        {!readOnly && value && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              setFault(undefined);
              onChange(null);
            }}
          >
            {t('removeNamed', { name: label })}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  );
}
