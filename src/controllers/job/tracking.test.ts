import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Job, JobStatus } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { endingOf, type JobEnding } from './ending.js'
import { type JobOptions, type JobPodOptions, job, pod, stateOf } from './job.test.kit.js'
import { jobStatus } from './status.js'
import { isTracked } from './tracked-pods.js'
import { countReleased, track, uidsOf } from './tracking.js'

const indexed: JobOptions = { spec: { completionMode: 'Indexed', completions: 30, parallelism: 30 } }

/** A job and its pods in a store that keeps what was written, and a loop that is killed after `writes` of them. */
class Store {
  job: Job
  pods: Pod[]

  constructor(of: Job, pods: readonly Pod[]) {
    this.job = of
    this.pods = [...pods]
  }

  reconcile(writes = Number.POSITIVE_INFINITY, ending?: JobEnding): void {
    let left = writes
    const write = (what: () => void) => {
      if (left-- > 0) what()
    }
    const counts = { active: 0, ready: 0, terminating: 0 }
    const seen = stateOf(this.job, this.pods)
    const tracking = track(seen, jobStatus(seen, counts), ending)
    write(() => this.#setStatus(tracking.status))
    for (const released of tracking.release) write(() => this.#release(released))
    write(() => this.#setStatus(countReleased(this.job.status, uidsOf(this.pods.filter(isTracked)))))
  }

  #setStatus(status: JobStatus): void {
    this.job = { ...this.job, status }
  }

  #release({ metadata }: Pod): void {
    const { finalizers: _, ...rest } = metadata
    this.pods = this.pods.map((each) => (each.metadata.uid === metadata.uid ? { ...each, metadata: rest } : each))
  }

  end(options: JobPodOptions & { readonly name: string }): void {
    this.pods = this.pods.map((each) => (each.metadata.name === options.name ? pod(options.name, options) : each))
  }

  get numbers() {
    const { succeeded = 0, failed = 0, uncountedTerminatedPods } = this.job.status
    return { succeeded, failed, uncounted: uncountedTerminatedPods }
  }
}

describe('every pod that ends is counted once', () => {
  const phaseLists = fc.array(fc.constantFrom('Succeeded' as const, 'Failed' as const, 'Running' as const), {
    maxLength: 30,
  })
  /** After how many writes each of the loops was killed that came before the last one. */
  const kills = fc.array(fc.nat(20), { maxLength: 8 })

  for (const [what, options] of [
    ['in a job without indexes', { spec: { completions: 30, parallelism: 30 } }],
    ['in an indexed job', indexed],
  ] as const)
    test(`${what}, whenever the loop is killed`, () =>
      fc.assert(
        fc.property(phaseLists, kills, (phases, deaths) => {
          const name = (i: number) => `p${i}`
          const store = new Store(
            job(options),
            phases.map((_, index) => pod(name(index), { index })),
          )
          for (const [i, phase] of phases.entries()) {
            store.end({ name: name(i), phase, index: i })
            if (deaths[i] !== undefined) store.reconcile(deaths[i])
          }
          for (const death of deaths) store.reconcile(death)
          store.reconcile()
          assert.deepEqual(store.numbers, {
            succeeded: phases.filter((phase) => phase === 'Succeeded').length,
            failed: phases.filter((phase) => phase === 'Failed').length,
            uncounted: {},
          })
          assert.ok(store.pods.every((each) => isTracked(each) === (each.status.phase === 'Running')))
        }),
      ))
})

describe('pods are let go', () => {
  const released = (of: Job, pods: readonly Pod[], ending?: JobEnding) =>
    track(stateOf(of, pods), of.status, ending).release.map(({ metadata }) => metadata.name)

  test('when they have ended', () => {
    const pods = [
      pod('a'),
      pod('b', { phase: 'Succeeded' }),
      pod('c', { phase: 'Failed' }),
      pod('d', { isTerminating: true }),
    ]
    assert.deepEqual(released(job(), pods), ['b', 'c', 'd'])
    assert.deepEqual(released(job({ spec: { podReplacementPolicy: 'Failed' } }), pods), ['b', 'c'])
  })

  test('when the job goes', () =>
    assert.deepEqual(released(job({ deletionTimestamp: '2026-01-01T00:00:00Z' }), [pod('a')]), ['a']))

  test('not before another one knows how often its index failed', () => {
    const limited = job({ spec: { ...indexed.spec, backoffLimitPerIndex: 3 } })
    const failed = pod('a', { phase: 'Failed', index: 0, failures: 0, exitCode: 1 })
    assert.deepEqual(released(limited, [failed]), [])
    assert.deepEqual(released(limited, [failed, pod('b', { index: 0, failures: 1 })]), ['a'])
  })

  test('five hundred at a time', () => {
    const many = Array.from({ length: 700 }, (_, i) => pod(`p${i}`, { phase: 'Succeeded' }))
    const tracking = track(stateOf(job(), many), {}, undefined)
    assert.equal(tracking.release.length, 500)
    assert.equal(tracking.status.uncountedTerminatedPods?.succeeded?.length, 500)
    assert.ok(tracking.isPartial)
  })
})

describe('what still runs when a job ends', () => {
  const conditions = (type: string) => [{ type, status: 'True', reason: 'r', message: 'm' }] as never
  const ending = (type: string) =>
    job({ spec: { completions: 3, parallelism: 3 }, status: { conditions: conditions(type) } })

  for (const [type, failed] of [
    ['FailureTarget', 2],
    ['SuccessCriteriaMet', 1],
  ] as const)
    test(`${type === 'FailureTarget' ? 'fails with it' : 'has not failed if it ends well'}`, () => {
      const of = ending(type)
      const store = new Store(of, [pod('a'), pod('b', { phase: 'Failed' }), pod('c', { phase: 'Succeeded' })])
      store.reconcile(Number.POSITIVE_INFINITY, endingOf(stateOf(of, store.pods)))
      assert.deepEqual(store.numbers, { succeeded: 1, failed, uncounted: {} })
      assert.ok(!store.pods.some(isTracked))
    })
})
