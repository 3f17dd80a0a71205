import { lockOf } from '../attack-detection/login.js';
import { rememberWith } from '../core/scoped-cache.js';
import { verifyNothing } from '../credentials/hashing.js';
import { hashSettingsOf } from '../credentials/password-policy.js';
import { spendOneTimePassword } from '../credentials/spend-one-time-password.js';
import { type BoundFlow, boundFlow } from '../login/bound-flow.js';
import { certificateDetails, userOfCertificate } from '../login/certificate/user.js';
import { followFlow } from '../login/flow.js';
import { dockerStep } from '../login/flow-steps.js';
import { isPasswordOf } from '../login/password.js';
import { roleNames } from '../login/role-names.js';
import { invalidCredentials, invalidGrant, oauthError } from './oauth-error.js';
import { findUserByLogin, upToDate } from './parties.js';
import { found, type Grant, type Step } from './steps.js';
import { heldRoles } from './store.js';
import type { TokenRealm } from './types.js';

// a realm is read together with its client, and every write in it has both, and so the flow, read anew
const known = rememberWith<TokenRealm, BoundFlow>();

/** The flow for direct grants, or the one for Docker registries. */
const flowOf = ({ context, realm, client }: Grant): Promise<BoundFlow> => {
  const purpose = client.protocol === 'docker-v2' ? 'docker' : 'direct';
  return known(realm, () =>
    boundFlow(context.database.read, realm, client.authenticationFlowBindingOverrides, purpose),
  );
};

const byCertificate = 'direct-grant-auth-x509-username';
/** Steps that prove who the user is. */
const proofs: ReadonlySet<string> = new Set(['direct-grant-validate-password', dockerStep, byCertificate]);

const steps = new Map<string, (grant: Grant, config: Readonly<Record<string, unknown>>) => Promise<void>>([
  ['direct-grant-validate-username', userFound],
  ['direct-grant-validate-password', passwordVerified],
  ['direct-grant-validate-otp', codeVerified],
  [byCertificate, certificateShown],
  [dockerStep, nameAndPasswordVerified],
]);

/** Takes the steps of the flow that the realm, or the client, has for direct grants. */
export const directFlowFollowed: Step = {
  name: 'direct grant flow followed',
  async run(grant) {
    const { context, form } = grant;
    Object.assign(grant.details, {
      auth_method: grant.client.protocol ?? 'openid-connect',
      username: form.get('username') ?? undefined,
    });
    const flow = await flowOf(grant);
    const done = new Set<string>();
    let isProven = false;
    for (;;) {
      const { user } = grant;
      const roles = user && flow.asksRoles ? await heldRoles(context.database.read, user.id) : undefined;
      const outcome = followFlow(flow, {
        done,
        bySession: false,
        hasUser: user !== undefined,
        isProven,
        devices: new Set(user?.credentials.map(({ type }) => type)),
        ...(roles && { roles: roleNames(roles) }),
      });
      switch (outcome.kind) {
        case 'form':
          await found(steps.get(outcome.step))(grant, outcome.config);
          done.add(outcome.execution);
          // a code of six digits is a second factor, and too short for the only one
          isProven ||= proofs.has(outcome.step);
          break;
        case 'unsupported':
          grant.details.reason = outcome.step;
          throw oauthError(
            400,
            'invalid_grant',
            `The flow requires an execution that this server does not have: ${outcome.step}`,
            'invalid_authentication_flow',
          );
        case 'unproven':
          grant.details.reason = 'no password';
          throw invalidGrant('The flow does not require a password', 'invalid_authentication_flow');
        case 'denied':
        case 'inapplicable':
          throw invalidGrant('Access denied', 'access_denied');
        case 'passed':
          if (!user) throw invalidCredentials('user_not_found');
          if (outcome.demands.length > 0) {
            throw invalidGrant('Account is not fully set up', 'resolve_required_actions');
          }
          return;
      }
    }
  },
};

/** The answer is the same for unknown users and wrong passwords, and takes alike. */
async function userFound(grant: Grant): Promise<void> {
  const { context, realm, form } = grant;
  const username = form.get('username');
  if (username === null) throw oauthError(401, 'invalid_request', 'Missing parameter: username');
  const user = await findUserByLogin(context, realm, username);
  // a step before has named somebody else
  const isOther = grant.user !== undefined && grant.user.id !== user?.id;
  if (user && !isOther) grant.user = user;
  const lock = user && (await lockOf(context.database.read, realm, user, context.now()));
  if (!user || lock || isOther) {
    await verifyNothing(form.get('password') ?? '', { ...hashSettingsOf(realm), caller: grant.remoteAddress });
    throw invalidCredentials(lock ?? 'user_not_found');
  }
}

/** Only who knows the password hears of the account that it is disabled, unless nobody can tell: its storage is. */
async function passwordVerified(grant: Grant): Promise<void> {
  const { context, realm, user: known, form } = grant;
  if (known?.isSwitchedOff) throw invalidGrant('Account disabled', 'user_disabled');
  const password = form.get('password') ?? '';
  if (!(await isPasswordOf(context, realm, known, password, grant.remoteAddress))) throw invalidCredentials();
  const user = known && (await upToDate(context, realm, known));
  if (!user) throw invalidCredentials();
  grant.user = user;
  if (!user.enabled) throw invalidGrant('Account disabled', 'user_disabled');
}

async function certificateShown(grant: Grant, config: Readonly<Record<string, unknown>>): Promise<void> {
  const { context, realm, findCertificate } = grant;
  const certificate = findCertificate?.();
  if (!certificate) throw invalidCredentials();
  const shown = await userOfCertificate(context, realm, certificate, config);
  if (!('user' in shown)) {
    Object.assign(grant.details, certificateDetails(certificate), { reason: shown.reason });
    throw invalidCredentials(shown.error);
  }
  const lock = await lockOf(context.database.read, realm, shown.user, context.now());
  if (lock) throw invalidCredentials(lock);
  const user = await upToDate(context, realm, shown.user);
  if (!user?.enabled) throw invalidGrant('Account disabled', 'user_disabled');
  if (grant.user && grant.user.id !== user.id) throw invalidCredentials('different_user_authenticated');
  grant.user = user;
}

async function nameAndPasswordVerified(grant: Grant): Promise<void> {
  await userFound(grant);
  await passwordVerified(grant);
}

async function codeVerified(grant: Grant): Promise<void> {
  const { context, realm, user, form, at } = grant;
  const code = form.get('otp') ?? form.get('totp') ?? '';
  // a flow may ask for the code before the name
  if (!user || !(await spendOneTimePassword(context, realm, user, code, at))) {
    throw invalidCredentials('invalid_user_credentials', 'code');
  }
  grant.shown = ['otp'];
}
