import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Pod } from '../pod.js'
import { podCells, podRowConditions } from './cells.js'

const trial = new KindHarness<Pod>('core/v1.Pod')
const now = Date.parse('2024-01-01T01:00:00Z')

const pod = (status: object, { spec = {}, metadata = {} }: { spec?: object; metadata?: object } = {}): Pod =>
  trial.decode({
    metadata: { name: 'p', ...metadata },
    spec: { containers: [{ name: 'a' }, { name: 'b' }], ...spec },
    status,
  })

const row = (of: Pod) => ['Ready', 'Status', 'Restarts'].map((name) => podCells[name]!(of, now)).join(' ')

const container = (name: string, state: object, rest: object = {}) => ({
  name,
  image: '',
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
  ...rest,
})
const running = (name: string) => container(name, { running: {} }, { ready: true, started: true })
const ended = (name: string, terminated: object, rest: object = {}) =>
  container(name, { terminated: { exitCode: 0, ...terminated } }, rest)
const waiting = (name: string, reason?: string) => container(name, { waiting: reason ? { reason } : {} })
const condition = (type: string, status = 'True', reason?: string) => ({ type, status, ...(reason && { reason }) })

describe('the row of a pod', () => {
  test('begins with its phase, or the reason for it', () => {
    assert.equal(row(pod({ phase: 'Pending' })), '0/2 Pending 0')
    assert.equal(row(pod({ phase: 'Failed', reason: 'Evicted' })), '0/2 Evicted 0')
    assert.equal(
      row(pod({ phase: 'Pending', conditions: [condition('PodScheduled', 'False', 'SchedulingGated')] })),
      '0/2 SchedulingGated 0',
    )
  })

  test('shows the state of the first container that is not running', () => {
    const status = (...containerStatuses: object[]) => ({ phase: 'Running', containerStatuses })
    assert.equal(row(pod(status(running('a'), running('b')))), '2/2 Running 0')
    assert.equal(row(pod(status(running('a'), waiting('b', 'ImagePullBackOff')))), '1/2 ImagePullBackOff 0')
    assert.equal(
      row(pod(status(waiting('a', 'ContainerCreating'), ended('b', { reason: 'Error', exitCode: 1 })))),
      '0/2 ContainerCreating 0',
    )
    assert.equal(row(pod(status(running('a'), ended('b', { signal: 9 })))), '1/2 Signal:9 0')
    assert.equal(row(pod(status(running('a'), ended('b', { exitCode: 137 })))), '1/2 ExitCode:137 0')
  })

  test('is not completed while something runs', () => {
    const containerStatuses = [ended('a', { reason: 'Completed' }), running('b')]
    assert.equal(row(pod({ phase: 'Running', containerStatuses })), '1/2 NotReady 0')
    assert.equal(row(pod({ phase: 'Running', containerStatuses, conditions: [condition('Ready')] })), '1/2 Running 0')
    assert.equal(row(pod({ phase: 'Succeeded', containerStatuses: [containerStatuses[0]] })), '0/2 Completed 0')
  })

  test('shows the number of restarts and the time of the last one', () => {
    const lastState = (finishedAt: string) => ({
      restartCount: 2,
      lastState: { terminated: { exitCode: 1, finishedAt } },
    })
    const containerStatuses = [
      container('a', { running: {} }, lastState('2024-01-01T00:55:00Z')),
      container('b', { running: {} }, lastState('2024-01-01T00:30:00Z')),
    ]
    assert.equal(row(pod({ phase: 'Running', containerStatuses })), '0/2 Running 4 (5m ago)')
  })

  test('shows the end of the pod', () => {
    const metadata = { deletionTimestamp: '2024-01-01T00:00:00Z' }
    assert.equal(row(pod({ phase: 'Running' }, { metadata })), '0/2 Terminating 0')
    assert.equal(row(pod({ phase: 'Running', reason: 'NodeLost' }, { metadata })), '0/2 Unknown 0')
    assert.equal(row(pod({ phase: 'Failed' }, { metadata })), '0/2 Failed 0')
  })

  test('shows the node and the address', () => {
    const cells = (of: Pod) =>
      ['IP', 'Node', 'Nominated Node', 'Readiness Gates'].map((name) => podCells[name]!(of, now))
    assert.deepEqual(cells(pod({})), ['<none>', '<none>', '<none>', '<none>'])
    const spec = { nodeName: 'n', readinessGates: [{ conditionType: 'x' }, { conditionType: 'y' }] }
    assert.deepEqual(
      cells(
        pod(
          { podIP: '10.0.0.1', nominatedNodeName: 'm', conditions: [condition('x'), condition('y', 'False')] },
          { spec },
        ),
      ),
      ['10.0.0.1', 'n', 'm', '1/2'],
    )
  })

  test('has a row condition for a finished pod', () => {
    assert.deepEqual(podRowConditions(pod({ phase: 'Running' })), [])
    assert.deepEqual(podRowConditions(pod({ phase: 'Succeeded' })), [
      { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
    ])
    assert.equal(podRowConditions(pod({ phase: 'Failed' }))[0]!.message, 'The pod failed.')
  })
})

describe('the row of a pod that is being initialized', () => {
  const spec = { initContainers: [{ name: 'i' }, { name: 's', restartPolicy: 'Always' }, { name: 'j' }] }
  const init = (...initContainerStatuses: object[]) => pod({ phase: 'Pending', initContainerStatuses }, { spec })

  test('shows the progress', () => {
    assert.equal(row(init(running('i'))), '0/3 Init:0/3 0')
    assert.equal(row(init(ended('i', {}), running('s'), waiting('j', 'PodInitializing'))), '1/3 Init:2/3 0')
  })

  test('shows the reason of a failure', () => {
    assert.equal(row(init(waiting('i', 'CrashLoopBackOff'))), '0/3 Init:CrashLoopBackOff 0')
    assert.equal(row(init(ended('i', { exitCode: 1, reason: 'Error' }))), '0/3 Init:Error 0')
    assert.equal(row(init(ended('i', { exitCode: 3 }))), '0/3 Init:ExitCode:3 0')
    assert.equal(row(init(ended('i', { exitCode: 1, signal: 9 }))), '0/3 Init:Signal:9 0')
  })

  test('counts restarts of sidecars, but not of init containers, after initialization', () => {
    const again = { restartCount: 3 }
    const initContainerStatuses = [ended('i', {}, again), { ...running('s'), ...again }, ended('j', {})]
    const done = pod(
      { phase: 'Running', initContainerStatuses, containerStatuses: [running('a'), running('b')] },
      { spec },
    )
    assert.equal(row(done), '3/3 Running 3')
  })
})
