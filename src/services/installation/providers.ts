import { dockerComposeZip, registryConfig, variableOverride } from './docker.js';
import { keycloakJson, oidcSubsystem, oidcSubsystemCli } from './oidc.js';
import { adapterXml, samlSubsystem, samlSubsystemCli } from './saml-adapter.js';
import { mellonZip, spDescriptor } from './saml-metadata.js';
import type { InstalledClient } from './source.js';

/** A form in which the settings of a client are handed to an adapter. */
export interface InstallationProvider {
  id: string;
  protocol: 'openid-connect' | 'saml' | 'docker-v2';
  /** shown to users */
  displayType: string;
  helpText: string;
  filename: string;
  /** media type of the file; the contract answers all texts as text/plain */
  mediaType: 'application/json' | 'application/xml' | 'text/plain' | 'application/zip';
  downloadOnly: boolean;
  make(client: InstalledClient): Promise<string | Uint8Array> | string | Uint8Array;
}

/** All of them, in the order of their IDs. */
export const installationProviders: readonly InstallationProvider[] = [
  {
    id: 'docker-v2-compose-yaml',
    protocol: 'docker-v2',
    displayType: 'Docker Compose YAML',
    helpText: 'A ZIP file with everything a registry needs for a trial. Not for production.',
    filename: 'keycloak-docker-compose-yaml.zip',
    mediaType: 'application/zip',
    downloadOnly: true,
    make: dockerComposeZip,
  },
  {
    id: 'docker-v2-registry-config-file',
    protocol: 'docker-v2',
    displayType: 'Registry Config File',
    helpText: 'Section of the registry configuration file that makes a registry accept tokens of the realm.',
    filename: 'config.yml',
    mediaType: 'text/plain',
    downloadOnly: false,
    make: registryConfig,
  },
  {
    id: 'docker-v2-variable-override',
    protocol: 'docker-v2',
    displayType: 'Variable Override',
    helpText: 'Environment variables that make a registry accept tokens of the realm.',
    filename: 'docker-env.txt',
    mediaType: 'text/plain',
    downloadOnly: false,
    make: variableOverride,
  },
  {
    id: 'keycloak-oidc-jboss-subsystem',
    protocol: 'openid-connect',
    displayType: 'Keycloak OIDC JBoss Subsystem XML',
    helpText: 'Configuration of a JBoss or WildFly server with the OpenID Connect adapter.',
    filename: 'keycloak-oidc-subsystem.xml',
    mediaType: 'application/xml',
    downloadOnly: false,
    make: oidcSubsystem,
  },
  {
    id: 'keycloak-oidc-jboss-subsystem-cli',
    protocol: 'openid-connect',
    displayType: 'Keycloak OIDC JBoss Subsystem CLI',
    helpText: 'Commands for the JBoss or WildFly console that configure the adapter.',
    filename: 'keycloak-oidc-subsystem.cli',
    mediaType: 'text/plain',
    downloadOnly: false,
    make: oidcSubsystemCli,
  },
  {
    id: 'keycloak-oidc-keycloak-json',
    protocol: 'openid-connect',
    displayType: 'Keycloak OIDC JSON',
    helpText: 'The file keycloak.json for OpenID Connect adapters.',
    filename: 'keycloak.json',
    mediaType: 'application/json',
    downloadOnly: false,
    make: keycloakJson,
  },
  {
    id: 'keycloak-saml',
    protocol: 'saml',
    displayType: 'Keycloak SAML Adapter keycloak-saml.xml',
    helpText: 'The file keycloak-saml.xml for SAML adapters.',
    filename: 'keycloak-saml.xml',
    mediaType: 'application/xml',
    downloadOnly: false,
    make: adapterXml,
  },
  {
    id: 'keycloak-saml-subsystem',
    protocol: 'saml',
    displayType: 'Keycloak SAML JBoss Subsystem XML',
    helpText: 'Configuration of a JBoss or WildFly server with the SAML adapter.',
    filename: 'keycloak-saml-subsystem.xml',
    mediaType: 'application/xml',
    downloadOnly: false,
    make: samlSubsystem,
  },
  {
    id: 'keycloak-saml-subsystem-cli',
    protocol: 'saml',
    displayType: 'Keycloak SAML JBoss Subsystem CLI',
    helpText: 'Commands for the JBoss or WildFly console that configure the adapter.',
    filename: 'keycloak-saml-subsystem.cli',
    mediaType: 'text/plain',
    downloadOnly: false,
    make: samlSubsystemCli,
  },
  {
    id: 'mod-auth-mellon',
    protocol: 'saml',
    displayType: 'Mod Auth Mellon files',
    helpText: 'A ZIP file for the Apache module mod_auth_mellon: metadata of both sides, and keys.',
    filename: 'keycloak-mod-auth-mellon-sp-config.zip',
    mediaType: 'application/zip',
    downloadOnly: true,
    make: mellonZip,
  },
  {
    id: 'saml-sp-descriptor',
    protocol: 'saml',
    displayType: 'SAML Metadata SPSSODescriptor',
    helpText: 'SAML metadata of the client as a service provider.',
    filename: 'saml-sp-metadata.xml',
    mediaType: 'application/xml',
    downloadOnly: false,
    make: spDescriptor,
  },
];
