import type { Toleration } from '../../../api/core/v1/taint.js'
import type { Draft } from '../../../schema/infer.js'
import { extensibleCopy } from '../../../schema/json-value.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import { isPod, podOf } from '../requests.js'

const notReady = 'node.kubernetes.io/not-ready'
const unreachable = 'node.kubernetes.io/unreachable'

export interface TolerationSeconds {
  readonly notReady: number
  readonly unreachable: number
}

/** A pod stays for a while on a node that is lost, unless it says itself for how long. */
export function defaultTolerationSeconds(seconds: TolerationSeconds): AdmissionPlugin {
  return {
    name: 'DefaultTolerationSeconds',
    handles: (request) => (request.operation === 'CREATE' || request.operation === 'UPDATE') && isPod(request),
    mutate: (request) => tolerateLostNodes(request, seconds),
  }
}

function tolerateLostNodes(request: AdmissionRequest, seconds: TolerationSeconds): void {
  const pod = podOf(request)
  const { tolerations = [] } = pod.spec
  const added = [
    ...missing(tolerations, notReady, seconds.notReady),
    ...missing(tolerations, unreachable, seconds.unreachable),
  ]
  if (added.length === 0) return
  if (request.operation === 'UPDATE') pod.spec = extensibleCopy(pod.spec)
  pod.spec.tolerations = [...tolerations, ...added]
}

function missing(present: readonly Toleration[], key: string, tolerationSeconds: number): Draft<Toleration>[] {
  const isTolerated = present.some(
    (one) => (!one.key || one.key === key) && (!one.effect || one.effect === 'NoExecute'),
  )
  return isTolerated ? [] : [{ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds }]
}
