import { type SettingWithoutEffect, settingsWithoutEffect } from '../services/core/settings-without-effect.js';

const head = `# Which settings have no effect?

The service stores these settings and returns them, because clients of the contract send them and read them back. They change nothing. If a request sets one of
them to a value that is not idle, the answer names it in the header \`X-Ignored-Fields\`, and that of a GraphQL mutation in \`warnings\`. Names of attributes that
neither this service nor Keycloak knows are not listed: they are data of your own. This file is generated: \`npm run print-schema\`.
`;

const kinds: readonly [of: SettingWithoutEffect['of'], title: string][] = [
  ['RealmRepresentation', 'Realms'],
  ['ClientRepresentation', 'Clients'],
  ['ClientScopeRepresentation', 'Client scopes'],
  ['IdentityProviderRepresentation', 'Identity providers'],
  ['ComponentRepresentation', 'Components: user storages and their mappers'],
];

function row({ map, name, providerId, idle, reason }: SettingWithoutEffect): string {
  const setting = name === 'providerId' ? `every setting of \`${providerId}\`` : `\`${map ? `${map}.` : ''}${name}\``;
  const ofProvider = providerId !== undefined && name !== 'providerId' ? ` of \`${providerId}\`` : '';
  const values = idle.map((value) => `\`${value}\``).join(', ');
  return `| ${setting}${ofProvider} | ${values} | ${reason} |\n`;
}

/** docs/settings-without-effect.md: a row for each of the settings. */
export function settingsWithoutEffectText(): string {
  const sections = kinds.flatMap(([of, title]) => {
    const own = settingsWithoutEffect.filter((setting) => setting.of === of).map(row);
    return own.length === 0 ? [] : [`\n## ${title}\n| setting | idle | reason |\n| --- | --- | --- |\n${own.join('')}`];
  });
  return head + sections.join('');
}
