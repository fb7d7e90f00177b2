import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Draft } from '../../../../schema/infer.js'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Pod } from '../pod.js'

const trial = new KindHarness<Pod>('core/v1.Pod')
/** An assignment as an expression. */
const set = (target: object, key: string, value: unknown): unknown => Object.assign(target, { [key]: value })

const app = { name: 'app', image: 'nginx:1' }
const body = (spec: object, rest: object) => ({ spec: { containers: [app], ...spec }, ...rest })
const created = (spec: object = {}, rest: object = {}): Pod => trial.create(body(spec, rest)).object

describe('debugging a pod', () => {
  const old = created()
  const debugger1 = {
    name: 'debugger',
    image: 'busybox',
    terminationMessagePolicy: 'File',
    imagePullPolicy: 'Always',
  } as const
  const view = 'ephemeralcontainers'

  test('adds containers and nothing else', () => {
    const { object: pod, errors } = trial.update(
      old,
      (draft) => {
        draft.spec.ephemeralContainers = [{ ...debugger1, resources: {} } as never]
        draft.spec.containers[0]!.image = 'other'
        draft.metadata.labels = { a: 'b' }
      },
      view,
    )
    assert.deepEqual(errors, [])
    assert.equal(pod.spec.containers[0]!.image, 'nginx:1')
    assert.equal(pod.metadata.labels, undefined)
    assert.equal(pod.spec.ephemeralContainers!.length, 1)
    assert.deepEqual(trial.update(pod, ({ spec }) => set(spec.ephemeralContainers![0]!, 'image', 'x'), view).errors, [
      'spec.ephemeralContainers: Forbidden: existing ephemeral containers "debugger" may not be changed',
    ])
    assert.deepEqual(
      trial.update(
        pod,
        ({ spec }) => {
          delete spec.ephemeralContainers
        },
        view,
      ).errors,
      ['spec.ephemeralContainers: Forbidden: existing ephemeral containers "debugger" may not be removed\n'],
    )
  })

  test('is rejected for mirror pods', () => {
    const mirror = { ...old, metadata: { ...old.metadata, annotations: { 'kubernetes.io/config.mirror': 'x' } } }
    assert.deepEqual(trial.update(mirror, () => {}, view).errors, [
      '[]: Forbidden: static pods do not support ephemeral containers',
    ])
  })
})

describe('resizing a pod', () => {
  const sized = (cpu: string, limits: object = { cpu: '1', memory: '1Gi' }) => ({
    ...app,
    resources: { requests: { cpu, memory: '1Gi' }, limits },
  })
  const old = created({ containers: [sized('500m')], initContainers: [{ ...sized('500m'), name: 'init' }] })
  const view = 'resize'

  test('changes CPU and memory only', () => {
    const { object: pod, errors } = trial.update(
      old,
      ({ spec }) => {
        spec.containers[0]!.resources!.requests!.cpu = '700m'
        spec.containers[0]!.image = 'other'
      },
      view,
    )
    assert.deepEqual(errors, [])
    assert.equal(pod.spec.containers[0]!.image, 'nginx:1')
    assert.equal(pod.spec.containers[0]!.resources!.requests!.cpu, '700m')
  })

  test('keeps the QoS class, and does not remove limits', () => {
    const change = (edit: (container: Draft<Pod>['spec']['containers'][number]) => void) =>
      trial.update(old, ({ spec }) => edit(spec.containers[0]!), view).errors
    assert.deepEqual(
      change(({ resources }) => {
        resources!.requests!.cpu = '1'
      }),
      [],
    )
    const single = created({ containers: [sized('500m')] })
    assert.deepEqual(
      trial.update(single, ({ spec }) => set(spec.containers[0]!.resources!.requests!, 'cpu', '1'), view).errors,
      ['spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing'],
    )
    assert.deepEqual(
      change(({ resources }) => {
        delete resources!.limits!.cpu
      }),
      ['spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed'],
    )
    assert.deepEqual(
      change(({ resources }) => {
        resources!.limits!['example.com/gpu'] = '1'
      }),
      ['spec: Forbidden: only cpu and memory resources are mutable'],
    )
    assert.deepEqual(
      trial.update(old, ({ spec }) => set(spec.initContainers![0]!.resources!.requests!, 'cpu', '1m'), view).errors,
      ['spec: Forbidden: resources for non-sidecar init containers are immutable'],
    )
    assert.deepEqual(trial.update(old, ({ spec }) => set(spec.containers[0]!, 'name', 'other'), view).errors, [
      'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
    ])
  })

  test('is rejected if the node does not support it', () => {
    const running = {
      ...old,
      status: { ...old.status, containerStatuses: [{ name: 'app', state: { running: {} } } as never] },
    }
    assert.deepEqual(trial.update(running, () => {}, view).errors, [
      'spec: Forbidden: Pod running on node without support for resize',
    ])
    const windows = { ...old, spec: { ...old.spec, os: { name: 'windows' } } }
    assert.deepEqual(trial.update(windows, () => {}, view).errors, ['[]: Forbidden: windows pods cannot be resized'])
  })
})
