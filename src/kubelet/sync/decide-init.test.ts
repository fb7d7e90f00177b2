import { describe } from 'node:test'
import { container, probe, sidecar, table } from './decide.test.kit.js'

describe('init containers', () => {
  const initContainers = [container('i'), container('j')]
  table({
    'the first goes first': { pod: { initContainers }, does: 'start i' },
    'nothing happens while one runs': { pod: { initContainers }, has: ['i running'], does: '' },
    'the next one follows': { pod: { initContainers }, has: ['i exited 0'], does: 'start j' },
    'then the main ones': { pod: { initContainers }, has: ['i exited 0', 'j exited 0'], does: 'start a' },
    'the last one shows the progress, even if earlier ones were removed': {
      pod: { initContainers },
      has: ['j exited 0'],
      does: 'start a',
    },
    'a running main container shows it as well': { pod: { initContainers }, has: ['a running'], does: '' },
    'a failed one is restarted': { pod: { initContainers }, has: ['i exited 1'], does: 'start i' },
    'a failed one fails a pod that never restarts': {
      pod: { initContainers, restartPolicy: 'Never' },
      has: ['i exited 1'],
      does: 'kill pod',
    },
    'a failed one that never restarts fails a pod that does': {
      pod: { initContainers: [container('i', { restartPolicy: 'Never' })] },
      has: ['i exited 1'],
      does: 'kill pod',
    },
    'one in the unknown state is killed first': {
      pod: { initContainers },
      has: ['i unknown'],
      does: 'kill i (Init container is in "unknown" state, try killing it before restart), start i',
    },
    'one that was created but never started is recreated': {
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
    'the next one waits until it has started': {
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
    'one that exited meanwhile is restarted, and does not delay the next one': {
      pod: { initContainers },
      has: ['s exited 1', 'i exited 0'],
      does: 'start s t',
    },
    'when the last has started, the main ones start': {
      pod: { initContainers },
      has: ['s running', 'i exited 0', 't running'],
      does: 'start a',
    },
    'beside main containers they are kept running': {
      pod: { initContainers },
      has: ['s exited 0', 'i exited 0', 't running', 'a running'],
      does: 'start s',
    },
    'even those that were removed': { pod: { initContainers }, has: ['a running', 't running'], does: 'start s' },
    'an unhealthy one is restarted': {
      pod: { initContainers },
      has: ['s running', 't running', 'a running'],
      unwell: ['t'],
      does: 'kill t (Init container t failed liveness probe), start t',
    },
    'they do not keep a completed pod alive': {
      pod: { initContainers, restartPolicy: 'Never' },
      has: ['s exited 1', 'i exited 0', 't running', 'a exited 0'],
      does: 'kill pod',
    },
  })
})
