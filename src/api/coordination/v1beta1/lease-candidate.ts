import { microTime, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const LeaseCandidate = kind('coordination/v1beta1.LeaseCandidate', {
  required: {
    spec: ref<LeaseCandidateSpec>(2, 'coordination/v1beta1.LeaseCandidateSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  listed: true,
})
export interface LeaseCandidate extends Instance<typeof LeaseCandidate> {}

export const LeaseCandidateSpec = schema('coordination/v1beta1.LeaseCandidateSpec', {
  required: {
    leaseName: string(1),
    binaryVersion: string(4),
    strategy: string(6, { always: false, goType: 'v1.CoordinatedLeaseStrategy' }),
  },
  optional: {
    pingTime: microTime(2),
    renewTime: microTime(3),
    emulationVersion: string(5),
  },
})
export interface LeaseCandidateSpec extends Infer<typeof LeaseCandidateSpec> {}
