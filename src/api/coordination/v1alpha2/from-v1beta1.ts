import { declarationsIn } from '../../../schema/declaration.js'
import { derivedVersion } from '../../../schema/derived-version.js'
import * as leaseCandidate from '../v1beta1/lease-candidate.js'

export const declarations = derivedVersion('coordination/v1alpha2', declarationsIn([leaseCandidate]))
