import assert from 'node:assert/strict';
import { check, has, refused } from './checks.mjs';

/** Authentication flows, executions with their configuration, and required actions. */
export async function flows(client) {
  const at = client.authenticationManagement;
  await check('required actions', async () => {
    const alias = 'terms_and_conditions';
    const found = await at.getRequiredActionForAlias({ alias });
    await at.updateRequiredAction({ alias }, { ...found, enabled: true });
    has(await at.getRequiredActions(), { alias, enabled: true });
    await at.raiseRequiredActionPriority({ alias });
    await at.lowerRequiredActionPriority({ alias });
    await at.deleteRequiredAction({ alias });
    const [unregistered] = await at.getUnregisteredRequiredActions();
    await at.registerRequiredAction(unregistered);
  });
  await check('providers of authentication', async () => {
    for (const list of [
      'getClientAuthenticatorProviders',
      'getAuthenticatorProviders',
      'getFormActionProviders',
      'getFormProviders',
    ]) {
      assert.ok((await at[list]()).length > 0, list);
    }
    assert.ok(await at.getConfigDescription({ providerId: 'identity-provider-redirector' }));
  });
  await check('flows and executions', async () => {
    const { id: flowId } = await at.createFlow({
      alias: 'steps',
      providerId: 'basic-flow',
      topLevel: true,
      builtIn: false,
    });
    await at.updateFlow(
      { flowId },
      { id: flowId, alias: 'steps', providerId: 'basic-flow', topLevel: true, description: 'changed' },
    );
    assert.equal((await at.getFlow({ flowId })).description, 'changed');
    await at.copyFlow({ flow: 'browser', newName: 'browser copy' });
    await at.deleteFlow({ flowId: has(await at.getFlows(), { alias: 'browser copy' }).id });
    const { id } = await at.addExecutionToFlow({ flow: 'steps', provider: 'identity-provider-redirector' });
    await at.addExecutionToFlow({ flow: 'steps', provider: 'auth-cookie' });
    await at.addFlowToFlow({
      flow: 'steps',
      alias: 'steps forms',
      type: 'basic-flow',
      provider: 'registration-page-form',
    });
    const [first] = await at.getExecutions({ flow: 'steps' });
    await at.updateExecution({ flow: 'steps' }, { ...first, requirement: 'ALTERNATIVE' });
    await at.lowerPriorityExecution({ id });
    await at.raisePriorityExecution({ id });
    const config = { alias: 'to the company', config: { defaultProvider: 'company' } };
    const { id: configId } = await at.createConfig({ id, ...config });
    await at.updateConfig({ id: configId, ...config, config: { defaultProvider: 'partner' } });
    assert.deepEqual((await at.getConfig({ id: configId })).config, { defaultProvider: 'partner' });
    await at.delConfig({ id: configId });
    await at.delExecution({ id });
    await at.deleteFlow({ flowId });
    await refused(404, () => at.getFlow({ flowId }));
  });
}
