import { sameForm } from '../../../schema/stored-version.js'
import { strategy } from '../../../schema/strategy.js'
import { ClusterTrustBundle } from './cluster-trust-bundle.js'

export const clusterTrustBundleStrategy = strategy<ClusterTrustBundle>(ClusterTrustBundle, {
  stored: sameForm('certificates/v1beta1.ClusterTrustBundle'),
})
