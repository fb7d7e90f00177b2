import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PodSpec } from '../../api/core/v1/pod-spec.js'
import { specificationHash } from '../runtime/labels.js'
import type { ObservedContainer, ObservedSandbox } from '../runtime/observed-pod.js'
import type { Actions } from './actions.js'
import { decide } from './decide.js'

const probe = { exec: { command: ['true'] } }

function container(name: string, more: Partial<Container> = {}): Container {
  return { name, image: `${name}:1`, ...more }
}

const sidecar = (name: string, more: Partial<Container> = {}) => container(name, { restartPolicy: 'Always', ...more })

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

const sandbox: ObservedSandbox = {
  id: 's',
  state: 'ready',
  attempt: 0,
  createdAt: 1,
  addresses: ['10.0.0.1'],
  hasHostNetwork: false,
}

/** `a running`, `a exited 3`, `a created`, `a running other` for one of another specification. */
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

interface Case {
  readonly pod?: Partial<PodSpec>
  readonly metadata?: Partial<Pod['metadata']>
  readonly sandboxes?: readonly ObservedSandbox[]
  readonly has?: readonly string[]
  /** Whose startup probe has not spoken yet. */
  readonly unstarted?: readonly string[]
  readonly unwell?: readonly string[]
  readonly does: string
}

/** In words: `sandbox 1, kill a (why), remove a, reset a, start a b, kill pod`. */
function words(actions: Actions): string {
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

function table(cases: Readonly<Record<string, Case>>): void {
  for (const [name, one] of Object.entries(cases)) test(name, () => assert.equal(decided(one), one.does))
}

describe('sandboxes', () =>
  table({
    'a new pod gets one, and its containers': { sandboxes: [], does: 'kill pod, sandbox 0, start a' },
    'one that is there is kept': { has: ['a running'], does: '' },
    'a dead one is replaced, whatever the containers seem to be': {
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a running'],
      does: 'kill pod, sandbox 1, start a',
    },
    'of two ready ones neither is right': {
      sandboxes: [{ ...sandbox, attempt: 1 }, sandbox],
      has: ['a running'],
      does: 'kill pod, sandbox 2, start a',
    },
    'one without an address is of no use': {
      sandboxes: [{ ...sandbox, addresses: [] }],
      does: 'kill pod, sandbox 1, start a',
    },
    'on the host network none is needed': {
      pod: { hostNetwork: true },
      sandboxes: [{ ...sandbox, addresses: [], hasHostNetwork: true }],
      has: ['a running'],
      does: '',
    },
    'one on the wrong network is replaced': { pod: { hostNetwork: true }, does: 'kill pod, sandbox 1, start a' },
    'a pod that never restarts is over when its sandbox dies': {
      pod: { restartPolicy: 'Never' },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a exited 0'],
      does: 'kill pod',
    },
    'a pod that never restarts and has not begun gets another one': {
      pod: { restartPolicy: 'Never' },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      does: 'kill pod, sandbox 1, start a',
    },
    'with OnFailure, those that succeeded are not started in the new one': {
      pod: { restartPolicy: 'OnFailure', containers: [container('a'), container('b')] },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a exited 0', 'b exited 1'],
      does: 'kill pod, sandbox 1, start b',
    },
    'with OnFailure, nothing is made for a pod that succeeded': {
      pod: { restartPolicy: 'OnFailure' },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a exited 0'],
      does: 'kill pod',
    },
    'in a new one initialization begins anew': {
      pod: { initContainers: [container('i'), container('j')] },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a exited 1', 'i exited 0', 'j exited 0'],
      does: 'kill pod, sandbox 1, remove i, remove j, start i',
    },
  }))

describe('main containers', () =>
  table({
    'are started if they are not there': { does: 'start a' },
    'are restarted by policy: Always': { has: ['a exited 0'], does: 'start a' },
    'OnFailure, failed': { pod: { restartPolicy: 'OnFailure' }, has: ['a exited 1'], does: 'start a' },
    'OnFailure, succeeded': { pod: { restartPolicy: 'OnFailure' }, has: ['a exited 0'], does: 'kill pod' },
    Never: { pod: { restartPolicy: 'Never' }, has: ['a exited 1'], does: 'kill pod' },
    'Never, and one still runs': {
      pod: { restartPolicy: 'Never', containers: [container('a'), container('b')] },
      has: ['a exited 1', 'b running'],
      does: '',
    },
    'what a container says for itself counts first': {
      pod: { restartPolicy: 'Never', containers: [container('a', { restartPolicy: 'OnFailure' })] },
      has: ['a exited 1'],
      does: 'start a',
    },
    'a rule that fits counts before that': {
      pod: {
        restartPolicy: 'Never',
        containers: [
          container('a', {
            restartPolicy: 'Never',
            restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
          }),
        ],
      },
      has: ['a exited 42'],
      does: 'start a',
    },
    'a rule that does not fit does not': {
      pod: {
        containers: [
          container('a', {
            restartPolicy: 'Never',
            restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'NotIn', values: [42] } }],
          }),
        ],
      },
      has: ['a exited 42'],
      does: 'kill pod',
    },
    'one that was made and never started is made again': { has: ['a created'], does: 'remove a, start a' },
    'one whose state nobody knows is killed before it is restarted': {
      has: ['a unknown'],
      does: 'kill a (Container is in "unknown" state, try killing it before restart), start a',
    },
    'another image means another container, whatever the policy': {
      pod: { restartPolicy: 'Never' },
      has: ['a running other'],
      does: 'kill a (Container a definition changed, will be restarted), start a',
    },
    'liveness fails': {
      pod: { containers: [container('a', { livenessProbe: probe })] },
      has: ['a running'],
      unwell: ['a'],
      does: 'kill a (Container a failed liveness probe, will be restarted), start a',
    },
    'liveness fails, never restarted, others run': {
      pod: { restartPolicy: 'Never', containers: [container('a', { livenessProbe: probe }), container('b')] },
      has: ['a running', 'b running'],
      unwell: ['a'],
      does: 'kill a (Container a failed liveness probe)',
    },
    'liveness fails, never restarted, nothing else runs': {
      pod: { restartPolicy: 'Never', containers: [container('a', { livenessProbe: probe })] },
      has: ['a running'],
      unwell: ['a'],
      does: 'kill pod',
    },
    'startup fails': {
      pod: { containers: [container('a', { startupProbe: probe })] },
      has: ['a running'],
      unwell: ['a'],
      does: 'kill a (Container a failed startup probe, will be restarted), start a',
    },
    'nothing is started in a pod that is to go': {
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      has: ['a exited 1'],
      does: 'kill pod',
    },
  }))

describe('init containers', () => {
  const initContainers = [container('i'), container('j')]
  table({
    'the first goes first': { pod: { initContainers }, does: 'start i' },
    'nothing happens while one runs': { pod: { initContainers }, has: ['i running'], does: '' },
    'the next one follows': { pod: { initContainers }, has: ['i exited 0'], does: 'start j' },
    'then the main ones': { pod: { initContainers }, has: ['i exited 0', 'j exited 0'], does: 'start a' },
    'the last one tells, even if those before it are forgotten': {
      pod: { initContainers },
      has: ['j exited 0'],
      does: 'start a',
    },
    'a main container that runs tells as well': { pod: { initContainers }, has: ['a running'], does: '' },
    'one that failed is tried again': { pod: { initContainers }, has: ['i exited 1'], does: 'start i' },
    'one that failed ends the pod that never restarts': {
      pod: { initContainers, restartPolicy: 'Never' },
      has: ['i exited 1'],
      does: 'kill pod',
    },
    'one that may fail only once ends a pod that restarts': {
      pod: { initContainers: [container('i', { restartPolicy: 'Never' })] },
      has: ['i exited 1'],
      does: 'kill pod',
    },
    'one whose state nobody knows is killed first': {
      pod: { initContainers },
      has: ['i unknown'],
      does: 'kill i (Init container is in "unknown" state, try killing it before restart), start i',
    },
    'one that was never started is made again': {
      pod: { initContainers },
      has: ['i created'],
      does: 'remove i, start i',
    },
  })
})

describe('sidecars', () => {
  const initContainers = [sidecar('s', { startupProbe: probe }), container('i'), sidecar('t', { livenessProbe: probe })]
  table({
    'the first is started first': { pod: { initContainers }, does: 'start s' },
    'the next one waits until it is started': {
      pod: { initContainers },
      has: ['s running'],
      unstarted: ['s'],
      does: '',
    },
    'and then follows': { pod: { initContainers }, has: ['s running'], does: 'start i' },
    'one that does not start is restarted': {
      pod: { initContainers },
      has: ['s running'],
      unwell: ['s'],
      does: 'kill s (Init container s failed startup probe), start s',
    },
    'one that ended on the way is restarted, and the next one is not held back': {
      pod: { initContainers },
      has: ['s exited 1', 'i exited 0'],
      does: 'start s t',
    },
    'when the last is there, the main ones start': {
      pod: { initContainers },
      has: ['s running', 'i exited 0', 't running'],
      does: 'start a',
    },
    'beside main containers they are kept running': {
      pod: { initContainers },
      has: ['s exited 0', 'i exited 0', 't running', 'a running'],
      does: 'start s',
    },
    'even those that are forgotten': { pod: { initContainers }, has: ['a running', 't running'], does: 'start s' },
    'one that does badly is restarted': {
      pod: { initContainers },
      has: ['s running', 't running', 'a running'],
      unwell: ['t'],
      does: 'kill t (Init container t failed liveness probe), start t',
    },
    'they do not keep a pod alive that is done': {
      pod: { initContainers, restartPolicy: 'Never' },
      has: ['s exited 1', 'i exited 0', 't running', 'a exited 0'],
      does: 'kill pod',
    },
  })
})

describe('ephemeral containers', () => {
  const ephemeralContainers = [{ name: 'e', image: 'e:1' }]
  table({
    'are started before anything else': { pod: { ephemeralContainers }, does: 'start e a' },
    'also while the pod initializes': {
      pod: { ephemeralContainers, initContainers: [container('i')] },
      has: ['i running'],
      does: 'start e',
    },
    'and never again': { pod: { ephemeralContainers }, has: ['a running', 'e exited 1'], does: '' },
    'unless they were never started': {
      pod: { ephemeralContainers },
      has: ['a running', 'e created'],
      does: 'remove e, start e',
    },
  })
})

describe('a rule that restarts all', () => {
  const restartPolicyRules = [
    { action: 'RestartAllContainers' as const, exitCodes: { operator: 'In' as const, values: [42] } },
  ]
  const containers = [container('a', { restartPolicy: 'Never', restartPolicyRules }), container('b')]
  table({
    'takes the main ones away, then init containers backwards, and the cause last': {
      pod: { restartPolicy: 'Never', containers, initContainers: [container('i'), sidecar('s')] },
      has: ['a exited 42', 'b running', 'i exited 0', 's running'],
      does: 'reset b, reset s, reset i, reset a',
    },
    'is over when the cause is gone': {
      pod: { restartPolicy: 'Never', containers, initContainers: [container('i')] },
      does: 'start i',
    },
    'does not hold for other codes': {
      pod: { restartPolicy: 'Never', containers },
      has: ['a exited 1', 'b running'],
      does: '',
    },
  })
})
