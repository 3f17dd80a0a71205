import { settings, settingsInFiles } from '../config/config.js';

const head = `# How do I configure the service?

Settings come from environment variables, or from the file that \`REALMGATE_CONFIG\` names. An environment variable overrides the file. If a value is
invalid, the service does not start and prints the name of the setting and the expected value.

A secret can also be in a file of its own, as containers mount them: \`SECRETS_KEY_FILE=/run/secrets/key\`. This is possible for ${settingsInFiles.map((name) => `\`${name}\``).join(', ')}.

This file is generated: \`npm run print-schema\`.

<!-- run: on postgresql, starts the service -->
\`\`\`sh
PORT=9090 DATABASE_URL=postgresql://realmgate@localhost/realmgate npm start
\`\`\`

[production.md](production.md) explains the settings for proxies, secrets, metrics, and several processes.

| name | default | meaning |
| --- | --- | --- |
`;

/** docs/settings.md: a row for each setting, in the order in which they are declared. */
export function settingsTableText(): string {
  const rows = settings.map(({ name, default: initial, meaning }) => {
    const shown = initial === undefined ? '' : `\`${initial}\``;
    return `| \`${name}\` | ${shown} | ${meaning} |\n`;
  });
  return head + rows.join('');
}
