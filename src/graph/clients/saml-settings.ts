import { attribute, type ClientSetting } from './setting-rows.js';

export const saml: readonly ClientSetting[] = [
  attribute(
    'nameIdFormat',
    'saml_name_id_format',
    { choice: 'SamlNameIdFormat' },
    'Format of the NameID if the request names none. Null: not set.',
  ),
  attribute(
    'forcesNameIdFormat',
    'saml_force_name_id_format',
    'flag',
    'Whether `nameIdFormat` is used even if the request names another format.',
  ),
  attribute('forcesPostBinding', 'saml.force.post.binding', 'flag', 'Whether responses always use the POST binding.'),
  attribute(
    'usesArtifactBinding',
    'saml.artifact.binding',
    'flag',
    'Whether responses use the artifact binding. The server has no artifacts: logins at such a client are refused.',
  ),
  attribute(
    'artifactBindingIdentifier',
    'saml.artifact.binding.identifier',
    'text',
    'Base64-encoded SHA-1 digest of the entity ID, which artifacts contain. Null: not set.',
  ),
  attribute('includesAuthnStatement', 'saml.authnstatement', 'flag', 'Whether assertions contain an AuthnStatement.'),
  attribute(
    'includesOneTimeUse',
    'saml.onetimeuse.condition',
    'flag',
    'Whether assertions contain a OneTimeUse condition.',
  ),
  attribute('signsDocuments', 'saml.server.signature', 'flag', 'Whether the realm signs documents.'),
  attribute(
    'includesKeyInfo',
    'saml.server.signature.keyinfo.ext',
    'flag',
    'Whether redirect requests name the signing key in an extension.',
  ),
  attribute('signsAssertions', 'saml.assertion.signature', 'flag', 'Whether the realm signs assertions.'),
  attribute('encryptsAssertions', 'saml.encrypt', 'flag', 'Whether assertions are encrypted for the client.'),
  ...[
    ['encryptionAlgorithm', 'algorithm', 'Algorithm that encrypts assertions. Null: AES-256 in GCM.'],
    [
      'keyEncryptionAlgorithm',
      'keyAlgorithm',
      'Algorithm that encrypts the key of an assertion. Null: RSA-OAEP with MGF1 and SHA-1.',
    ],
    ['keyEncryptionDigest', 'digestMethod', 'Digest of RSA-OAEP. Null: the standard one of the algorithm.'],
    [
      'keyEncryptionMask',
      'maskGenerationFunction',
      'Mask generation function of the newer RSA-OAEP. Null: MGF1 with SHA-256.',
    ],
  ].map(([name = '', stored = '', description = '']) =>
    attribute(name, `saml.encryption.${stored}`, 'text', `URI of XML Encryption. ${description}`),
  ),
  attribute(
    'requiresClientSignature',
    'saml.client.signature',
    'flag',
    'Whether the client must sign its requests. Default for a new client: true.',
  ),
  attribute(
    'signatureAlgorithm',
    'saml.signature.algorithm',
    { choice: 'SamlSignatureAlgorithm' },
    'Signature algorithm of documents. Null: not set.',
  ),
  attribute(
    'signatureKeyName',
    'saml.server.signature.keyinfo.xmlSigKeyInfoKeyNameTransformer',
    { choice: 'SamlSignatureKeyName' },
    'Content of the element `KeyName` in signed documents. Null: not set.',
  ),
  attribute(
    'canonicalization',
    'saml_signature_canonicalization_method',
    { choice: 'SamlCanonicalization' },
    'Canonicalization method of signed documents. Null: not set.',
  ),
  attribute('allowsEcp', 'saml.allow.ecp.flow', 'flag', 'Whether the client may use the ECP profile.'),
  attribute(
    'assertionLifespan',
    'saml.assertion.lifespan',
    'seconds',
    'Seconds for which assertions are valid. Null: as set for the realm.',
  ),
  attribute(
    'idpInitiatedUrlName',
    'saml_idp_initiated_sso_url_name',
    'text',
    'Name of the client in the URL of logins that the server initiates. Null: such logins are not possible.',
  ),
  attribute(
    'idpInitiatedRelayState',
    'saml_idp_initiated_sso_relay_state',
    'text',
    'RelayState of logins that the server initiates. Null: none.',
  ),
  ...[
    ['assertionConsumerPostUrl', 'saml_assertion_consumer_url_post', 'URL of the assertion consumer, POST binding.'],
    [
      'assertionConsumerRedirectUrl',
      'saml_assertion_consumer_url_redirect',
      'URL of the assertion consumer, redirect binding.',
    ],
    ['logoutPostUrl', 'saml_single_logout_service_url_post', 'URL of the single logout service, POST binding.'],
    [
      'logoutRedirectUrl',
      'saml_single_logout_service_url_redirect',
      'URL of the single logout service, redirect binding.',
    ],
    [
      'logoutSoapUrl',
      'saml_single_logout_service_url_soap',
      'URL at which the server itself sends logout requests by SOAP.',
    ],
    [
      'logoutArtifactUrl',
      'saml_single_logout_service_url_artifact',
      'URL of the single logout service, artifact binding.',
    ],
    ['artifactBindingUrl', 'saml_artifact_binding_url', 'URL to which artifacts are sent.'],
    ['artifactResolutionUrl', 'saml_artifact_resolution_service_url', 'URL of the artifact resolution service.'],
  ].map(([name = '', stored = '', description]) => attribute(name, stored, 'text', `${description} Null: none.`)),
];
