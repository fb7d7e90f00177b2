import { declarationsIn } from '../../../schema/declaration.js'
import { derivedVersion } from '../../../schema/derived-version.js'
import * as clusterTrustBundle from '../v1beta1/cluster-trust-bundle.js'

export const declarations = derivedVersion('certificates/v1alpha1', declarationsIn([clusterTrustBundle]))
