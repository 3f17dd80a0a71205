import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { newKey } from './idp.js';

/** Whether xmlsec1 is installed, the library with which Shibboleth, SimpleSAMLphp, and pysaml2 sign and encrypt. */
export const hasXmlsec = existsSync('/usr/bin/xmlsec1');

type Key = Pick<Awaited<ReturnType<typeof newKey>>, 'privateKey'>;

/** How a signature is made. The lists are those of `InclusiveNamespaces`. */
export interface Form {
  canonicalization?: string;
  prefixes?: string;
  signature?: string;
  digest?: string;
}

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** A signature of the element with this ID that xmlsec1 fills in. */
export function unsignedSignature(
  id: string,
  {
    canonicalization = exclusive,
    prefixes,
    signature = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest = 'http://www.w3.org/2001/04/xmlenc#sha256',
  }: Form = {},
): string {
  const list =
    prefixes === undefined
      ? ''
      : `<ec:InclusiveNamespaces xmlns:ec="${exclusive}" PrefixList="${prefixes}"></ec:InclusiveNamespaces>`;
  return `<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${canonicalization}">${list}</ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="${signature}"/><ds:Reference URI="#${id}"><ds:Transforms><ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/><ds:Transform Algorithm="${canonicalization}">${list}</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="${digest}"/><ds:DigestValue/></ds:Reference></ds:SignedInfo><ds:SignatureValue/></ds:Signature>`;
}

/** A key pair of this curve with its certificate, by OpenSSL. */
export function newCurveKey(curve: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: curve });
  const certificate = inFolder((file) => {
    writeFileSync(file('key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const output = ['-days', '9', '-outform', 'DER', '-out', file('certificate')];
    execFileSync('openssl', ['req', '-x509', '-new', '-key', file('key.pem'), '-subj', '/CN=idp', ...output]);
    return readFileSync(file('certificate')).toString('base64');
  });
  return { privateKey, publicKey, certificate };
}

/** Does something with files, which are removed afterwards. */
function inFolder<T>(run: (file: (name: string) => string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'xmlsec-'));
  try {
    return run((name) => join(folder, name));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills in the first signature below the element with this ID, by xmlsec1. */
export function signedByXmlsec(xml: string, id: string, { privateKey }: Key): string {
  return inFolder((file) => {
    writeFileSync(file('key.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }));
    writeFileSync(file('in.xml'), xml);
    const names = ['assertion:Assertion', 'protocol:Response'].flatMap((name) => [
      '--id-attr:ID',
      `urn:oasis:names:tc:SAML:2.0:${name}`,
    ]);
    const place = ['--node-xpath', `//*[@ID='${id}']/*[local-name()='Signature']`];
    const files = ['--output', file('out.xml'), file('in.xml')];
    execFileSync('/usr/bin/xmlsec1', ['--sign', '--privkey-pem', file('key.pem'), ...names, ...place, ...files], {
      stdio: 'pipe',
    });
    return readFileSync(file('out.xml'), 'utf8').trim();
  });
}
