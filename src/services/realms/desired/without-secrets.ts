import { isSecretSetting } from '../../authentication/provider-settings.js';
import { splitComponentConfig } from '../../components/secrets.js';
import { isMaskedSetting } from '../../core/mask.js';
import { type Json, listOf, mapOf } from './kinds.js';

type Config = Record<string, string[]>;

/** Components by the types of their providers, without their secrets. */
const componentsWithoutSecrets = (byType: Json): Json =>
  Object.fromEntries(
    Object.keys(byType).map((type) => [type, listOf(byType, type).map((one) => componentWithoutSecrets(type, one))]),
  );

/** A component of this type, and its children, without secrets. */
export function componentWithoutSecrets(type: string, component: Json): Json {
  const { config } = splitComponentConfig(type, String(component.providerId), mapOf(component, 'config') as Config);
  return {
    ...component,
    config: Object.fromEntries(Object.entries(config).filter(([, value]) => !isMaskedSetting(value))),
    subComponents: componentsWithoutSecrets(mapOf(component, 'subComponents')),
  };
}

/** The configuration of an authenticator without secrets. */
export const authenticatorConfigWithoutSecrets = (given: Json): Json => ({
  ...given,
  config: Object.fromEntries(Object.entries(mapOf(given, 'config')).filter(([name]) => !isSecretSetting(name))),
});
