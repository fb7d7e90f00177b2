import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import { daemonSet } from './daemonset.test.kit.js'
import { historyOf, newRevision, surplusRevisions } from './history.js'

const before = daemonSet({ pod: { hostNetwork: true } })
const now = daemonSet()

function revision(of: ReturnType<typeof daemonSet>, number: number): ControllerRevision {
  return newRevision(of, number) as ControllerRevision
}

describe('a revision', () => {
  test('is a patch that restores the template', () => {
    const { data, metadata, revision: number } = revision(now, 3)
    assert.deepEqual(data, { spec: { template: { $patch: 'replace', ...now.spec.template } } })
    const hash = metadata.labels?.['controller-revision-hash']
    assert.deepEqual([number, metadata.name], [3, `d-${hash}`])
    assert.equal(metadata.ownerReferences?.[0]?.uid, 'set-uid')
  })
  test('has another name after a collision', () =>
    assert.notEqual(
      revision(now, 1).metadata.name,
      revision({ ...now, status: { ...now.status, collisionCount: 1 } }, 1).metadata.name,
    ))
})

describe('the history of a set', () => {
  test('begins with revision 1', () => assert.deepEqual(historyOf(now, []), { current: [], old: [], number: 1 }))
  test('separates the current revision from old ones', () => {
    const history = historyOf(now, [revision(now, 2), revision(before, 1)])
    assert.deepEqual(
      history.current.map((each) => each.revision),
      [2],
    )
    assert.deepEqual(
      history.old.map((each) => each.revision),
      [1],
    )
    assert.equal(history.number, 2)
  })
  test('gives the highest number to a template that comes back', () =>
    assert.equal(historyOf(now, [revision(now, 1), revision(before, 2)]).number, 3))
  test('is limited, except for revisions that pods have', () => {
    const old = [1, 2, 3].map((number) => revision(daemonSet({ pod: { nodeName: `n${number}` } }), number))
    const limited = daemonSet({ spec: { revisionHistoryLimit: 1 } })
    const gone = (live: readonly string[]) => surplusRevisions(limited, old, new Set(live)).map((each) => each.revision)
    assert.deepEqual(gone([]), [1, 2])
    assert.deepEqual(gone([old[0]!.metadata.labels!['controller-revision-hash']!]), [2, 3])
    assert.deepEqual(surplusRevisions(now, old, new Set()), [])
  })
})
