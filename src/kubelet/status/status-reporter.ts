import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'

/** Reports that a status was written, `took` milliseconds after it was set. */
export type StatusReporter = (pod: Pod, took: number) => void

/** Seconds, as upstream. */
const buckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 30, 45, 60]

export function statusReporter({ clock, tracer, metrics }: Environment): StatusReporter {
  const durations = metrics.histogram({
    name: 'kubelet_pod_status_sync_duration_seconds',
    help: 'Duration from a change of a pod’s status until it is written to the API server.',
    buckets,
  })
  return (pod, took) => {
    durations.observe(took / 1000)
    if (!tracer.active) return
    const { namespace, name, uid, resourceVersion } = pod.metadata
    const subject = { kind: 'Pod', namespace: namespace!, name: name!, uid: uid!, resourceVersion: resourceVersion! }
    const reason = reasonOf(pod.status)
    const step = { at: clock.now() - took, took, component: 'kubelet', stage: 'status', subject }
    tracer.report({ ...step, decision: decisionOf(pod.status), ...(reason && { reason }) })
  }
}

function decisionOf({ phase = 'Pending', conditions = [] }: PodStatus): string {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True') ? `${phase}, ready` : phase
}

/** Returns the reason of the pod, or of the first waiting container. */
function reasonOf({
  reason,
  message,
  initContainerStatuses = [],
  containerStatuses = [],
}: PodStatus): string | undefined {
  if (reason) return message ? `${reason}: ${message}` : reason
  const waits = [...initContainerStatuses, ...containerStatuses].find(({ state }) => state?.waiting?.reason)
  return waits && `${waits.name}: ${waits.state?.waiting?.reason}`
}
