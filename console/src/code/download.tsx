import { DownloadMenu, saveFile } from '../parts/download-menu.js';
import { read } from '../session/graphql.js';
import { useNotify } from '../shell/notify.js';
import { useText } from '../text/text.js';
import { RealmFile } from './documents.js';
import { fileText } from './files.js';
import { texts } from './text.js';

const files = [
  { name: 'json', format: 'json', users: false },
  { name: 'yaml', format: 'yaml', users: false },
  { name: 'jsonUsers', format: 'json', users: true },
  { name: 'yamlUsers', format: 'yaml', users: true },
] as const;

/** Saves the realm as a file. Secrets are masked. */
export function Download({ realm }: { realm: string }) {
  const t = useText(texts);
  const notify = useNotify();
  const save = async ({ format, users }: (typeof files)[number]) => {
    const { data, errors } = await read(RealmFile, { realm, users });
    if (errors.length > 0) return notify.failed(errors);
    saveFile(`${realm}.${format}`, await fileText(data?.realm?.export, format));
  };
  return <DownloadMenu label={t('download')} files={files.map((file) => [t(file.name), () => save(file)] as const)} />;
}
