import type { AdmissionPlugin } from '../admission.js'
import { rejection } from '../rejection.js'
import { isNewPod, podOf } from '../requests.js'

const onlyKey = 'kubernetes.io/hostname'

/** No pod keeps others away from more than its own node. */
export const limitPodHardAntiAffinityTopology: AdmissionPlugin = {
  name: 'LimitPodHardAntiAffinityTopology',
  handles: isNewPod,
  validate(request) {
    const { podAntiAffinity } = podOf(request).spec.affinity ?? {}
    const terms = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
    const other = terms.find(({ topologyKey }) => topologyKey !== onlyKey)
    if (other)
      throw rejection(
        request,
        `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey} but only key ${onlyKey} is allowed`,
      )
  },
}
