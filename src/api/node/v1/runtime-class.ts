import { list, map, quantity, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import type { Toleration } from '../../core/v1/taint.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const RuntimeClass = kind('node/v1.RuntimeClass', {
  required: {
    handler: string(2),
  },
  optional: {
    metadata: objectMetadata,
    overhead: ref<Overhead>(3, 'node/v1.Overhead'),
    scheduling: ref<Scheduling>(4, 'node/v1.Scheduling'),
  },
  resource: { plural: 'runtimeclasses', columns: [nameColumn, column('Handler'), ageColumn] },
})
export interface RuntimeClass extends Instance<typeof RuntimeClass> {}

export const Overhead = schema('node/v1.Overhead', {
  optional: {
    podFixed: map(1, quantity, { goType: 'v1.ResourceList' }),
  },
})
export interface Overhead extends Infer<typeof Overhead> {}

export const Scheduling = schema('node/v1.Scheduling', {
  optional: {
    nodeSelector: map(1, string, { atomic: true }),
    tolerations: list(2, ref<Toleration>('core/v1.Toleration')),
  },
})
export interface Scheduling extends Infer<typeof Scheduling> {}
