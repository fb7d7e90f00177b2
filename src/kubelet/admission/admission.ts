import type { Pod } from '../../api/core/v1/pod.js'
import type { Verdict, Waiting } from '../status/situation.js'
import type { Admission, AdmittingNode } from './admitting-node.js'
import { appArmorObstacle } from './app-armor.js'
import { exclusiveCoresRefusal } from './exclusive-cores.js'
import { noNewPrivilegesObstacle } from './no-new-privileges.js'
import { operatingSystemRefusal } from './operating-system.js'
import { placeRefusal } from './place.js'
import { supplementalGroupsRefusal } from './supplemental-groups.js'
import { sysctlRefusal } from './sysctls.js'

/** In upstream's order: the first that refuses is told. */
const rules: readonly ((admission: Admission) => Verdict | undefined)[] = [
  sysctlRefusal,
  exclusiveCoresRefusal,
  operatingSystemRefusal,
  supplementalGroupsRefusal,
  placeRefusal,
]

/** Why this node refuses the pod, for good; undefined if it does not. Asked once, before anything is done for it. */
export function admit(pod: Pod, others: readonly Pod[], on: AdmittingNode): Verdict | undefined {
  const admission = { pod, others: others.filter(({ metadata }) => metadata.uid !== pod.metadata.uid), on }
  for (const rule of rules) {
    const verdict = rule(admission)
    if (verdict) return verdict
  }
  return undefined
}

/** What keeps a pod from running for now; undefined if nothing does. Asked with every look at a pod that has not begun. */
export function mayRun(pod: Pod, on: AdmittingNode): Waiting | undefined {
  return appArmorObstacle(pod, on) ?? noNewPrivilegesObstacle(pod, on)
}
