import { Button, Menu } from '@mantine/core';
import { useRunning } from '../session/running.js';
import { IconDownload } from './icons.js';

interface DownloadMenuProps {
  label: string;
  /** the files that can be saved: their names, and what saves them */
  files: readonly (readonly [name: string, save: () => Promise<unknown>])[];
}

/** A button with the forms in which something can be saved as a file. */
export function DownloadMenu({ label, files }: DownloadMenuProps) {
  const [isRunning, whileRunning] = useRunning();
  return (
    <Menu>
      <Menu.Target>
        <Button loading={isRunning} leftSection={<IconDownload size={16} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.map(([name, save]) => (
          <Menu.Item key={name} onClick={() => whileRunning(save)}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
