import { bool, int64, list, oneOf, openEnumeration, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'

export const DeletionPropagation = openEnumeration('meta/v1.DeletionPropagation', [
  'Orphan',
  'Background',
  'Foreground',
])
export type DeletionPropagation = Values<typeof DeletionPropagation>

export const DeleteOptions = kind('meta/v1.DeleteOptions', {
  optional: {
    gracePeriodSeconds: int64(1, { keepZero: true }),
    preconditions: ref<Preconditions>(2, 'meta/v1.Preconditions'),
    orphanDependents: bool(3, { keepZero: true }),
    propagationPolicy: oneOf(4, DeletionPropagation, { keepZero: true }),
    dryRun: list(5, string),
    ignoreStoreReadErrorWithClusterBreakingPotential: bool(6, { keepZero: true }),
  },
  everywhere: true,
})
export interface DeleteOptions extends Instance<typeof DeleteOptions> {}

export const Preconditions = schema('meta/v1.Preconditions', {
  optional: {
    uid: string(1, { keepZero: true, goType: 'types.UID' }),
    resourceVersion: string(2, { keepZero: true }),
  },
})
export interface Preconditions extends Infer<typeof Preconditions> {}
