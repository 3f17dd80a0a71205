import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '../parts/save-file.js';
import { read } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { RealmFile } from './documents.js';
import { fileText } from './files.js';
import { texts } from './text.js';

const choices = {
  json: { format: 'json', users: false },
  yaml: { format: 'yaml', users: false },
  jsonUsers: { format: 'json', users: true },
  yamlUsers: { format: 'yaml', users: true },
} as const;

/** Saves the realm as a file. Secrets are masked. */
export function Download({ realm }: { realm: string }) {
  const t = useText(texts);
  const notify = useNotify();
  const save = async ({ format, users }: (typeof choices)[keyof typeof choices]) => {
    const { data, errors } = await read(RealmFile, { realm, users });
    if (errors.length > 0) return notify.failed(errors);
    saveFile(`${realm}.${format}`, await fileText(data?.realm?.export, format));
  };
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {t('download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(choices) as (keyof typeof choices)[]).map((name) => (
          <Menu.Item key={name} onClick={() => save(choices[name])}>
            {t(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
