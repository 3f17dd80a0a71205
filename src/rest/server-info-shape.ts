import { ConfigPropertyRepresentation } from '../services/authentication/representation.js';
import { ComponentTypeRepresentation } from '../services/client-registration/representation.js';
import { flag, int, json, list, long, map, record, representation, text, texts } from '../services/core/shape.js';

const SystemInfo = representation('SystemInfoRepresentation', {
  serverTime: text,
  uptime: text,
  uptimeMillis: long,
  version: text,
  javaVersion: text,
  javaRuntime: text,
  javaVm: text,
  javaVmVersion: text,
  javaVendor: text,
  osName: text,
  osArchitecture: text,
  osVersion: text,
  fileEncoding: text,
  userLocale: text,
  userTimezone: text,
});

const MemoryInfo = representation('MemoryInfoRepresentation', {
  total: long,
  totalFormated: text,
  used: long,
  usedFormated: text,
  free: long,
  freeFormated: text,
  freePercentage: int,
});

const BuiltinMapper = representation('BuiltinProtocolMapper', {
  name: text,
  protocol: text,
  protocolMapper: text,
  consentRequired: flag,
  config: map,
});

const ClientInstallation = representation('ClientInstallationRepresentation', {
  id: text,
  protocol: text,
  displayType: text,
  helpText: text,
  filename: text,
  mediaType: text,
  downloadOnly: flag,
});

const NamedProvider = representation('NamedProvider', { groupName: text, id: text, name: text });

const PasswordPolicyType = representation('PasswordPolicyTypeRepresentation', {
  id: text,
  displayName: text,
  configType: text,
  defaultValue: text,
  multipleSupported: flag,
});

const ProfileInfo = representation('ProfileInfoRepresentation', {
  name: text,
  disabledFeatures: texts,
  previewFeatures: texts,
  experimentalFeatures: texts,
});

const ProtocolMapperType = representation('ProtocolMapperTypeRepresentation', {
  id: text,
  name: text,
  category: text,
  priority: int,
  helpText: text,
  properties: list(ConfigPropertyRepresentation),
});

const Provider = representation('ProviderRepresentation', { order: int, operationalInfo: record(json) });
const Spi = representation('SpiInfoRepresentation', { internal: flag, providers: record(Provider) });
const Theme = representation('ThemeInfoRepresentation', { name: text, locales: texts });

/** ServerInfoRepresentation of the contract. */
export const ServerInfo = representation('ServerInfoRepresentation', {
  // no client is made of a file of another server here
  clientImporters: list(map),
  systemInfo: SystemInfo,
  memoryInfo: MemoryInfo,
  builtinProtocolMappers: record(list(BuiltinMapper)),
  clientInstallations: record(list(ClientInstallation)),
  componentTypes: record(list(ComponentTypeRepresentation)),
  enums: record(texts),
  identityProviders: list(NamedProvider),
  passwordPolicies: list(PasswordPolicyType),
  profileInfo: ProfileInfo,
  protocolMapperTypes: record(list(ProtocolMapperType)),
  providers: record(Spi),
  socialProviders: list(NamedProvider),
  themes: record(list(Theme)),
});
