import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { Pod } from '../../api/core/v1/pod.js'
import { type DaemonSetOptions, daemonSet, layout, names, node, pod } from './daemonset.test.kit.js'
import { rollingUpdateStep } from './rolling-update.js'

const nodes = ['na', 'nb', 'nc', 'nd'].map((name) => node(name))
const old = (name: string, options = {}) => pod(`old-${name}`, name, { hash: 'before', readySince: 0, ...options })
const fresh = (name: string, options = {}) => pod(`new-${name}`, name, { readySince: 0, ...options })
const down = { readySince: undefined }

function step(options: DaemonSetOptions, pods: readonly Pod[]) {
  const { create, remove } = rollingUpdateStep(layout(daemonSet(options), nodes, pods))
  return [create.join(), names(remove).join()]
}

describe('an update with gaps', () => {
  test('takes as many pods at a time as may be unavailable', () => {
    const all = ['na', 'nb', 'nc', 'nd'].map((name) => old(name))
    assert.deepEqual(step({}, all), ['', 'old-na'])
    assert.deepEqual(step({ maxUnavailable: '50%' }, all), ['', 'old-na,old-nb'])
    assert.deepEqual(step({ maxUnavailable: '30%' }, all), ['', 'old-na,old-nb'])
  })
  test('waits until the new ones are available', () => {
    const rest = [old('nb'), old('nc'), old('nd')]
    assert.deepEqual(step({}, [fresh('na', down), ...rest]), ['', ''])
    assert.deepEqual(step({}, [old('na', { isTerminating: true }), ...rest]), ['', ''])
    assert.deepEqual(step({}, rest), ['', ''])
    assert.deepEqual(step({}, [fresh('na'), ...rest]), ['', 'old-nb'])
  })
  test('takes old pods that are down in any case', () =>
    assert.deepEqual(step({}, [fresh('na', down), old('nb', down), old('nc', down), old('nd')]), ['', 'old-nb,old-nc']))
  test('counts a new pod as available only when it has been ready for long enough', () => {
    const pods = [fresh('na', { readySince: 95 }), old('nb'), old('nc'), old('nd')]
    assert.deepEqual(step({ spec: { minReadySeconds: 10 } }, pods), ['', ''])
    assert.deepEqual(step({ spec: { minReadySeconds: 5 } }, pods), ['', 'old-nb'])
  })
  test('goes on though neither gap nor surge is allowed', () =>
    assert.deepEqual(step({ maxUnavailable: 0 }, [old('na'), old('nb'), old('nc'), old('nd')]), ['', 'old-na']))

  const state = fc.constantFrom('old', 'old and down', 'new', 'new and down', 'none' as const)
  test('never makes more nodes unavailable than it may', () =>
    fc.assert(
      fc.property(fc.array(state, { minLength: 4, maxLength: 4 }), fc.integer({ min: 1, max: 4 }), (states, most) => {
        const pods = states.flatMap((one, i) => {
          const name = nodes[i]!.metadata.name!
          if (one === 'none') return []
          return [one.startsWith('old') ? old(name, one === 'old' ? {} : down) : fresh(name, one === 'new' ? {} : down)]
        })
        const removed = step({ maxUnavailable: most }, pods)[1]!.split(',')
        const upBefore = states.filter((one) => one === 'old' || one === 'new').length
        const lost = states.filter(
          (one, i) => one === 'old' && removed.includes(`old-${nodes[i]!.metadata.name}`),
        ).length
        assert.ok(lost === 0 || upBefore - lost >= 4 - most)
      }),
    ))
})

describe('an update with a surge', () => {
  const surge = { maxSurge: 2, maxUnavailable: 0 }
  const all = ['na', 'nb', 'nc', 'nd'].map((name) => old(name))

  test('makes new pods beside old ones, as many as it may', () => {
    assert.deepEqual(step(surge, all), ['na,nb', ''])
    assert.deepEqual(step(surge, [...all, fresh('na', down)]), ['nb', ''])
    assert.deepEqual(step(surge, [...all, fresh('na', down), fresh('nb', down)]), ['', ''])
  })
  test('removes an old one when the new one is available', () =>
    assert.deepEqual(step(surge, [...all, fresh('na')]), ['nb,nc', 'old-na']))
  test('replaces what is down in any case', () =>
    assert.deepEqual(step({ ...surge, maxSurge: 1 }, [old('na', down), old('nb', down), old('nc')]), ['na,nb,nc', '']))
  test('leaves a node that no longer fits only when enough others are available', () => {
    const set = { ...surge, pod: { nodeSelector: { disk: 'ssd' } } }
    const moved = [node('na', { labels: { disk: 'ssd' } }), node('nb')]
    const removed = (pods: readonly Pod[]) => names(rollingUpdateStep(layout(daemonSet(set), moved, pods)).remove)
    assert.deepEqual(removed([fresh('na', down), old('nb')]), [])
    assert.deepEqual(removed([fresh('na'), old('nb')]), ['old-nb'])
    assert.deepEqual(removed([fresh('na', down), old('nb', down)]), ['old-nb'])
  })
})
