import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Container } from '../../api/core/v1/container.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { specificationHash } from '../runtime/labels.js'
import type { ObservedContainer, ObservedSandbox } from '../runtime/observed-pod.js'
import { decide } from './decide.js'
import type { PodSyncActions } from './pod-actions.js'

export const probe = { exec: { command: ['true'] } }

export function container(name: string, more: Partial<Container> = {}): Container {
  return { name, image: `${name}:1`, ...more }
}

export const sidecar = (name: string, more: Partial<Container> = {}) =>
  container(name, { restartPolicy: 'Always', ...more })

function podOf(spec: Partial<PodSpec>, metadata: Partial<Pod['metadata']> = {}): Pod {
  const containers = [container('a')]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'ns', uid: 'u', ...metadata },
    spec: { restartPolicy: 'Always', containers, ...spec },
    status: {},
  }
}

export const sandbox: ObservedSandbox = {
  id: 's',
  state: 'ready',
  attempt: 0,
  createdAt: 1,
  addresses: ['10.0.0.1'],
  hasHostNetwork: false,
}

/** Parses `a running`, `a exited 3`, `a created`, or `a running other` for another specification. */
function seen(text: string): ObservedContainer {
  const [name = '', state = '', more = ''] = text.split(' ')
  return {
    id: `id-${name}`,
    name,
    sandboxId: 's',
    state: state as ObservedContainer['state'],
    createdAt: 1,
    startedAt: 1,
    finishedAt: state === 'exited' ? 2 : 0,
    exitCode: state === 'exited' ? Number(more) : 0,
    reason: '',
    message: '',
    image: '',
    imageId: '',
    restartCount: 0,
    specificationHash: more === 'other' ? more : specificationHash({ name, image: `${name}:1` }),
    logPath: '',
    resources: undefined,
    user: undefined,
    stopSignal: undefined,
  }
}

export interface Case {
  readonly pod?: Partial<PodSpec>
  readonly metadata?: Partial<Pod['metadata']>
  readonly sandboxes?: readonly ObservedSandbox[]
  readonly has?: readonly string[]
  /** Containers whose startup probe has no result yet. */
  readonly unstarted?: readonly string[]
  readonly unwell?: readonly string[]
  readonly does: string
}

/** Formats actions: `sandbox 1, kill a (why), remove a, reset a, start a b, kill pod`. */
function words(actions: PodSyncActions): string {
  const { killsPod, sandboxAttempt, kills, removals, resets, starts } = actions
  return [
    ...(killsPod ? ['kill pod'] : []),
    ...(sandboxAttempt === undefined ? [] : [`sandbox ${sandboxAttempt}`]),
    ...kills.map(({ target, message }) => `kill ${target.name} (${message})`),
    ...removals.map(({ name }) => `remove ${name}`),
    ...resets.map(({ name }) => `reset ${name}`),
    ...(starts.length > 0 ? [`start ${starts.map((one) => one.container.name).join(' ')}`] : []),
  ].join(', ')
}

function decided({
  pod = {},
  metadata = {},
  sandboxes = [sandbox],
  has = [],
  unstarted = [],
  unwell = [],
}: Case): string {
  const is = (list: readonly string[], id: string) => list.includes(id.replace('id-', ''))
  return words(
    decide({
      pod: podOf(pod, metadata),
      observed: { uid: 'u', name: 'p', namespace: 'ns', sandboxes, containers: has.map(seen) },
      probes: {
        readiness: () => true,
        startup: (id) => (is(unstarted, id) ? undefined : !is(unwell, id)),
        liveness: (id) => !is(unwell, id),
      },
    }),
  )
}

export function table(cases: Readonly<Record<string, Case>>): void {
  for (const [name, one] of Object.entries(cases)) test(name, () => assert.equal(decided(one), one.does))
}
