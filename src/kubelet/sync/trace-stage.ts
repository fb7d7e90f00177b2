import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'

/** Runs one stage of the work on a pod, and reports its result and duration to the tracer. */
export async function traceStage<T>(
  { clock, tracer }: Pick<Environment, 'clock' | 'tracer'>,
  { name, pod, describe = () => 'done' }: { name: string; pod: Pod; describe?: (result: T) => string },
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer.active) return work()
  const at = clock.now()
  const began = clock.monotonic()
  const report = (decision: string, reason?: string) => {
    const took = clock.monotonic() - began
    tracer.report({
      at,
      took,
      component: 'kubelet',
      stage: name,
      subject: subjectOf(pod),
      decision,
      ...(reason && { reason }),
    })
  }
  try {
    const result = await work()
    report(describe(result))
    return result
  } catch (error) {
    report('failed', (error as Error).message)
    throw error
  }
}

function subjectOf({ metadata: { namespace = '', name = '', uid = '', resourceVersion } }: Pod) {
  return { kind: 'Pod', namespace, name, uid, ...(resourceVersion && { resourceVersion }) }
}
