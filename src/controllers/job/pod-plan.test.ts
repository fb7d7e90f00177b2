import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { type JobOptions, job, pod, start, stateOf } from './job.test.kit.js'
import { jobPod } from './job-pod.js'
import { planPods } from './pod-plan.js'

function plan(options: JobOptions, pods: readonly Pod[], seconds = 0): string {
  const { remove, add, after } = planPods(stateOf(job(options), pods, start + seconds * 1000))
  const said = [
    remove.length > 0 && `remove ${remove.map(({ metadata }) => metadata.name).sort()}`,
    add.length > 0 && `add ${add[0]?.index === undefined ? add.length : `#${add.map(({ index }) => index)}`}`,
    after !== undefined && `wait ${after / 1000}`,
  ]
  return said.filter(Boolean).join(', ') || 'nothing'
}

const failed = (name: string, options = {}) => pod(name, { phase: 'Failed', exitCode: 1, finishedAt: 0, ...options })

describe('a job makes', () => {
  test('as many pods as may run at once', () =>
    assert.equal(plan({ spec: { parallelism: 3, completions: 9 } }, []), 'add 3'))
  test('no more than it needs', () =>
    assert.equal(plan({ spec: { parallelism: 3, completions: 5 }, status: { succeeded: 3 } }, [pod('a')]), 'add 1'))
  test('no others once one has succeeded, where it wants no particular number', () => {
    const { completions: _, ...spec } = { ...job().spec, parallelism: 3 }
    const queue = { ...job(), spec }
    assert.equal(planPods(stateOf(queue, [])).add.length, 3)
    assert.equal(planPods(stateOf({ ...queue, status: { succeeded: 1 } }, [pod('a')])).add.length, 0)
  })
  test('at most five hundred at a time', () =>
    assert.equal(plan({ spec: { parallelism: 900, completions: 900 } }, []), 'add 500'))
  test('nothing while it is suspended', () => assert.equal(plan({ spec: { suspend: true } }, []), 'nothing'))
  test('none in the place of one that is going, where only what has failed is replaced', () => {
    const going = pod('a', { isTerminating: true })
    assert.equal(plan({ spec: { podReplacementPolicy: 'Failed' } }, [going]), 'nothing')
    assert.equal(plan({}, [going], 10), 'add 1')
  })
})

describe('after a failure a job waits', () => {
  test('before it makes another pod', () => {
    assert.equal(plan({}, [failed('a')], 4), 'wait 6')
    assert.equal(plan({}, [failed('a')], 10), 'add 1')
    assert.equal(plan({}, [failed('a'), failed('b', { finishedAt: 2 })], 4), 'wait 18')
  })
})

const indexed = { completionMode: 'Indexed', completions: 4, parallelism: 4 } as const

describe('an indexed job makes', () => {
  test('the first pods that are missing', () => {
    const pods = [pod('a', { index: 1 }), pod('b', { phase: 'Succeeded', index: 0 })]
    assert.equal(plan({ spec: indexed }, pods), 'add #2,3')
    assert.equal(plan({ spec: { ...indexed, parallelism: 2 } }, pods), 'add #2')
  })

  test('none for indexes that failed, and each other one after its own delay', () => {
    const spec = { ...indexed, backoffLimitPerIndex: 2 }
    const pods = [
      failed('a', { index: 0, failures: 2 }),
      failed('b', { index: 1, failures: 1 }),
      failed('c', { index: 2, failures: 0 }),
    ]
    assert.equal(plan({ spec }, pods, 5), 'add #3, wait 5')
    assert.equal(plan({ spec }, [...pods, pod('d', { index: 3 })], 5), 'wait 5')
    assert.equal(plan({ spec }, [...pods, pod('d', { index: 3 })], 10), 'add #2, wait 10')
  })
})

describe('a job removes', () => {
  test('what is too much', () =>
    assert.equal(
      plan({ spec: { parallelism: 1, completions: 9 } }, [pod('a'), pod('b', { phase: 'Pending' })]),
      'remove b',
    ))
  test('everything that runs when it is suspended', () =>
    assert.equal(plan({ spec: { suspend: true } }, [pod('a'), pod('b', { phase: 'Succeeded' })]), 'remove a'))
  test('what stands for no index, or for one that another pod stands for, before it makes anything', () => {
    const pods = [
      pod('a', { index: 0 }),
      pod('b', { index: 0, phase: 'Pending' }),
      pod('c', { index: 4 }),
      pod('d'),
      pod('e', { index: 'x' }),
    ]
    assert.equal(plan({ spec: indexed }, pods), 'remove b,c,d,e')
  })
})

describe('a pod of a job', () => {
  test('is tracked', () =>
    assert.deepEqual(jobPod(job(), {}).metadata.finalizers, ['batch.kubernetes.io/job-tracking']))

  test('knows its index', () => {
    const { metadata, spec } = jobPod(job({ spec: indexed }), { index: 2 })
    assert.equal(metadata.generateName, 'j-2-')
    assert.equal(metadata.labels?.['batch.kubernetes.io/job-completion-index'], '2')
    assert.deepEqual(metadata.annotations, { 'batch.kubernetes.io/job-completion-index': '2' })
    assert.equal(spec?.hostname, 'j-2')
    const fieldPath = "metadata.labels['batch.kubernetes.io/job-completion-index']"
    assert.deepEqual(spec?.containers[0]?.env, [
      { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath } } },
    ])
  })

  test('knows how often its index failed, and keeps apart what was ignored', () => {
    const podFailurePolicy = { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [9] } }] } as never
    const limited = job({ spec: { ...indexed, backoffLimitPerIndex: 3, podFailurePolicy } })
    const counts = (replaces?: Pod) => {
      const { annotations = {} } = jobPod(limited, { index: 0, ...(replaces && { replaces }) }).metadata
      return ['failure', 'ignored-failure'].map((what) => annotations[`batch.kubernetes.io/job-index-${what}-count`])
    }
    assert.deepEqual(counts(), ['0', undefined])
    assert.deepEqual(counts(failed('a', { index: 0, failures: 1 })), ['2', undefined])
    assert.deepEqual(counts(failed('a', { index: 0, failures: 1, exitCode: 9 })), ['1', '1'])
  })

  test('has a name that leaves room for its index', () => {
    const long = { ...job({ spec: indexed }), metadata: { name: 'x'.repeat(63), namespace: 'default', uid: 'u' } }
    const { generateName = '' } = jobPod(long, { index: 123 }).metadata
    assert.equal(generateName.length, 58)
    assert.ok(generateName.endsWith('x-123-'))
  })
})
