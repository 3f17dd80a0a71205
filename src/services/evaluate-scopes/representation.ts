import { representation, text } from '../core/shape.js';

/** What is asked: the `scope` parameter of a login. */
export const ScopeEvaluation = representation('ScopeEvaluation', { scope: text });

/** The same for a user, who gets the example tokens. */
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
