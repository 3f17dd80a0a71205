import { signsSaml } from '../keys/metadata.js';
import { issuerOf, type TokenContext } from '../tokens/context.js';
import { realmDoesNotExist } from '../tokens/parties.js';
import { idpDescriptor } from './saml-metadata.js';

/** The SAML metadata of a realm as an identity provider, for anybody. 404 for an unknown realm. */
export async function realmMetadata(
  { database, keyring }: TokenContext,
  realmName: string,
  baseUrl: string,
): Promise<string> {
  const realm = await database.read.realm.findFirst({ where: { name: realmName }, select: { id: true, name: true } });
  if (!realm) throw realmDoesNotExist();
  const keys = (await keyring.realmKeys(realm)).filter(signsSaml);
  return idpDescriptor({
    issuer: issuerOf(baseUrl, realm.name),
    signingKeys: keys.flatMap(({ kid, certificate }) => (certificate ? [{ kid, certificate }] : [])),
  });
}
