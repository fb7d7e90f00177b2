import type { Environment } from '../../base/environment.js'
import type { TraceSubject } from '../../base/tracing.js'
import type { PodInfo } from '../cache/pod-info.js'
import { countedReasons } from '../cycle/unschedulable-message.js'
import type { SchedulingAttempt } from './attempt-log.js'
import { describeScores } from './node-results.js'

const component = 'kube-scheduler'

/** Reports the steps `filter` and `score`. */
export function traceAttempt({ tracer }: Environment, pod: PodInfo, attempt: SchedulingAttempt): void {
  if (!tracer.active) return
  const { at, took, node, nodeCount, scoredNodes, rejections, message } = attempt
  const step = { at, took, component, subject: subjectOf(pod) }
  const feasible = scoredNodes.length || (node === undefined ? 0 : 1)
  const reasons = message ?? countedReasons(rejections)
  const reason = reasons === '' ? {} : { reason: reasons }
  tracer.report({ ...step, stage: 'filter', decision: `${feasible} of ${nodeCount} nodes feasible`, ...reason })
  if (node !== undefined) tracer.report({ ...step, stage: 'score', decision: node, reason: describeScores(attempt) })
}

/** Reports the step `bind`. @param result `since` is when the binding began, on the monotonic clock */
export function traceBinding(
  { tracer, clock }: Environment,
  pod: PodInfo,
  result: { readonly since: number; readonly nodeName: string; readonly error?: unknown },
): void {
  if (!tracer.active) return
  const { since, nodeName, error } = result
  const took = clock.monotonic() - since
  tracer.report({
    at: clock.now() - took,
    took,
    component,
    stage: 'bind',
    subject: subjectOf(pod),
    decision: error === undefined ? `bound to ${nodeName}` : 'failed',
    ...(error !== undefined && { reason: String(error) }),
  })
}

function subjectOf({ pod: { metadata } }: PodInfo): TraceSubject {
  const { namespace, name, uid, resourceVersion } = metadata
  return {
    kind: 'Pod',
    name: name!,
    ...(namespace && { namespace }),
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  }
}
