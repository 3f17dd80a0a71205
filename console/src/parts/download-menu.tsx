import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { IconDownload } from './icons.js';

interface DownloadMenuProps {
  label: string;
  /** the files that can be saved: their names, and what saves them */
  files: readonly (readonly [name: string, save: () => Promise<unknown>])[];
}

/** A button with the forms in which something can be saved as a file. */
export function DownloadMenu({ label, files }: DownloadMenuProps) {
  const [isRunning, setRunning] = useState(false);
  const run = (save: () => Promise<unknown>) => () => {
    setRunning(true);
    save().finally(() => setRunning(false));
  };
  return (
    <Menu>
      <Menu.Target>
        <Button loading={isRunning} leftSection={<IconDownload size={16} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.map(([name, save]) => (
          <Menu.Item key={name} onClick={run(save)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
