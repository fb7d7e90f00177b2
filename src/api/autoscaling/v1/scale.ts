import { int32, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const Scale = kind('autoscaling/v1.Scale', {
  optional: {
    metadata: objectMetadata,
    spec: ref<ScaleSpec>(2, 'autoscaling/v1.ScaleSpec', { always: true }),
    status: ref<ScaleStatus>(3, 'autoscaling/v1.ScaleStatus', { always: true }),
  },
})
export interface Scale extends Instance<typeof Scale> {}

export const ScaleSpec = schema('autoscaling/v1.ScaleSpec', {
  optional: {
    replicas: int32(1),
  },
})
export interface ScaleSpec extends Infer<typeof ScaleSpec> {}

export const ScaleStatus = schema('autoscaling/v1.ScaleStatus', {
  required: {
    replicas: int32(1),
  },
  optional: {
    selector: string(2),
  },
})
export interface ScaleStatus extends Infer<typeof ScaleStatus> {}
