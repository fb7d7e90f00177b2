import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pod } from '../../api/core/v1/pod.js'
import { completedEnding, endingOf, remainingTime } from './ending.js'
import { type JobOptions, job, pod, start, stateOf } from './job.test.kit.js'

function ending(options: JobOptions, pods: readonly Pod[], seconds = 0): string | undefined {
  const found = endingOf(stateOf(job(options), pods, start + seconds * 1000))
  return found && `${found.declaredAs} ${found.reason}: ${found.message}`
}

const failed = (name: string, options = {}) => pod(name, { phase: 'Failed', exitCode: 1, ...options })
const backoff = 'FailureTarget BackoffLimitExceeded: Job has reached the specified backoff limit'
const deadline = 'FailureTarget DeadlineExceeded: Job was active longer than specified deadline'

describe('a job fails', () => {
  test('when more pods have failed than it allows, wherever they are counted', () => {
    const spec = { backoffLimit: 2 }
    const status = { failed: 1, uncountedTerminatedPods: { failed: ['uid-a'] } }
    assert.equal(ending({ spec, status }, [failed('a')]), undefined)
    assert.equal(ending({ spec, status }, [failed('a'), failed('b')]), backoff)
  })

  test('when one pod is deleted too often, unless it waits to see how that ends', () => {
    const going = pod('a', { isTerminating: true })
    assert.equal(ending({ spec: { backoffLimit: 0 } }, [going]), backoff)
    assert.equal(ending({ spec: { backoffLimit: 0, podReplacementPolicy: 'Failed' } }, [going]), undefined)
  })

  test('when containers are restarted in place too often', () => {
    const template = { spec: { restartPolicy: 'OnFailure', containers: [] } } as never
    const restarted = (restarts: number) => [pod('a', { restarts }), pod('b', { phase: 'Failed', restarts: 9 })]
    assert.equal(ending({ spec: { template, backoffLimit: 3 } }, restarted(2)), undefined)
    assert.equal(ending({ spec: { template, backoffLimit: 3 } }, restarted(3)), backoff)
    assert.equal(ending({ spec: { template, backoffLimit: 0 } }, [pod('a')]), undefined)
    assert.equal(ending({ spec: { template, backoffLimit: 0 } }, [pod('a', { restarts: 1 })]), backoff)
  })

  test('at its deadline, which does not come while it is suspended', () => {
    assert.equal(ending({ spec: { activeDeadlineSeconds: 60 } }, [], 59), undefined)
    assert.equal(ending({ spec: { activeDeadlineSeconds: 60 } }, [], 60), deadline)
    assert.equal(ending({ spec: { activeDeadlineSeconds: 60, suspend: true } }, [], 99), undefined)
    assert.equal(remainingTime(stateOf(job({ spec: { activeDeadlineSeconds: 60 } }), [], start + 20_000)), 40_000)
  })

  test('when its policy says so', () => {
    const podFailurePolicy = { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [3] } }] } as never
    const message = 'Container c for pod default/b failed with exit code 3 matching FailJob rule at index 0'
    const pods = [failed('a'), failed('b', { exitCode: 3, isTracked: false })]
    assert.equal(ending({ spec: { podFailurePolicy } }, pods), `FailureTarget PodFailurePolicy: ${message}`)
  })

  test('of failures that are ignored never', () => {
    const podFailurePolicy = { rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } }] } as never
    assert.equal(ending({ spec: { podFailurePolicy, backoffLimit: 0 } }, [failed('a')]), undefined)
  })

  const indexed = { completionMode: 'Indexed', completions: 4, parallelism: 4, backoffLimitPerIndex: 1 } as const

  test('when too many indexes have', () => {
    const spec = { ...indexed, maxFailedIndexes: 1 }
    const pods = [failed('a', { index: 0, failures: 1 }), failed('b', { index: 1, failures: 1 })]
    assert.equal(ending({ spec }, pods.slice(0, 1)), undefined)
    assert.equal(
      ending({ spec }, pods),
      'FailureTarget MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes',
    )
  })

  test('when every index has ended, and some of them badly', () => {
    const pods = [failed('a', { index: 3, failures: 1 })]
    const expected = 'FailureTarget FailedIndexes: Job has failed indexes'
    assert.equal(ending({ spec: indexed, status: { completedIndexes: '0-2' } }, pods), expected)
    assert.equal(ending({ spec: indexed, status: { completedIndexes: '0,1' } }, pods), undefined)
  })
})

describe('a job ends well', () => {
  test('when its policy says that enough has succeeded', () => {
    const spec = {
      completionMode: 'Indexed',
      completions: 4,
      successPolicy: { rules: [{ succeededCount: 1 }] },
    } as const
    const expected = 'SuccessCriteriaMet SuccessPolicy: Matched rules at index 0'
    assert.equal(ending({ spec }, [pod('a', { phase: 'Succeeded', index: 2 })]), expected)
    assert.equal(ending({ spec }, [pod('a', { phase: 'Succeeded', index: 2, isTracked: false })]), undefined)
  })

  test('when as much as it wants has succeeded and nothing runs', () => {
    const done = stateOf(job({ spec: { completions: 3 }, status: { succeeded: 2 } }), [
      pod('a', { phase: 'Succeeded' }),
    ])
    assert.equal(completedEnding(done, 1), undefined)
    assert.equal(completedEnding(done, 0)?.reason, 'CompletionsReached')
    assert.equal(
      completedEnding(stateOf(job({ spec: { completions: 4 }, status: { succeeded: 3 } }), []), 0),
      undefined,
    )
  })

  test('with one success, where it wants no particular number', () => {
    const { completions: _, ...spec } = job().spec
    const queue = (succeeded: number) => stateOf({ ...job(), spec, status: { succeeded } }, [])
    assert.equal(completedEnding(queue(0), 0), undefined)
    assert.equal(completedEnding(queue(1), 0)?.endsAs, 'Complete')
  })
})

describe('what was declared stands', () => {
  const condition = (type: string) => ({ type, status: 'True', reason: 'Because', message: 'of that' }) as never

  test('though the deadline is over meanwhile', () => {
    const options = (type: string) => ({
      spec: { activeDeadlineSeconds: 1 },
      status: { conditions: [condition(type)] },
    })
    assert.equal(ending(options('SuccessCriteriaMet'), [], 9), 'SuccessCriteriaMet Because: of that')
    assert.equal(ending(options('FailureTarget'), [], 9), 'FailureTarget Because: of that')
    assert.equal(ending(options('Suspended'), [], 9), deadline)
  })
})
