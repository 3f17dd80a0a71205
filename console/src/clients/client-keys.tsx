import { Group, Stack, Text } from '@mantine/core';
import { FormButton } from '../parts/dialogs.js';
import { CodeBlock } from '../parts/display.js';
import { choiceField, type FieldValues, type FormField, flagField } from '../parts/fields.js';
import { bytesOf, readBase64, saveFile } from '../parts/file-content.js';
import { RowSection } from '../parts/rows.js';
import type { ClientCertificateFileFormat, KeyStoreFormat } from '../session/documents.js';
import { mutate, type Outcome } from '../session/graphql.js';
import { useText, useValueName } from '../text/text.js';
import type { ClientPart } from './client-tabs.js';
import { texts } from './texts.js';

/** The keys of a client by their purpose, with their certificates. */
export function ClientKeys({ node: client, reload }: ClientPart) {
  const purposes = client.protocol === 'SAML' ? ['saml.signing', 'saml.encryption'] : ['jwt.credential'];
  return (
    <Stack maw={760}>
      {purposes.map((purpose) => (
        <ClientKey key={purpose} node={client} reload={reload} purpose={purpose} />
      ))}
    </Stack>
  );
}

const storePassword: FormField = {
  path: 'storePassword',
  label: texts.storePassword,
  kind: 'secret',
  isRequired: true,
};
const keyStoreFields: readonly FormField[] = [choiceField('format', texts.format, ['PKCS12', 'JKS']), storePassword];

/** The fields of a file with a key. Only key stores have passwords. */
const importFields =
  (clientId: string) =>
  ({ format }: FieldValues): FormField[] => [
    choiceField('format', texts.format, ['CERTIFICATE_PEM', 'PUBLIC_KEY_PEM', 'JWKS', 'PKCS12', 'JKS']),
    { path: 'file', label: texts.file, kind: 'file', isRequired: true },
    ...(['PKCS12', 'JKS'].includes(String(format))
      ? [
          storePassword,
          { path: 'keyPassword', label: texts.keyPassword, kind: 'secret' } as const,
          { path: 'alias', label: texts.alias, start: clientId },
          flagField('isPublic', texts.withoutPrivateKey),
        ]
      : []),
  ];

/** The key of a client for one purpose: it is generated, imported, and downloaded. */
function ClientKey({ node: client, reload, purpose }: ClientPart & { purpose: string }) {
  const t = useText(texts);
  const nameOf = useValueName();
  const found = client.certificates.find((certificate) => certificate.purpose === purpose);
  const target = { client: client.id, purpose };
  const storeOf = ({ format, storePassword }: FieldValues) => ({
    ...target,
    format: format as KeyStoreFormat,
    storePassword: String(storePassword),
    keyPassword: String(storePassword),
  });
  const saved = async (input: FieldValues, sent: Promise<Outcome<Record<string, { keyStore: string | null }>>>) => {
    const outcome = await sent;
    const [payload] = Object.values(outcome.data ?? {});
    const ending = input.format === 'JKS' ? 'jks' : 'p12';
    if (payload?.keyStore) saveFile(`${client.clientId}.${ending}`, bytesOf(payload.keyStore));
    return outcome;
  };
  const read = async ({ file, isPublic, format, ...given }: FieldValues): Promise<Outcome<object>> => {
    const base64 = file instanceof File ? await readBase64(file) : '';
    const input = {
      ...target,
      format: format as ClientCertificateFileFormat,
      file: { base64 },
      // mostly both have the same
      ...(typeof given.storePassword === 'string' && { keyPassword: given.storePassword }),
      ...given,
    };
    return isPublic ? mutate('clientCertificateUploadPublic', input) : mutate('clientCertificateUpload', input);
  };
  const reads = ['keyStore'] as const;
  return (
    <RowSection title={nameOf(purpose)}>
      <Text>{t(found?.hasPrivateKey ? 'hasPrivateKey' : found ? 'hasPublicKey' : 'noKey')}</Text>
      <Group gap="xs">
        {client.viewerCan.update.isAllowed && (
          <>
            <FormButton
              title={t('generateKey')}
              hint={t('generateKeyHint')}
              isDangerous={found !== undefined}
              submit={() => mutate('clientCertificateGenerate', target)}
              done={() => t('keySet')}
              onDone={reload}
            />
            <FormButton
              title={t('generateAndDownload')}
              hint={t('generateAndDownloadHint')}
              isDangerous={found !== undefined}
              start={{ format: 'PKCS12' }}
              fields={keyStoreFields}
              submit={(input) =>
                saved(input, mutate('clientCertificateGenerateAndDownload', storeOf(input), { reads }))
              }
              done={() => t('keySet')}
              onDone={reload}
            />
            <FormButton
              title={t('importKey')}
              isDangerous={found !== undefined}
              start={{ format: 'CERTIFICATE_PEM' }}
              fields={importFields(client.clientId)}
              submit={read}
              done={() => t('keySet')}
              onDone={reload}
            />
            {found?.hasPrivateKey && (
              <FormButton
                title={t('downloadKey')}
                hint={t('downloadKeyHint')}
                start={{ format: 'PKCS12' }}
                fields={keyStoreFields}
                submit={(input) => saved(input, mutate('clientCertificateDownload', storeOf(input), { reads }))}
              />
            )}
          </>
        )}
      </Group>
      {found?.certificate && <CodeBlock label={t('certificate')} text={found.certificate} />}
      {found?.publicKey && <CodeBlock label={t('publicKey')} text={found.publicKey} />}
    </RowSection>
  );
}
