import { describe } from 'node:test'
import { container, probe, sandbox, sidecar, table } from './decide.test.kit.js'

describe('sandboxes', () =>
  table({
    'a new pod gets one, and its containers': { sandboxes: [], does: 'kill pod, sandbox 0, start a' },
    'a ready one is kept': { has: ['a running'], does: '' },
    'a dead one is replaced, whatever the states of its containers': {
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a running'],
      does: 'kill pod, sandbox 1, start a',
    },
    'two ready ones are replaced': {
      sandboxes: [{ ...sandbox, attempt: 1 }, sandbox],
      has: ['a running'],
      does: 'kill pod, sandbox 2, start a',
    },
    'one without an address is replaced': {
      sandboxes: [{ ...sandbox, addresses: [] }],
      does: 'kill pod, sandbox 1, start a',
    },
    'on the host network no address is needed': {
      pod: { hostNetwork: true },
      sandboxes: [{ ...sandbox, addresses: [], hasHostNetwork: true }],
      has: ['a running'],
      does: '',
    },
    'one on the wrong network is replaced': { pod: { hostNetwork: true }, does: 'kill pod, sandbox 1, start a' },
    'a pod that never restarts ends with its sandbox': {
      pod: { restartPolicy: 'Never' },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a exited 0'],
      does: 'kill pod',
    },
    'a pod that never restarts and has not started gets another one': {
      pod: { restartPolicy: 'Never' },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      does: 'kill pod, sandbox 1, start a',
    },
    'with OnFailure, succeeded containers do not start in the new one': {
      pod: { restartPolicy: 'OnFailure', containers: [container('a'), container('b')] },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a exited 0', 'b exited 1'],
      does: 'kill pod, sandbox 1, start b',
    },
    'with OnFailure, a succeeded pod gets no new one': {
      pod: { restartPolicy: 'OnFailure' },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a exited 0'],
      does: 'kill pod',
    },
    'a new one repeats the initialization': {
      pod: { initContainers: [container('i'), container('j')] },
      sandboxes: [{ ...sandbox, state: 'notReady' }],
      has: ['a exited 1', 'i exited 0', 'j exited 0'],
      does: 'kill pod, sandbox 1, remove i, remove j, start i',
    },
  }))

describe('main containers', () =>
  table({
    'are started if they do not exist': { does: 'start a' },
    'are restarted by policy: Always': { has: ['a exited 0'], does: 'start a' },
    'OnFailure, failed': { pod: { restartPolicy: 'OnFailure' }, has: ['a exited 1'], does: 'start a' },
    'OnFailure, succeeded': { pod: { restartPolicy: 'OnFailure' }, has: ['a exited 0'], does: 'kill pod' },
    Never: { pod: { restartPolicy: 'Never' }, has: ['a exited 1'], does: 'kill pod' },
    'Never, and one still runs': {
      pod: { restartPolicy: 'Never', containers: [container('a'), container('b')] },
      has: ['a exited 1', 'b running'],
      does: '',
    },
    'the policy of the container takes precedence': {
      pod: { restartPolicy: 'Never', containers: [container('a', { restartPolicy: 'OnFailure' })] },
      has: ['a exited 1'],
      does: 'start a',
    },
    'a matching rule takes precedence over both': {
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
    'a rule that does not match is ignored': {
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
    'one that was created but never started is recreated': { has: ['a created'], does: 'remove a, start a' },
    'one in the unknown state is killed before it is restarted': {
      has: ['a unknown'],
      does: 'kill a (Container is in "unknown" state, try killing it before restart), start a',
    },
    'a changed image recreates the container, whatever the policy': {
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
    'nothing starts in a deleted pod': {
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      has: ['a exited 1'],
      does: 'kill pod',
    },
  }))

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

describe('the action RestartAllContainers', () => {
  const restartPolicyRules = [
    { action: 'RestartAllContainers' as const, exitCodes: { operator: 'In' as const, values: [42] } },
  ]
  const containers = [container('a', { restartPolicy: 'Never', restartPolicyRules }), container('b')]
  table({
    'removes main containers, then init containers backwards, and the cause last': {
      pod: { restartPolicy: 'Never', containers, initContainers: [container('i'), sidecar('s')] },
      has: ['a exited 42', 'b running', 'i exited 0', 's running'],
      does: 'reset b, reset s, reset i, reset a',
    },
    'ends when the cause is removed': {
      pod: { restartPolicy: 'Never', containers, initContainers: [container('i')] },
      does: 'start i',
    },
    'ignores other exit codes': {
      pod: { restartPolicy: 'Never', containers },
      has: ['a exited 1', 'b running'],
      does: '',
    },
  })
})
