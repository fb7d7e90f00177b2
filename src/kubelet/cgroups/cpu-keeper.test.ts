import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { ListContainersResponse } from '../../cri/interface/container.js'
import { keepCpus } from './cpu-keeper.js'

function world() {
  const clock = new VirtualClock()
  const told: string[] = []
  const ending = new AbortController()
  const active = new Set(['a'])
  let change = () => {}
  let failure: Error | undefined
  const kept = keepCpus(
    {
      environment: environment({ clock }),
      activePods: () => active,
      runtime: {
        listContainers: async () =>
          ListContainersResponse.complete({
            containers: [
              { id: '1', labels: { 'io.kubernetes.pod.uid': 'b', 'io.kubernetes.container.name': 'c' } },
              { id: '2', labels: { others: 'own' } },
            ],
          }),
      },
      cpus: {
        onChange: (listener) => {
          change = listener
          return () => {}
        },
        retain: async (uids) => void told.push(`keep ${[...uids]}`),
        reconcile: async (pods) => {
          if (failure) throw failure
          for (const { uid, containers } of pods)
            told.push(`move ${uid} ${containers.map(({ id, name }) => id + name)}`)
        },
      },
    },
    ending.signal,
  )
  return {
    clock,
    told,
    active,
    change: () => change(),
    fail: (error: Error | undefined) => {
      failure = error
    },
    end: () => {
      ending.abort()
      return kept
    },
  }
}

describe('cores are kept', () => {
  test('for pods that are to run, and for what still runs', async () => {
    const { clock, told, end } = world()
    await clock.advance(0)
    assert.deepEqual(told, ['keep a,b', 'move b 1c'])
    await end()
  })

  test('at once after a change, and every ten seconds', async () => {
    const { clock, told, change, end } = world()
    await clock.advance('9s')
    change()
    await clock.advance(0)
    assert.equal(told.length, 4)
    await clock.advance('9s')
    assert.equal(told.length, 4)
    await clock.advance('1s')
    assert.equal(told.length, 6)
    await end()
  })

  test('also after it went wrong once', async () => {
    const { clock, told, fail, end } = world()
    await clock.advance(0)
    fail(new Error('away'))
    await clock.advance('10s')
    fail(undefined)
    told.length = 0
    await clock.advance('10s')
    assert.deepEqual(told, ['keep a,b', 'move b 1c'])
    await end()
  })
})
