import type { Verdict } from '../status/situation.js'
import type { Admission } from './admitting-node.js'
import { refusal } from './refusal.js'

const label = 'kubernetes.io/os'
const own = 'linux'

/** A pod says for which system it is by a label or a field: nothing can make up for another one. */
export function operatingSystemRefusal({ pod: { metadata, spec } }: Admission): Verdict | undefined {
  const wanted = metadata.labels?.[label]
  if (wanted !== undefined && wanted !== own)
    return refusal(
      'PodOSSelectorNodeLabelDoesNotMatch',
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    )
  if (spec.os && spec.os.name !== own)
    return refusal('PodOSNotSupported', "Failed to admit pod as the OS field doesn't match node OS")
  return undefined
}
