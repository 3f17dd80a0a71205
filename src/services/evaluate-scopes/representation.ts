import { representation, text } from '../core/shape.js';

/** The input of an evaluation: the `scope` parameter of a login. */
export const ScopeEvaluation = representation('ScopeEvaluation', { scope: text });

/** The input of an evaluation for a user, with example tokens. */
export const TokenEvaluation = representation('TokenEvaluation', { scope: text, userId: text });

/** ClientScopeEvaluateResource-ProtocolMapperEvaluationRepresentation of the contract. */
export const ProtocolMapperEvaluation = representation(
  'ClientScopeEvaluateResource-ProtocolMapperEvaluationRepresentation',
  {
    containerId: text,
    containerName: text,
    containerType: text,
    mapperId: text,
    mapperName: text,
    protocolMapper: text,
  },
);
