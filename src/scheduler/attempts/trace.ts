import type { Environment } from '../../base/environment.js'
import type { TraceStep } from '../../base/tracing.js'
import type { PodInfo } from '../cache/pod-info.js'
import { countedReasons } from '../cycle/unschedulable-message.js'
import type { SchedulingAttempt } from './attempt-log.js'
import { describeScores } from './node-results.js'

const component = 'kube-scheduler'

/** Tells what an attempt decided, to whoever listens. */
export function traceAttempt({ tracer }: Environment, pod: PodInfo, attempt: SchedulingAttempt): void {
  if (!tracer.active) return
  const { at, took, node, nodeCount, compared, rejections, message } = attempt
  const step = { at, took, component, subject: subjectOf(pod) }
  const feasible = compared.length || (node === undefined ? 0 : 1)
  const why = message ?? countedReasons(rejections)
  const reason = why === '' ? {} : { reason: why }
  tracer.report({ ...step, stage: 'filter', decision: `${feasible} of ${nodeCount} nodes would do`, ...reason })
  if (node !== undefined) tracer.report({ ...step, stage: 'score', decision: node, reason: describeScores(attempt) })
}

/** Tells what became of a binding. */
export function traceBinding(
  { tracer, clock }: Environment,
  pod: PodInfo,
  { since, nodeName, error }: { readonly since: number; readonly nodeName: string; readonly error?: unknown },
): void {
  if (!tracer.active) return
  const took = clock.monotonic() - since
  const decision = error === undefined ? `bound to ${nodeName}` : 'failed'
  const reason = error === undefined ? {} : { reason: String(error) }
  tracer.report({
    at: clock.now() - took,
    took,
    component,
    stage: 'bind',
    subject: subjectOf(pod),
    decision,
    ...reason,
  })
}

function subjectOf({ pod: { metadata } }: PodInfo): NonNullable<TraceStep['subject']> {
  const { namespace, name, uid, resourceVersion } = metadata
  return {
    kind: 'Pod',
    name: name!,
    ...(namespace && { namespace }),
    ...(uid && { uid }),
    ...(resourceVersion && { resourceVersion }),
  }
}
