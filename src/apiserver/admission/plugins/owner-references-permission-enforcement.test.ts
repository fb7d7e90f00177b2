import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthorizationAttributes } from '../../authorization/authorizer.js'
import { openPluginHarness, pod, rejectionOf } from '../admission.test.kit.js'
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.js'

const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', uid: 'u1' }
const node = { apiVersion: 'v1', kind: 'Node', name: 'node', uid: 'u2' }

function owned(...ownerReferences: readonly object[]): object {
  return pod('a', {}, { ownerReferences })
}

/** A harness in which everything is allowed but what `isDenied` says. */
async function enforced(isDenied: (asked: AuthorizationAttributes) => boolean) {
  const harness = await openPluginHarness()
  const asked: AuthorizationAttributes[] = []
  const plugin = harness.create(ownerReferencesPermissionEnforcement, {
    authorize(attributes) {
      asked.push(attributes)
      if (isDenied(attributes)) return { decision: 'no-opinion', reason: 'not you' }
      return { decision: 'allow', reason: '' }
    },
  })
  const write = (object: object, old?: object, subresource = '') =>
    harness.admit(plugin, { object, ...(old && { old }), subresource })
  return { write, asked }
}

const anything = ({ name }: AuthorizationAttributes) => name === '*'

test('who may not delete an object may not change its owners', async () => {
  const { write, asked } = await enforced(({ verb }) => verb === 'delete')
  assert.equal(
    await rejectionOf(write(owned(set), owned())),
    `pods "a" is forbidden: cannot set an ownerRef on a resource you can't delete: not you, <nil>`,
  )
  await rejectionOf(write(owned(), owned(set)))
  assert.deepEqual(asked[0]?.resource, 'pods')
  await write(owned(set), owned(set))
  await write(owned(set)) // who may create it may say whose it is
  await write(owned(set), owned(), 'status') // strategies see to it that a status changes nothing else
})

test('who may not finalize an owner may not keep it from being deleted', async () => {
  const { write, asked } = await enforced((attributes) => anything(attributes) || attributes.resource === 'replicasets')
  const blocking = { ...set, blockOwnerDeletion: true }
  assert.equal(
    await rejectionOf(write(owned(blocking))),
    `pods "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: not you, <nil>`,
  )
  const { verb, group, resource, subresource, namespace, name } = asked.at(-1)!
  assert.deepEqual([verb, group, resource, subresource], ['update', 'apps', 'replicasets', 'finalizers'])
  assert.deepEqual([namespace, name], ['here', 'set'])
  await rejectionOf(write(owned(blocking), owned(set)))
  await write(owned(blocking, { ...set, uid: 'u3' }), owned(blocking))
  await write(owned({ ...set, blockOwnerDeletion: false }))
})

test('an owner that is in no namespace is asked for in none', async () => {
  const { write, asked } = await enforced(anything)
  await write(owned({ ...node, blockOwnerDeletion: true }))
  assert.deepEqual([asked.at(-1)?.resource, asked.at(-1)?.namespace], ['nodes', ''])
})

test('an owner of an unknown kind cannot be blocked, unless by who may finalize everything', async () => {
  const unknown = { apiVersion: 'example.com/v1', kind: 'Boat', name: 'b', uid: 'u', blockOwnerDeletion: true }
  const { write } = await enforced(anything)
  assert.match(
    await rejectionOf(write(owned(unknown))),
    /cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion example.com\/v1 Kind Boat: no matches for kind "Boat" in version "example.com\/v1"$/,
  )
  const almighty = await enforced(() => false)
  await almighty.write(owned(unknown))
})
