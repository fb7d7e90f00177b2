import type { Job } from '../../api/batch/v1/job.js'
import type { Container } from '../../api/core/v1/container.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Given } from '../../client/resource-client.js'
import { podFromTemplate } from '../pods/template.js'
import { countsAsFailure } from './failure-policy.js'
import type { PodSlot } from './pod-plan.js'
import {
  completionIndexKey,
  earlierFailures,
  failureCountAnnotation,
  ignoredFailureCountAnnotation,
  trackingFinalizer,
} from './tracked-pods.js'

/** The pod to create for a slot of the job. */
export function jobPod(job: Job, slot: PodSlot): Given<Pod> {
  const { metadata, spec } = podFromTemplate(job.spec.template, job)
  const finalizers = [...new Set([...(metadata.finalizers ?? []), trackingFinalizer])]
  const pod: Given<Pod> = { metadata: { ...metadata, finalizers }, spec: spec! }
  return slot.index === undefined ? pod : indexed(pod, job, { ...slot, index: slot.index })
}

function indexed({ metadata, spec }: Given<Pod>, job: Job, slot: PodSlot & { readonly index: number }): Given<Pod> {
  const { name } = job.metadata
  const index = String(slot.index)
  const annotations = { ...metadata.annotations, [completionIndexKey]: index, ...failureCounts(job, slot) }
  const labels = { ...metadata.labels, [completionIndexKey]: index }
  return {
    metadata: { ...metadata, generateName: namePrefix(name!, index), labels, annotations },
    spec: { ...withIndexVariable(spec!), hostname: `${name}-${index}` },
  }
}

/** The server cuts longer prefixes, and the index would be lost. */
const maxPrefixLength = 58

function namePrefix(jobName: string, index: string): string {
  return `${jobName.slice(0, maxPrefixLength - index.length - 2)}-${index}-`
}

function failureCounts({ spec }: Job, { replaces }: PodSlot): Readonly<Record<string, string>> {
  if (spec.backoffLimitPerIndex === undefined) return {}
  if (!replaces) return { [failureCountAnnotation]: '0' }
  const { counted, ignored } = earlierFailures(replaces)
  const counts = countsAsFailure(spec.podFailurePolicy, replaces)
  const ignoredNow = counts ? ignored : ignored + 1
  return {
    [failureCountAnnotation]: String(counts ? counted + 1 : counted),
    ...(ignoredNow > 0 && { [ignoredFailureCountAnnotation]: String(ignoredNow) }),
  }
}

const indexVariable = 'JOB_COMPLETION_INDEX'

function withIndexVariable(spec: PodSpec): PodSpec {
  const { initContainers, containers } = spec
  return {
    ...spec,
    ...(initContainers && { initContainers: initContainers.map(withVariable) }),
    containers: containers.map(withVariable),
  }
}

function withVariable(container: Container): Container {
  const { env = [] } = container
  if (env.some(({ name }) => name === indexVariable)) return container
  const fieldRef = { fieldPath: `metadata.labels['${completionIndexKey}']` }
  return { ...container, env: [...env, { name: indexVariable, valueFrom: { fieldRef } }] }
}
