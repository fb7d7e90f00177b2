import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import { locationOf } from '../../client/resource-location.js'
import { decide, type ObservedOwner, type OwnerState } from './decide.js'

function owner(state: OwnerState, i: number): ObservedOwner {
  return { reference: { apiVersion: 'v1', kind: 'ConfigMap', name: `o${i}`, uid: `o${i}` }, state: state }
}

describe('an owned object', () => {
  const cases: readonly [string, readonly OwnerState[], { hasDependents?: boolean; finalizers?: string[] }, string][] =
    [
      ['with its only owner there', ['solid'], {}, 'keep'],
      ['with all owners there', ['solid', 'solid'], {}, 'keep'],
      ['of several owners, one of them gone', ['absent', 'solid'], {}, 'release from o0'],
      ['of several owners, one of them waiting', ['solid', 'waiting'], {}, 'release from o1'],
      ['of several owners, one of them left', ['absent', 'waiting', 'solid'], {}, 'release from o0,o1'],
      ['whose owner is gone', ['absent'], {}, 'delete Background'],
      ['whose owner is gone, with dependents', ['absent'], { hasDependents: true }, 'delete Background'],
      ['whose owner waits', ['waiting'], {}, 'delete Background'],
      ['whose owner waits, with dependents', ['waiting'], { hasDependents: true }, 'delete Foreground'],
      [
        'whose owners wait or are gone, with dependents',
        ['absent', 'waiting'],
        { hasDependents: true },
        'delete Foreground',
      ],
      ['that said beforehand that its dependents stay', ['absent'], { finalizers: ['orphan'] }, 'delete Orphan'],
      ['that said beforehand that it waits', ['absent'], { finalizers: ['foregroundDeletion'] }, 'delete Foreground'],
    ]
  for (const [what, states, { hasDependents = false, finalizers }, expected] of cases)
    test(`${what}: ${expected}`, () => {
      const metadata: ObjectMeta = finalizers ? { finalizers } : {}
      const object = { location: locationOf(ConfigMap), metadata }
      const owners = states.map(owner)
      const decision = decide({ is: 'owned', object, owners, hasDependents, isExact: true, attempt: 1 })
      assert.equal(textOf(decision), expected)
    })
})

function textOf(decision: ReturnType<typeof decide>): string {
  if (decision?.do === 'release') return `release from ${decision.from.map(({ reference }) => reference.uid)}`
  return decision?.do === 'delete' ? `delete ${decision.policy}` : 'keep'
}
