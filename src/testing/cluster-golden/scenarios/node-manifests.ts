import type { JsonObject } from '../../../schema/declaration.js'
import type { ResponseBody, ScenarioManifest, ScenarioStep, UntilStep } from '../scenario.js'

/**
 * Recorded with containerd 1.6 on cgroup v1, cluster domain cluster.local, one cluster DNS address, a host resolv.conf without search
 * domains, no registry within reach (nothing may listen on localhost:5999) and the kubelet's defaults for back-off and sync.
 */
export const busybox = 'registry.k8s.io/e2e-test-images/busybox:1.37.0-1'

/** Runs until it is asked to stop, and then stops at once. */
export const forever = 'trap "exit 0" TERM; while :; do sleep 0.1; done'

/** A container that runs a script. */
export function shellContainer(script: string, more: JsonObject = {}): JsonObject {
  return { name: 'c', image: busybox, command: ['sh', '-c', script], ...more }
}

type Containers = JsonObject | readonly JsonObject[]

export function podOnNode(
  name: string,
  containers: Containers,
  spec: JsonObject = {},
  metadata: JsonObject = {},
): ScenarioManifest {
  const plain = { automountServiceAccountToken: false, enableServiceLinks: false, terminationGracePeriodSeconds: 2 }
  return {
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { ...plain, containers: [containers].flat() as readonly JsonObject[], ...spec },
  }
}

/** A pod whose containers are not started again. */
export function podThatEnds(
  name: string,
  containers: Containers,
  spec: JsonObject = {},
  metadata: JsonObject = {},
): ScenarioManifest {
  return podOnNode(name, containers, { restartPolicy: 'Never', ...spec }, metadata)
}

export function untilEnded(...names: readonly string[]): readonly UntilStep[] {
  return names.map((name) => ({
    until: `${name} ended`,
    get: `pods/${name}`,
    where: ({ status }) => ['Succeeded', 'Failed'].includes(status.phase),
    timeout: 60,
  }))
}

export function untilRunning(...names: readonly string[]): readonly UntilStep[] {
  return names.map((name) => ({
    until: `${name} runs`,
    get: `pods/${name}`,
    where: (object) => conditionOf(object, 'Ready')?.status === 'True',
    timeout: 60,
  }))
}

export function conditionOf({ status }: ResponseBody, wanted: string): ResponseBody {
  return status.conditions.find(({ type }: ResponseBody) => type === wanted)
}

export function untilWaiting(name: string, reason: string): UntilStep {
  return {
    until: `${name} waits: ${reason}`,
    get: `pods/${name}`,
    where: ({ status }) =>
      status.containerStatuses?.some(({ state }: ResponseBody) => state.waiting?.reason === reason),
    timeout: 90,
  }
}

export function untilEvent(wanted: string, count = 1): UntilStep {
  return {
    until: `event ${wanted}`,
    get: 'events',
    where: ({ items }) => items.filter(({ reason }: ResponseBody) => reason === wanted).length >= count,
    timeout: 60,
  }
}

export const statusFields = ['metadata.name', 'metadata.generation', 'metadata.finalizers', 'status']

export function recordStatuses(label: string, path = 'pods', mask?: readonly string[]): ScenarioStep {
  return { record: label, get: path, pick: statusFields, ...(mask && { mask }) }
}

export function recordPodEvents(keep: true | ((event: ResponseBody) => boolean) = true): ScenarioStep {
  return { record: 'events', events: keep }
}
