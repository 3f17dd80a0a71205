import { ClientProtocol } from '../clients/filter.js';
import { builder } from '../core/builder.js';

type InputBuilder = PothosSchemaTypes.InputFieldBuilder<(typeof builder)['$inferSchemaTypes'], 'InputObject'>;

export const ProtocolMapperSettingInput = builder.inputType('ProtocolMapperSettingInput', {
  description: 'A setting of a protocol mapper.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Its name, e.g. claim.name.' }),
    value: t.string({ required: true, description: 'Its value; an empty one is as if it was left out.' }),
  }),
});

/** What a new protocol mapper is made of. */
export const newMapperInputs = (t: InputBuilder) => ({
  name: t.string({ required: true, description: 'Unique among the mappers of its protocol.' }),
  protocol: t.field({ type: ClientProtocol, description: 'Of which protocol it is; OpenID Connect unless told.' }),
  type: t.string({ required: true, description: 'Kind of the mapper, e.g. oidc-usermodel-attribute-mapper.' }),
  config: t.field({ type: [ProtocolMapperSettingInput], description: 'Its settings.' }),
});

export const NewProtocolMapper = builder.inputType('NewProtocolMapperInput', {
  description: 'A protocol mapper to be made.',
  fields: newMapperInputs,
});

type Settings = readonly { name: string; value: string }[] | null | undefined;

export interface MapperInputValue {
  name: string;
  protocol?: string | null | undefined;
  type: string;
  config?: Settings;
}

/** Settings as the map of the contract. */
export const configOf = (config: Settings) =>
  Object.fromEntries((config ?? []).map(({ name, value }) => [name, value]));

/** A protocol mapper in the form of the contract. */
export const mapperOf = ({ name, protocol, type, config }: MapperInputValue) => ({
  name,
  protocol: protocol ?? 'openid-connect',
  protocolMapper: type,
  config: configOf(config),
});
