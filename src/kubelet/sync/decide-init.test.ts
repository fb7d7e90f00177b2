import { describe } from 'node:test'
import { container, probe, sidecar, table } from './decide.test.kit.js'

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
