import { bool, int32, oneOf, string } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn } from '../../../schema/schema.js'
import { PreemptionPolicy } from '../../core/v1/pod/spec.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const PriorityClass = kind('scheduling/v1.PriorityClass', {
  optional: {
    metadata: objectMetadata,
    value: int32(2, { always: true }),
    globalDefault: bool(3),
    description: string(4),
    preemptionPolicy: oneOf(5, PreemptionPolicy, { default: 'PreemptLowerPriority', keepZero: true }),
  },
  resource: {
    plural: 'priorityclasses',
    shortNames: ['pc'],
    columns: [
      nameColumn,
      column('Value', { type: 'integer' }),
      column('Global-Default', { type: 'boolean' }),
      ageColumn,
      column('PreemptionPolicy'),
    ],
  },
})
export interface PriorityClass extends Instance<typeof PriorityClass> {}
