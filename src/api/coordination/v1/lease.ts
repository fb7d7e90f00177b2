import { int32, microTime, oneOf, openEnumeration, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const CoordinatedLeaseStrategy = openEnumeration('coordination/v1.CoordinatedLeaseStrategy', [
  'OldestEmulationVersion',
])
export type CoordinatedLeaseStrategy = Values<typeof CoordinatedLeaseStrategy>

export const Lease = kind('coordination/v1.Lease', {
  optional: {
    metadata: objectMetadata,
    spec: ref<LeaseSpec>(2, 'coordination/v1.LeaseSpec', { always: true }),
  },
  resource: { plural: 'leases', namespaced: true, columns: [nameColumn, column('Holder'), ageColumn] },
})
export interface Lease extends Instance<typeof Lease> {}

export const LeaseSpec = schema('coordination/v1.LeaseSpec', {
  optional: {
    holderIdentity: string(1, { keepZero: true }),
    leaseDurationSeconds: int32(2, { keepZero: true }),
    acquireTime: microTime(3),
    renewTime: microTime(4),
    leaseTransitions: int32(5, { keepZero: true }),
    strategy: oneOf(6, CoordinatedLeaseStrategy, { keepZero: true }),
    preferredHolder: string(7, { keepZero: true }),
  },
})
export interface LeaseSpec extends Infer<typeof LeaseSpec> {}
