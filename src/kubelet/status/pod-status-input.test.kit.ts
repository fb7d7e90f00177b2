import { readFileSync } from 'node:fs'
import type { Container } from '../../api/core/v1/container.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { ObjectNormalForm } from '../../testing/cluster-golden/object-normal-form.js'
import type { ObservedContainer, ObservedPod, ObservedSandbox } from '../runtime/observed-pod.js'
import { podStatus } from './pod-status.js'
import type { PodStatusInput } from './pod-status-input.js'

export const start = Date.parse('2026-05-01T10:00:00Z')
export const image = 'registry.k8s.io/e2e-test-images/busybox:1.37.0-1'
export const uid = '00000000-1111-2222-3333-444444444444'

export function container(name: string, parts: Partial<Container> = {}): Container {
  return { name, image, resources: {}, ...parts } as Container
}

export function pod(spec: Partial<PodSpec>, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', uid, generation: 1, ...metadata },
    spec: { restartPolicy: 'Always', nodeName: 'node', containers: [container('c')], ...spec },
    status: {},
  } as Pod
}

export const sandbox: ObservedSandbox = {
  id: 's1',
  state: 'ready',
  attempt: 0,
  createdAt: start,
  addresses: ['10.1.2.3'],
  hasHostNetwork: false,
}

export const goneSandbox: ObservedSandbox = { ...sandbox, state: 'notReady', addresses: [] }

type State = ObservedContainer['state']

/** `observed('c', 'exited', { exitCode: 3 })` */
export function observed(name: string, state: State, parts: Partial<ObservedContainer> = {}): ObservedContainer {
  const exitCode = parts.exitCode ?? 0
  const hasEnded = state === 'exited'
  return {
    id: `${name}-${parts.restartCount ?? 0}`,
    name,
    sandboxId: 's1',
    state,
    createdAt: start + 1000,
    startedAt: state === 'created' ? 0 : start + 2000,
    finishedAt: hasEnded ? start + 3000 : 0,
    exitCode,
    reason: hasEnded ? (exitCode === 0 ? 'Completed' : 'Error') : '',
    message: '',
    image,
    imageId: `${image}@sha256:1`,
    restartCount: 0,
    specificationHash: 'h',
    logPath: '',
    resources: undefined,
    user: undefined,
    stopSignal: undefined,
    ...parts,
  }
}

export function seen(
  containers: readonly ObservedContainer[],
  sandboxes: readonly ObservedSandbox[] = [sandbox],
): ObservedPod {
  return { uid, name: 'p', namespace: 'default', sandboxes, containers }
}

/** The input for a new pod, with the given overrides. */
export function input(parts: Partial<PodStatusInput> & Pick<PodStatusInput, 'pod'>): PodStatusInput {
  return {
    observed: seen([], []),
    previous: parts.pod.status ?? {},
    waiting: new Map(),
    probes: { readiness: () => undefined, startup: () => undefined, liveness: () => undefined },
    failure: undefined,
    isTerminated: false,
    isTerminating: false,
    hostAddresses: ['192.168.0.1'],
    runtimeName: 'containerd',
    now: start,
    ...parts,
  }
}

type ObservationStep = Partial<Omit<PodStatusInput, 'pod' | 'previous'>> & { readonly pod?: Pod }

/** Computes statuses for several observations, each from the one before, and returns the last. */
export function lastStatus(of: Pod, looks: readonly ObservationStep[]): PodStatus {
  return looks.reduce<PodStatus>(
    (previous, look, i) => podStatus(input({ now: start + i * 1000, pod: of, ...look, previous })),
    of.status ?? {},
  )
}

export const created = { observed: seen([], []) }
export const begun = { observed: seen([]) }
export const runs = (...containers: readonly ObservedContainer[]) => ({ observed: seen(containers) })
/** The containers have exited, then the sandbox was stopped. */
export const over = (...containers: readonly ObservedContainer[]) => [
  runs(...containers),
  { observed: seen(containers, [goneSandbox]), isTerminated: true },
]
export const waits = (name: string, reason: string, message = '') => ({
  waiting: new Map([[name, { reason, message }]]),
})

type Recorded = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>

const recordings = JSON.parse(readFileSync('src/testing/cluster-golden/recordings/30-node.json', 'utf8')) as Recorded

/** Returns the status that a real kubelet wrote in that scenario, for the named pod if there are several. */
export function recordedStatus(scenario: string, label: string, name?: string): JsonValue {
  const record = recordings[scenario]![label] as JsonObject | readonly JsonObject[]
  const isMeant = ({ metadata }: JsonObject) => (metadata as JsonObject | undefined)?.name === name
  const one = (Array.isArray(record) ? record.find(isMeant) : record) as JsonObject
  return one.status ?? one
}

/** Normalizes a status as recordings have it, with the defaults of the API server. */
export function shown(status: PodStatus, mask?: readonly string[]): JsonValue {
  const conditions = status.conditions?.map((condition) => ({ lastProbeTime: null, ...condition }))
  const whole = { ...status, ...(conditions && { conditions }) } as unknown as JsonObject
  return new ObjectNormalForm({ ns: 'default', id: 'xyz' }, '').of(JSON.parse(JSON.stringify(whole)) as JsonValue, mask)
}
