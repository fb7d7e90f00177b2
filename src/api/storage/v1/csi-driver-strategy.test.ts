import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { KindHarness, replaceFields } from '../../../testing/objects/kind-harness.js'
import type { UntypedObject } from '../../kube-object.js'

const drivers = new KindHarness('storage/v1.CSIDriver')
const create = (spec: object) => drivers.create({ metadata: { name: 'd' }, spec })
const standard = {
  attachRequired: true,
  podInfoOnMount: false,
  volumeLifecycleModes: ['Persistent'],
  storageCapacity: false,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  requiresRepublish: false,
  seLinuxMount: false,
}

describe('a CSI driver', () => {
  test('is told everything that it does not say', () => {
    assert.deepEqual(drivers.create({}).object.spec, standard)
    assert.deepEqual(create({ preventPodSchedulingIfMissing: true }).object.spec, standard)
  })

  const cases: readonly [string, object, ...string[]][] = [
    [
      'policy',
      { fsGroupPolicy: '' },
      'spec.fsGroupPolicy: Unsupported value: "": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    ],
    [
      'modes',
      { volumeLifecycleModes: ['Ephemeral', 'Never'] },
      'spec.volumeLifecycleModes: Unsupported value: "Never": supported values: "Persistent", "Ephemeral"',
    ],
    [
      'period',
      { nodeAllocatableUpdatePeriodSeconds: 9 },
      'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
    ],
    [
      'tokens',
      {
        tokenRequests: [{ audience: '' }, { audience: 'a', expirationSeconds: 600 }],
        serviceAccountTokenInSecrets: true,
      },
    ],
    [
      'no tokens',
      { serviceAccountTokenInSecrets: false },
      'spec.serviceAccountTokenInSecrets: Invalid value: false: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    ],
    [
      'tokens twice',
      { tokenRequests: [{ audience: 'a' }, { audience: 'a', expirationSeconds: 1 }] },
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
    ],
    [
      'short tokens',
      { tokenRequests: [{ audience: 'a', expirationSeconds: 599 }] },
      'spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    ],
  ]
  for (const [name, spec, ...errors] of cases)
    test(`${name}: ${errors.length === 0 ? 'is valid' : 'is rejected'}`, () =>
      assert.deepEqual(create(spec).errors, errors))

  test('stays attached or not, and of its modes', () => {
    const { object: old } = create({})
    const spec = { ...standard, attachRequired: false, volumeLifecycleModes: ['Ephemeral'] }
    assert.deepEqual(drivers.update(old, replaceFields({ spec })).errors, [
      'spec.attachedRequired: Invalid value: false: field is immutable',
      'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable',
    ])
  })

  test('counts its changes from none', () => {
    const { object: old } = create({})
    const generationOf = (before: UntypedObject, spec: object) =>
      drivers.update(before, replaceFields({ spec })).object.metadata.generation
    assert.equal(old.metadata.generation, undefined)
    assert.equal(generationOf(old, standard), undefined)
    assert.equal(generationOf(old, { ...standard, requiresRepublish: true }), 1)
    assert.equal(
      generationOf({ ...old, metadata: { ...old.metadata, generation: 4 } }, { ...standard, podInfoOnMount: true }),
      5,
    )
  })

  test('shows what it asks for', () => {
    const row = (spec: object) => drivers.cells(create(spec).object as never, 0).slice(1, 7)
    assert.deepEqual(row({}), [true, false, false, '<unset>', false, 'Persistent'])
    const spec = {
      tokenRequests: [{ audience: 'a' }, { audience: 'b' }],
      volumeLifecycleModes: ['Persistent', 'Ephemeral'],
    }
    assert.deepEqual(row(spec), [true, false, false, 'a,b', false, 'Persistent,Ephemeral'])
  })
})
