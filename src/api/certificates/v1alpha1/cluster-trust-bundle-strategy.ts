import { declareStrategy, sameForm } from '../../../schema/strategy.js'
import { ClusterTrustBundle } from './cluster-trust-bundle.js'

export const clusterTrustBundleStrategy = declareStrategy<ClusterTrustBundle>(ClusterTrustBundle, {
  stored: sameForm('certificates/v1beta1.ClusterTrustBundle'),
})
