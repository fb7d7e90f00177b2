import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness } from '../../../../testing/objects/kind-harness.js'
import type { Pod } from '../pod.js'

const trial = new KindHarness<Pod>('core/v1.Pod')
/** An assignment as an expression. */
const set = (target: object, key: string, value: unknown): unknown => Object.assign(target, { [key]: value })

const app = { name: 'app', image: 'nginx:1' }
const body = (spec: object, rest: object) => ({ spec: { containers: [app], ...spec }, ...rest })
const created = (spec: object = {}, rest: object = {}): Pod => trial.create(body(spec, rest)).object

const fixed =
  'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

describe('an existing pod', () => {
  const old = created({
    initContainers: [{ name: 'init', image: 'a' }],
    tolerations: [{ key: 'a', operator: 'Exists' }],
  })

  test('can change its images, shorten its deadline, and tolerate more', () => {
    const { object: pod, errors } = trial.update(old, ({ spec }) => {
      spec.containers[0]!.image = 'nginx:2'
      spec.initContainers![0]!.image = 'b'
      spec.activeDeadlineSeconds = 5
      spec.tolerations = [{ key: 'b' }, { key: 'a', operator: 'Exists' }]
    })
    assert.deepEqual(errors, [])
    assert.equal(trial.strategy.intent!(pod)[0] === trial.strategy.intent!(old)[0], false)
    assert.deepEqual(trial.update(pod, ({ spec }) => set(spec, 'activeDeadlineSeconds', 6)).errors, [
      'spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous value',
    ])
    assert.deepEqual(
      trial.update(pod, ({ spec }) => {
        delete spec.activeDeadlineSeconds
      }).errors,
      ['spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer to nil value'],
    )
  })

  test('keeps its status', () =>
    assert.deepEqual(
      trial.update(old, (draft) => {
        draft.status = { phase: 'Failed' }
      }).object.status,
      old.status,
    ))

  test('cannot change other fields', () => {
    for (const change of [
      { restartPolicy: 'Never' },
      { serviceAccountName: 'x' },
      { nodeSelector: { a: 'b' } },
      { priority: 1 },
    ])
      assert.deepEqual(
        trial.update(old, ({ spec }) => Object.assign(spec, change)).errors,
        [fixed],
        JSON.stringify(change),
      )
    assert.deepEqual(trial.update(old, ({ spec }) => set(spec, 'tolerations', [])).errors, [
      'spec.tolerations: Forbidden: existing toleration can not be modified except its tolerationSeconds',
    ])
    assert.deepEqual(
      trial.update(old, ({ spec }) => {
        spec.containers.push({ name: 'b', image: 'b', resources: {} } as never)
      }).errors,
      ['spec.containers: Forbidden: pod updates may not add or remove containers'],
    )
    assert.deepEqual(trial.update(old, ({ spec }) => set(spec.containers[0]!, 'image', '')).errors, [
      'spec.containers[0].image: Required value',
      'spec.containers[0].image: Required value',
    ])
  })

  test('keeps immutable annotations', () => {
    const key = 'container.apparmor.security.beta.kubernetes.io/app'
    assert.deepEqual(
      trial.update(old, ({ metadata }) => {
        metadata.annotations = { [key]: 'unconfined', 'kubernetes.io/config.mirror': '' }
      }).errors,
      [
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "": must set spec.nodeName if mirror pod annotation is set',
        `metadata.annotations[${key}]: Forbidden: may not add AppArmor annotations`,
        'metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may not add mirror pod annotation',
        'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "": must set spec.nodeName if mirror pod annotation is set',
      ],
    )
  })
})

describe('a pod with scheduling gates', () => {
  const terms = (...values: string[][]) => ({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: values.map((keys) => ({
          matchExpressions: keys.map((key) => ({ key, operator: 'Exists' as const })),
        })),
      },
    },
  })
  const gated = created({
    schedulingGates: [{ name: 'a' }, { name: 'b' }],
    nodeSelector: { disk: 'ssd' },
    affinity: terms(['x']),
  })

  test('can only lose gates', () => {
    assert.deepEqual(trial.update(gated, ({ spec }) => set(spec, 'schedulingGates', [{ name: 'b' }])).errors, [])
    assert.deepEqual(
      trial.update(gated, ({ spec }) => {
        spec.schedulingGates!.push({ name: 'c' })
      }).errors,
      ["spec.schedulingGates[2].name: Forbidden: only deletion is allowed, but found new scheduling gate 'c'"],
    )
  })

  test('can be restricted to fewer nodes', () => {
    assert.deepEqual(trial.update(gated, ({ spec }) => set(spec.nodeSelector!, 'zone', 'a')).errors, [])
    assert.deepEqual(trial.update(gated, ({ spec }) => set(spec, 'affinity', terms(['x', 'y']) as never)).errors, [])
    const { affinity: _, ...free } = gated.spec
    const bare = { ...gated, spec: free } as Pod
    assert.deepEqual(trial.update(bare, ({ spec }) => set(spec, 'affinity', terms(['x']) as never)).errors, [])
    assert.deepEqual(trial.update(bare, ({ spec }) => set(spec, 'affinity', { podAffinity: {} } as never)).errors, [
      fixed,
    ])
  })

  test('cannot be extended to more nodes', () => {
    assert.deepEqual(trial.update(gated, ({ spec }) => set(spec, 'nodeSelector', { disk: 'hdd' })).errors, [
      'spec.nodeSelector: Invalid value: {"disk":"hdd"}: only additions to spec.nodeSelector are allowed (no mutations or deletions)',
    ])
    const at = 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms'
    const shown = (key: string) =>
      `{"MatchExpressions":[{"Key":"${key}","Operator":"Exists","Values":null}],"MatchFields":null}`
    assert.deepEqual(trial.update(gated, ({ spec }) => set(spec, 'affinity', terms(['x'], ['y']) as never)).errors, [
      `${at}: Invalid value: [${shown('x')},${shown('y')}]: no additions/deletions to non-empty NodeSelectorTerms list are allowed`,
    ])
    assert.deepEqual(trial.update(gated, ({ spec }) => set(spec, 'affinity', terms(['y']) as never)).errors, [
      `${at}[0]: Invalid value: ${shown('y')}: only additions are allowed (no mutations or deletions)`,
    ])
  })
})
