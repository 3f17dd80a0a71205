import { credentialParameters } from '../tokens/client-authentication.js';
import { authorizationByPolicies } from '../tokens/client-policies.js';
import { keyOfRequest } from '../tokens/dpop.js';
import { ofClients } from '../tokens/endpoints.js';
import { oauthError } from '../tokens/oauth-error.js';
import { keepPushed } from '../tokens/pushed-request.js';
import { ClientRefusal, PageRefusal } from './refusals.js';
import { answerAddress, authorizationRequest, withLoginFields } from './request.js';
import { demandsRequest, openedObject } from './request-object.js';

/**
 * Keeps an authorization request that a client sends behind the browser's back, after it was found good (RFC 9126 section
 * 2). It is looked at again when the browser comes with it: the client may have changed.
 */
export const pushRequest = ofClients(async ({ context, realm, client, form, baseUrl, proof }) => {
  if (form.has('request_uri')) throw oauthError(400, 'invalid_request', 'Request contains request_uri parameter');
  const pushed = [...form].filter(([name]) => !credentialParameters.includes(name));
  const known = await withLoginFields(context, client);
  if (!known) throw oauthError(400, 'invalid_client', 'Client not found');
  // RFC 9449 section 10.1
  if (proof !== undefined) {
    const sent = { baseUrl, proof };
    const key = (await keyOfRequest(context, realm, client, sent, 'ext/par/request')) ?? '';
    const named = form.get('dpop_jkt') ?? key;
    if (named !== key) throw oauthError(400, 'invalid_dpop_proof', 'DPoP proof is made with another key than dpop_jkt');
    if (!form.has('dpop_jkt')) pushed.push(['dpop_jkt', key]);
  }
  const parameters = new URLSearchParams(pushed);
  parameters.set('client_id', client.clientId);
  // anybody can push in the name of a public client
  if (demandsRequest(known) && !parameters.has('request')) {
    throw oauthError(400, 'invalid_request', 'Missing parameter: request');
  }
  try {
    const { parameters: asked, object } = await openedObject(context, { realm, baseUrl }, known, parameters);
    const request = { sent: parameters, asked, object, isPushed: true };
    const { objection } = await authorizationByPolicies(context, realm, known, request);
    if (objection) throw oauthError(400, objection.error, objection.text);
    authorizationRequest(realm, known, asked, answerAddress(realm, known, asked, baseUrl));
  } catch (error) {
    if (error instanceof ClientRefusal) throw oauthError(400, error.error, error.message);
    if (error instanceof PageRefusal) throw oauthError(400, 'invalid_request', refusalText(error));
    throw error;
  }
  const { uri, lifespan } = await keepPushed(context, realm, client, pushed);
  return { status: 201, body: { request_uri: uri, expires_in: lifespan } };
});

const refusalText = ({ key, parameters: [name] }: PageRefusal): string =>
  name === undefined ? key : `Invalid parameter: ${name}`;
