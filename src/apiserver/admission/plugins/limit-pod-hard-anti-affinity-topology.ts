import type { Pod } from '../../../api/core/v1/pod.js'
import { defineAdmissionPlugin } from '../definition.js'
import { rejection } from '../rejection.js'
import { isNewPod } from '../request.js'

const onlyKey = 'kubernetes.io/hostname'

/** Rejects pods whose required anti-affinity keeps other pods away from more than their own node. */
export const limitPodHardAntiAffinityTopology = defineAdmissionPlugin<Pod>({
  name: 'LimitPodHardAntiAffinityTopology',
  position: 50,
  create: () => ({
    handles: isNewPod,
    validate(request) {
      const { podAntiAffinity } = request.object!.spec.affinity ?? {}
      const terms = podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []
      const other = terms.find(({ topologyKey }) => topologyKey !== onlyKey)
      if (other)
        throw rejection(
          request,
          `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${other.topologyKey} but only key ${onlyKey} is allowed`,
        )
    },
  }),
})
