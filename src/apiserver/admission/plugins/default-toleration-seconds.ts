import type { Pod } from '../../../api/core/v1/pod.js'
import type { Toleration } from '../../../api/core/v1/taint.js'
import type { Draft } from '../../../schema/infer.js'
import { extensibleCopy } from '../../../schema/json-value.js'
import { defineAdmissionPlugin } from '../definition.js'
import { isPod, isWrite } from '../request.js'

const fiveMinutes = 300

/** Lets pods stay for some time on a node that is not ready or unreachable, unless they set a toleration of their own. */
export const defaultTolerationSeconds = defineAdmissionPlugin<Pod>({
  name: 'DefaultTolerationSeconds',
  position: 160,
  isDefault: true,
  create({ notReadyTolerationSeconds = fiveMinutes, unreachableTolerationSeconds = fiveMinutes }) {
    return {
      handles: (request) => isWrite(request) && isPod(request),
      mutate({ object, operation }) {
        const pod = object!
        const { tolerations = [] } = pod.spec
        const added = [
          ...missing(tolerations, 'node.kubernetes.io/not-ready', notReadyTolerationSeconds),
          ...missing(tolerations, 'node.kubernetes.io/unreachable', unreachableTolerationSeconds),
        ]
        if (added.length === 0) return
        if (operation === 'UPDATE') pod.spec = extensibleCopy(pod.spec)
        pod.spec.tolerations = [...tolerations, ...added]
      },
    }
  },
})

function missing(present: readonly Toleration[], key: string, tolerationSeconds: number): Draft<Toleration>[] {
  const isTolerated = present.some(
    (one) => (!one.key || one.key === key) && (!one.effect || one.effect === 'NoExecute'),
  )
  return isTolerated ? [] : [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }]
}
