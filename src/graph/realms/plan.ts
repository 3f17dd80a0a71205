import { perform } from '../../services/core/perform.js';
import type { Applied } from '../../services/realms/applied/carry-out.js';
import { apply, plan } from '../../services/realms/desired/operations.js';
import { encodeApplied, encodePlan } from '../../services/realms/desired/representation.js';
import { realmById } from '../../services/realms/locate.js';
import { builder } from '../core/builder.js';
import { apart } from '../core/limits.js';
import { mutation } from '../core/mutation.js';
import { JsonFileInput, jsonOf, pathInFile } from '../core/upload.js';
import { realmOfResult, realmTarget } from './mutations.js';
import {
  DesiredModesInput,
  LifecycleInput,
  lifecycleOf,
  ObjectNameInput,
  RealmPlanRef,
  UnknownValueInput,
} from './plan-types.js';
import { Realm } from './realms.js';

const desiredText = 'The realm, or a part of it, as RealmRepresentation of the REST API.';
const modesText = 'Modes of the kinds of objects in the file.';
const unknownText = 'Values that the plan does not compare, because they are not known before the apply.';
const targetsText =
  'Objects that may change. Objects that these need change, too: new ones that they refer to, and those that refer to a deleted one. Omit for the whole realm.';
const lifecycleText = 'Objects that are not deleted, and fields of objects that are not changed.';

builder.prismaObjectField(Realm, 'plan', (t) =>
  t.field({
    type: RealmPlanRef,
    nullable: true,
    description:
      'What a file would change in the realm. Changes nothing. Requires permissions to view all of the realm. Secrets of the file are compared only for administrators with all permissions of the realm.',
    requires: { operation: plan, isChecked: true },
    args: {
      desired: t.arg({ type: JsonFileInput, required: true, description: desiredText }),
      modes: t.arg({ type: DesiredModesInput, description: modesText }),
      unknownValues: t.arg({ type: [UnknownValueInput], description: unknownText }),
      targets: t.arg({ type: [ObjectNameInput], description: targetsText }),
      lifecycle: t.arg({ type: [LifecycleInput], description: lifecycleText }),
    },
    complexity: apart,
    resolve: async ({ id }, { desired, lifecycle, ...input }, ctx) => {
      const realm = await realmById(ctx, id);
      const send = async () => ({
        ...input,
        lifecycle: lifecycleOf(lifecycle),
        desired: await jsonOf(desired, ctx.services.config.importBodyLimit),
      });
      return encodePlan(await perform(ctx, plan, async () => ({ realm }), send));
    },
  }),
);

/** Fields of the operation's input besides the file: all other paths are within the file. */
const ofInput = new Set([
  'modes',
  'unknownValues',
  'targets',
  'lifecycle',
  'expectedDigest',
  'allowDeletes',
  'source',
  'revision',
  'progressId',
]);

mutation('realmApply', {
  description:
    'Changes a realm so that it is as a file describes it: all of it or nothing. Requires all permissions of the realm.',
  operation: apply,
  input: (t) => ({
    id: t.id({ required: true, description: 'ID of the realm.' }),
    desired: t.field({ type: JsonFileInput, required: true, description: desiredText }),
    modes: t.field({ type: DesiredModesInput, description: modesText }),
    unknownValues: t.field({
      type: [UnknownValueInput],
      description: `${unknownText} Pass those of the plan whose digest is \`expectedDigest\`.`,
    }),
    targets: t.field({ type: [ObjectNameInput], description: targetsText }),
    lifecycle: t.field({ type: [LifecycleInput], description: lifecycleText }),
    expectedDigest: t.string({
      description:
        'Digest of the plan to carry out. If anything else would change, the mutation is refused with the code `STALE`. Omit to skip the check.',
    }),
    allowDeletes: t.int({ description: 'Number of objects that may be deleted. Default 0.' }),
    source: t.string({ description: 'Origin of the file, such as the address of a repository, for the audit record.' }),
    revision: t.string({ description: 'Version of the file, such as a commit, for the audit record.' }),
    progressId: t.string({
      description:
        'ID of your choice for the subscription `realmApplyProgress`, at most 255 characters. Use a new one for each apply.',
    }),
  }),
  locate: ({ id }, ctx) => realmTarget(ctx, id),
  send: async (
    { desired, modes, unknownValues, targets, lifecycle, expectedDigest, allowDeletes, source, revision, progressId },
    ctx,
  ) => ({
    desired: await jsonOf(desired, ctx.services.config.importBodyLimit),
    modes,
    unknownValues,
    targets,
    lifecycle: lifecycleOf(lifecycle),
    expectedDigest,
    allowDeletes,
    source,
    revision,
    progressId,
  }),
  fieldsOf: ({ desired }) => {
    const inFile = pathInFile('desired', desired);
    return (path) =>
      ofInput.has(path.split('.')[0] ?? '') ? path.replace(/\.preventDestroy$/, '.preventsDestroy') : inFile(path);
  },
  returns: realmOfResult,
  values: {
    plan: {
      type: RealmPlanRef,
      description: 'The changes that were made.',
      of: (applied: Applied) => encodeApplied(applied),
    },
  },
});
