import { ref, string } from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'

export const NodeConfigSource = schema('core/v1.NodeConfigSource', {
  optional: {
    configMap: ref<ConfigMapNodeConfigSource>(2, 'core/v1.ConfigMapNodeConfigSource'),
  },
})
export interface NodeConfigSource extends Infer<typeof NodeConfigSource> {}

export const ConfigMapNodeConfigSource = schema('core/v1.ConfigMapNodeConfigSource', {
  required: {
    namespace: string(1),
    name: string(2),
    kubeletConfigKey: string(5),
  },
  optional: {
    uid: string(3, { goType: 'types.UID' }),
    resourceVersion: string(4),
  },
})
export interface ConfigMapNodeConfigSource extends Infer<typeof ConfigMapNodeConfigSource> {}
