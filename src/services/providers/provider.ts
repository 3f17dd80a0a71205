import { ownMember } from '../core/json.js';
import { settingTexts } from './texts.js';

/** A setting of a provider, as forms show it (ConfigPropertyRepresentation of the contract). */
export interface ProviderSetting {
  name: string;
  label: string;
  helpText: string;
  type: string;
  defaultValue?: string | boolean;
  options?: readonly string[];
  secret: boolean;
}

/** A kind of component (ComponentTypeRepresentation of the contract). */
export interface ProviderType {
  id: string;
  helpText: string;
  properties: readonly ProviderSetting[];
  metadata: Readonly<Record<string, unknown>>;
}

/** A type of protocol mappers (ProtocolMapperTypeRepresentation); of several the lowest priority is applied first. */
export interface MapperType extends Omit<ProviderType, 'metadata'> {
  name: string;
  category: string;
  priority: number;
}

/** A setting by its name, with its texts from the table of all. */
export function setting(
  name: string,
  type: string,
  { secret = false, ...more }: Partial<Pick<ProviderSetting, 'defaultValue' | 'options' | 'secret'>> = {},
): ProviderSetting {
  const [label = name, helpText = ''] = ownMember(settingTexts, name) ?? [];
  return { name, label, helpText, type, ...more, secret };
}

/** Declares a provider with its settings. */
export const provider = (
  id: string,
  helpText: string,
  properties: readonly ProviderSetting[],
  metadata: ProviderType['metadata'] = {},
): ProviderType => ({ id, helpText, properties, metadata });

/** Declares a protocol mapper type with its settings. */
export const mapper = (
  id: string,
  name: string,
  category: string,
  priority: number,
  helpText: string,
  properties: readonly ProviderSetting[],
): MapperType => ({ id, name, category, priority, helpText, properties });
