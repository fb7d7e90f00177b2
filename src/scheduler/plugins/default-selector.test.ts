import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { StatefulSet } from '../../api/apps/v1/stateful-set.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import { Service } from '../../api/core/v1/service.js'
import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import { defaultSelector } from './default-selector.js'
import { informersOf, pod } from './plugins.test.kit.js'

const named = (name: string, spec: object, namespace = 'default') => ({ metadata: { name, namespace }, spec }) as never
const ownedBy = (apiVersion: string, kind: string): readonly OwnerReference[] => [
  { apiVersion, kind, name: 'owner', uid: 'u', controller: true },
]

const informers = informersOf(
  [Service, named('web', { selector: { app: 'web' } })],
  [Service, named('front', { selector: { tier: 'front' } })],
  [Service, named('everything', {})],
  [Service, named('foreign', { selector: { zone: 'z' } }, 'elsewhere')],
  [ReplicaSet, named('owner', { selector: { matchExpressions: [{ key: 'hash', operator: 'Exists' }] } })],
  [StatefulSet, named('owner', { selector: { matchLabels: { set: 's' } } })],
  [ReplicationController, named('owner', { selector: { rc: 'r' } })],
)

describe('the default selector of a pod', () => {
  const cases: readonly (readonly [
    string,
    Readonly<Record<string, string>>,
    readonly OwnerReference[] | undefined,
    string,
  ])[] = [
    ['combines the selectors of its services', { app: 'web', tier: 'front' }, undefined, 'app=web,tier=front'],
    ['ignores services of other namespaces', { zone: 'z' }, undefined, ''],
    ['includes the selector of its replica set', { app: 'web' }, ownedBy('apps/v1', 'ReplicaSet'), 'app=web,hash'],
    ['includes the selector of its stateful set', {}, ownedBy('apps/v1', 'StatefulSet'), 'set=s'],
    ['includes the selector of its replication controller', {}, ownedBy('v1', 'ReplicationController'), 'rc=r'],
    ['ignores owners of other kinds', {}, ownedBy('batch/v1', 'Job'), ''],
    ['ignores kinds of the same name in other groups', {}, ownedBy('example.com/v1', 'ReplicaSet'), ''],
  ]
  for (const [title, labels, ownerReferences, expected] of cases)
    test(title, () => {
      const metadata = ownerReferences && { ownerReferences }
      const selector = defaultSelector(informers)(pod('p', { labels, ...(metadata && { metadata }) }))
      assert.equal(selector?.toString() ?? '', expected)
    })
})
