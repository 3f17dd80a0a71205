import { dockerComposeZip, registryConfig, variableOverride } from './docker.js';
import { keycloakJson, oidcSubsystem, oidcSubsystemCli } from './oidc.js';
import { adapterXml, samlSubsystem, samlSubsystemCli } from './saml-adapter.js';
import { mellonZip, spDescriptor } from './saml-metadata.js';
import type { InstalledClient } from './source.js';

/** A form in which the settings of a client are handed to an adapter. */
export interface InstallationProvider {
  id: string;
  protocol: 'openid-connect' | 'saml' | 'docker-v2';
  /** for people */
  displayType: string;
  helpText: string;
  filename: string;
  /** media type of the file; the contract answers texts as text/plain whatever they are */
  mediaType: 'application/json' | 'application/xml' | 'text/plain' | 'application/zip';
  downloadOnly: boolean;
  make(client: InstalledClient): Promise<string | Uint8Array> | string | Uint8Array;
}

/** All of them, in the order of their ids. */
export const installationProviders: readonly InstallationProvider[] = [
  {
    id: 'docker-v2-compose-yaml',
    protocol: 'docker-v2',
    displayType: 'Docker Compose YAML',
    helpText: 'A zip file with all that a registry for trying things out takes. Not for production.',
    filename: 'keycloak-docker-compose-yaml.zip',
    mediaType: 'application/zip',
    downloadOnly: true,
    make: dockerComposeZip,
  },
  {
    id: 'docker-v2-registry-config-file',
    protocol: 'docker-v2',
    displayType: 'Registry Config File',
    helpText: 'The part of the configuration file of a registry that has it accept tokens of the realm.',
    filename: 'config.yml',
    mediaType: 'text/plain',
    downloadOnly: false,
    make: registryConfig,
  },
  {
    id: 'docker-v2-variable-override',
    protocol: 'docker-v2',
    displayType: 'Variable Override',
    helpText: 'The variables of the environment that have a registry accept tokens of the realm.',
    filename: 'docker-env.txt',
    mediaType: 'text/plain',
    downloadOnly: false,
    make: variableOverride,
  },
  {
    id: 'keycloak-oidc-jboss-subsystem',
    protocol: 'openid-connect',
    displayType: 'Keycloak OIDC JBoss Subsystem XML',
    helpText: 'What stands in the configuration of a JBoss or WildFly server with the OpenID Connect adapter.',
    filename: 'keycloak-oidc-subsystem.xml',
    mediaType: 'application/xml',
    downloadOnly: false,
    make: oidcSubsystem,
  },
  {
    id: 'keycloak-oidc-jboss-subsystem-cli',
    protocol: 'openid-connect',
    displayType: 'Keycloak OIDC JBoss Subsystem CLI',
    helpText: 'The same as commands for the console of such a server.',
    filename: 'keycloak-oidc-subsystem.cli',
    mediaType: 'text/plain',
    downloadOnly: false,
    make: oidcSubsystemCli,
  },
  {
    id: 'keycloak-oidc-keycloak-json',
    protocol: 'openid-connect',
    displayType: 'Keycloak OIDC JSON',
    helpText: 'The file keycloak.json that OpenID Connect adapters read.',
    filename: 'keycloak.json',
    mediaType: 'application/json',
    downloadOnly: false,
    make: keycloakJson,
  },
  {
    id: 'keycloak-saml',
    protocol: 'saml',
    displayType: 'Keycloak SAML Adapter keycloak-saml.xml',
    helpText: 'The file keycloak-saml.xml that SAML adapters read.',
    filename: 'keycloak-saml.xml',
    mediaType: 'application/xml',
    downloadOnly: false,
    make: adapterXml,
  },
  {
    id: 'keycloak-saml-subsystem',
    protocol: 'saml',
    displayType: 'Keycloak SAML JBoss Subsystem XML',
    helpText: 'What stands in the configuration of a JBoss or WildFly server with the SAML adapter.',
    filename: 'keycloak-saml-subsystem.xml',
    mediaType: 'application/xml',
    downloadOnly: false,
    make: samlSubsystem,
  },
  {
    id: 'keycloak-saml-subsystem-cli',
    protocol: 'saml',
    displayType: 'Keycloak SAML JBoss Subsystem CLI',
    helpText: 'The same as commands for the console of such a server.',
    filename: 'keycloak-saml-subsystem.cli',
    mediaType: 'text/plain',
    downloadOnly: false,
    make: samlSubsystemCli,
  },
  {
    id: 'mod-auth-mellon',
    protocol: 'saml',
    displayType: 'Mod Auth Mellon files',
    helpText: 'A zip file with what the Apache module mod_auth_mellon takes: metadata of both sides, and keys.',
    filename: 'keycloak-mod-auth-mellon-sp-config.zip',
    mediaType: 'application/zip',
    downloadOnly: true,
    make: mellonZip,
  },
  {
    id: 'saml-sp-descriptor',
    protocol: 'saml',
    displayType: 'SAML Metadata SPSSODescriptor',
    helpText: 'The metadata of the client as a service provider.',
    filename: 'saml-sp-metadata.xml',
    mediaType: 'application/xml',
    downloadOnly: false,
    make: spDescriptor,
  },
];
