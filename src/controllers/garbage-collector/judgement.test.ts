import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import { judge, type Owner, type Standing } from './judgement.js'

function owner(standing: Standing, i: number): Owner {
  return { reference: { apiVersion: 'v1', kind: 'ConfigMap', name: `o${i}`, uid: `o${i}` }, standing }
}

describe('an object', () => {
  const cases: readonly [string, readonly Standing[], { hasDependents?: boolean; finalizers?: string[] }, string][] = [
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
  for (const [what, standings, { hasDependents = false, finalizers }, expected] of cases)
    test(`${what}: ${expected}`, () => {
      const metadata: ObjectMeta = finalizers ? { finalizers } : {}
      const judgement = judge(standings.map(owner), metadata, hasDependents)
      const detail =
        judgement.does === 'release'
          ? ` from ${judgement.from.map(({ reference }) => reference.uid)}`
          : judgement.does === 'delete'
            ? ` ${judgement.policy}`
            : ''
      assert.equal(judgement.does + detail, expected)
    })
})
