import { ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const ClusterTrustBundle = kind('certificates/v1alpha1.ClusterTrustBundle', {
  required: {
    spec: ref<ClusterTrustBundleSpec>(2, 'certificates/v1alpha1.ClusterTrustBundleSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  listed: true,
})
export interface ClusterTrustBundle extends Instance<typeof ClusterTrustBundle> {}

export const ClusterTrustBundleSpec = schema('certificates/v1alpha1.ClusterTrustBundleSpec', {
  required: {
    trustBundle: string(2),
  },
  optional: {
    signerName: string(1),
  },
})
export interface ClusterTrustBundleSpec extends Infer<typeof ClusterTrustBundleSpec> {}
