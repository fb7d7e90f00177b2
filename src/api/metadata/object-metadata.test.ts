import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { seededRandom } from '../../base/random.js'
import type { ObjectMeta, OwnerReference } from '../meta/v1/object-meta.js'
import { generatedName } from './generated-names.js'
import { dns1035Name, labelName, pathSegmentName, subdomainName } from './name-validation.js'
import { type MetadataRules, validateMetadata, validateMetadataUpdate } from './object-metadata.js'
import { distinctOwnerReferences, duplicateOwnersWarning } from './owner-references.js'
import { bornMetadata, carriedMetadata } from './system-fields.js'

const namespaced: MetadataRules = { namespaced: true, name: subdomainName, qualifiedFinalizers: true }
const clusterWide: MetadataRules = { ...namespaced, namespaced: false }
const custom: MetadataRules = { ...namespaced, qualifiedFinalizers: false }

const problems = (metadata: ObjectMeta, rules = namespaced) =>
  validateMetadata({ name: 'a', ...(rules.namespaced && { namespace: 'default' }), ...metadata }, rules).map(String)

const nameForm =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const labelForm =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const subdomainForm =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

describe('the metadata of a new object', () => {
  test('may have every field', () =>
    assert.deepEqual(
      problems({
        generateName: 'web-',
        generation: 3,
        labels: { app: 'shop', 'example.com/tier': '' },
        annotations: { 'Example.COM/Any': 'text, of any kind!\n' },
        finalizers: ['example.com/wait', 'orphan', 'kubernetes'],
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: '1', controller: true }],
        managedFields: [{ manager: 'kubectl', operation: 'Apply', fieldsType: 'FieldsV1', apiVersion: 'v1' }],
      }),
      [],
    ))

  test('needs a name that its kind allows', () => {
    assert.deepEqual(problems({ name: '' }), ['metadata.name: Required value: name or generateName is required'])
    assert.deepEqual(problems({ name: 'Bad_Name' }), [`metadata.name: Invalid value: "Bad_Name": ${subdomainForm}`])
    assert.deepEqual(problems({ generateName: 'Bad_', name: 'Bad_x' }), [
      `metadata.generateName: Invalid value: "Bad_": ${subdomainForm}`,
      `metadata.name: Invalid value: "Bad_x": ${subdomainForm}`,
    ])
    assert.deepEqual(problems({ name: 'with/slash' }, { ...namespaced, name: pathSegmentName }), [
      `metadata.name: Invalid value: "with/slash": may not contain '/'`,
    ])
  })

  test('has a namespace if its kind has one', () => {
    assert.deepEqual(problems({ namespace: '' }), ['metadata.namespace: Required value'])
    assert.deepEqual(problems({ namespace: 'a.b' }), [
      'metadata.namespace: Invalid value: "a.b": must not contain dots',
    ])
    assert.deepEqual(problems({}, clusterWide), [])
    assert.deepEqual(problems({ namespace: 'a' }, clusterWide), [
      'metadata.namespace: Forbidden: not allowed on this type',
    ])
  })

  test('has a generation that is not negative', () =>
    assert.deepEqual(problems({ generation: -1 }), [
      'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
    ]))

  test('has valid labels', () => {
    assert.deepEqual(problems({ labels: { 'bad key': 'v' } }), [
      `metadata.labels: Invalid value: "bad key": name part ${nameForm}`,
    ])
    assert.deepEqual(problems({ labels: { ok: 'bad value!' } }), [
      `metadata.labels: Invalid value: "bad value!": ${labelForm}`,
    ])
    assert.deepEqual(problems({ labels: { 'a/b/c': 'x'.repeat(64) } }), [
      `metadata.labels: Invalid value: "a/b/c": a valid label key ${nameForm} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
      `metadata.labels: Invalid value: "${'x'.repeat(64)}": must be no more than 63 bytes`,
    ])
  })

  test('has annotations with valid keys, of at most 256 KiB', () => {
    const long = `example.com/${'k'.repeat(64)}`
    assert.deepEqual(problems({ annotations: { [long]: 'v' } }), [
      `metadata.annotations: Invalid value: "${long}": name part must be no more than 63 bytes`,
    ])
    assert.deepEqual(problems({ annotations: { big: 'x'.repeat(256 * 1024) } }), [
      'metadata.annotations: Too long: may not be more than 262144 bytes',
    ])
    assert.deepEqual(problems({ annotations: { big: 'x'.repeat(256 * 1024 - 3) } }), [])
    assert.deepEqual(problems({ annotations: { big: 'é'.repeat(128 * 1024) } }).length, 1, 'bytes are counted')
  })

  test('has complete owner references, at most one of them a controller', () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '1' }
    assert.deepEqual(problems({ ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] }), [
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ])
    for (const apiVersion of ['apps/', '/', 'a/b/c'])
      assert.deepEqual(problems({ ownerReferences: [{ ...owner, apiVersion }] }), [
        `metadata.ownerReferences.apiVersion: Invalid value: "${apiVersion}": version must not be empty`,
      ])
    assert.deepEqual(
      problems({
        ownerReferences: [
          { controller: true, uid: '1', name: 'x', kind: 'ConfigMap', apiVersion: 'v1' },
          { ...owner, name: 'y', uid: '2', controller: true },
          { ...owner, name: 'z', uid: '3', controller: false },
        ],
      }),
      [
        'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"ConfigMap","name":"x","uid":"1","controller":true},{"apiVersion":"v1","kind":"ConfigMap","name":"y","uid":"2","controller":true},{"apiVersion":"v1","kind":"ConfigMap","name":"z","uid":"3","controller":false}]: Only one reference can have Controller set to true. Found "true" in references for ConfigMap/x and ConfigMap/y',
      ],
    )
    assert.deepEqual(problems({ ownerReferences: [{ ...owner, kind: 'Event' }] }), [
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"x","uid":"1"}: /v1, Kind=Event is disallowed from being an owner',
    ])
    assert.deepEqual(problems({ ownerReferences: [{ ...owner, kind: 'Event', apiVersion: 'events.k8s.io/v1' }] }), [])
  })

  test('has finalizers with a domain, unless they are standard ones', () => {
    assert.deepEqual(problems({ finalizers: ['bad finalizer!', 'plain'] }), [
      `metadata.finalizers: Invalid value: "bad finalizer!": name part ${nameForm}`,
      'metadata.finalizers[0]: Invalid value: "bad finalizer!": name is neither a standard finalizer name nor is it fully qualified',
      'metadata.finalizers[1]: Invalid value: "plain": name is neither a standard finalizer name nor is it fully qualified',
    ])
    assert.deepEqual(problems({ finalizers: ['orphan', 'foregroundDeletion'] }), [
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ])
    assert.deepEqual(problems({ finalizers: ['plain'] }, custom), [], 'custom resources may call them anything')
  })

  test('has valid managed fields', () =>
    assert.deepEqual(
      problems({
        managedFields: [
          {},
          { operation: 'Merge', fieldsType: 'FieldsV2', manager: 'a\u0007é\u200b', subresource: 's'.repeat(257) },
          { operation: 'Update', manager: 'm'.repeat(129) },
        ],
      }),
      [
        'metadata.managedFields[0].operation: Invalid value: "": must be `Apply` or `Update`',
        'metadata.managedFields[1].operation: Invalid value: "Merge": must be `Apply` or `Update`',
        'metadata.managedFields[1].fieldsType: Invalid value: "FieldsV2": must be `FieldsV1`',
        'metadata.managedFields[1].manager: Invalid value: "a\\aé\\u200b": invalid character U+0007 (at position 1)',
        'metadata.managedFields[1].manager: Invalid value: "a\\aé\\u200b": invalid character U+200B (at position 4)',
        'metadata.managedFields[1].subresource: Too long: may not be more than 256 bytes',
        'metadata.managedFields[2].manager: Too long: may not be more than 128 bytes',
      ],
    ))

  test('gets all errors in order', () =>
    assert.deepEqual(
      problems({
        name: '',
        namespace: '',
        generation: -1,
        labels: { '': '' },
        annotations: { '/a': '' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: '' }],
        finalizers: ['a b'],
        managedFields: [{}],
      }).map((problem) => problem.split(':')[0]),
      [
        'metadata.name',
        'metadata.namespace',
        'metadata.generation',
        'metadata.labels',
        'metadata.labels',
        'metadata.annotations',
        'metadata.ownerReferences.uid',
        'metadata.finalizers',
        'metadata.managedFields[0].operation',
        'metadata.finalizers[0]',
      ],
    ))
})

describe('the metadata of an updated object', () => {
  const old: ObjectMeta = {
    name: 'a',
    namespace: 'default',
    uid: '1',
    resourceVersion: '7',
    generation: 2,
    creationTimestamp: '2001-02-03T04:05:06Z',
  }
  const changed = (change: ObjectMeta, before: ObjectMeta = old, rules = namespaced) =>
    validateMetadataUpdate({ ...before, ...change }, before, rules).map(String)

  test('may be unchanged', () => assert.deepEqual(changed({}), []))

  test('has immutable fields', () => {
    assert.deepEqual(changed({ uid: 'another' }), ['metadata.uid: Invalid value: "another": field is immutable'])
    assert.deepEqual(changed({ name: 'b', namespace: 'c' }), [
      'metadata.name: Invalid value: "b": field is immutable',
      'metadata.namespace: Invalid value: "c": field is immutable',
    ])
    assert.deepEqual(changed({ deletionTimestamp: '2001-02-03T04:05:06Z', deletionGracePeriodSeconds: 0 }), [
      'metadata.deletionTimestamp: Invalid value: "2001-02-03T04:05:06Z": field is immutable',
      'metadata.deletionGracePeriodSeconds: Invalid value: 0: field is immutable',
    ])
    const { creationTimestamp, uid, ...rest } = old
    assert.deepEqual(validateMetadataUpdate(rest, old, namespaced).map(String), [
      'metadata.uid: Invalid value: "": field is immutable',
      'metadata.creationTimestamp: Invalid value: null: field is immutable',
    ])
  })

  test('has a resource version, and a generation that does not decrease', () =>
    assert.deepEqual(changed({ resourceVersion: '', generation: 1 }), [
      'metadata.resourceVersion: Invalid value: "": must be specified for an update',
      'metadata.generation: Invalid value: 1: must not be decremented',
    ]))

  test('gets no new finalizers during deletion', () => {
    const ending = { ...old, deletionTimestamp: '2024-01-01T00:00:00Z', finalizers: ['example.com/a'] }
    assert.deepEqual(changed({ finalizers: [] }, ending), [])
    assert.deepEqual(changed({ finalizers: ['example.com/z', 'example.com/a', 'example.com/late'] }, ending), [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/late", "example.com/z"}',
    ])
    assert.deepEqual(changed({ finalizers: ['example.com/late'] }), [])
  })

  test('has its labels, annotations, owners and finalizers validated again', () => {
    assert.equal(changed({ labels: { 'a b': '' } }).length, 1)
    assert.equal(changed({ annotations: { 'a b': '' } }).length, 1)
    assert.equal(changed({ ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: '' }] }).length, 1)
    assert.equal(changed({ finalizers: ['plain'] }).length, 1)
    assert.equal(changed({ finalizers: ['plain'] }, old, custom).length, 0)
    assert.equal(changed({ managedFields: [{}] }).length, 1)
  })
})

describe('fields that the server sets', () => {
  test('a new object gets a creation time and a uid', () =>
    assert.deepEqual(
      bornMetadata(
        {
          name: 'a',
          uid: 'my-own',
          generation: 9,
          selfLink: '/x',
          creationTimestamp: '2001-02-03T04:05:06Z',
          deletionTimestamp: '2001-02-03T04:05:06Z',
          deletionGracePeriodSeconds: 5,
        },
        'given',
        '2024-01-01T00:00:00Z',
      ),
      { name: 'a', uid: 'given', generation: 9, creationTimestamp: '2024-01-01T00:00:00Z' },
    ))

  test('an object keeps its creation time, and a deletion time', () => {
    const old: ObjectMeta = { name: 'a', uid: '1', creationTimestamp: '2024-01-01T00:00:00Z' }
    assert.deepEqual(
      carriedMetadata({ name: 'a', selfLink: '/y', creationTimestamp: '2001-01-01T00:00:00Z' }, old),
      old,
    )
    assert.equal(carriedMetadata({ uid: '2' }, old).uid, '2', 'left to be refused')
    const ending = { ...old, deletionTimestamp: '2024-01-02T00:00:00Z', deletionGracePeriodSeconds: 30 }
    assert.deepEqual(carriedMetadata({ name: 'a' }, ending), ending)
    assert.equal(carriedMetadata({ deletionGracePeriodSeconds: 0 }, ending).deletionGracePeriodSeconds, 0)
  })

  test('generated names end in five random characters without vowels, and are never too long', () => {
    const random = seededRandom(1)
    assert.match(generatedName('web-', random), /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
    assert.equal(generatedName('a'.repeat(100), random).length, 63)
    const many = new Set(Array.from({ length: 1000 }, () => generatedName('', random)))
    assert.ok(many.size > 990, `${many.size} of 1000 names differ`)
  })

  test('duplicate owners are removed', () => {
    const owner: OwnerReference = { apiVersion: 'v1', kind: 'A', name: 'a', uid: '1' }
    const other = { ...owner, controller: true }
    const once = [owner, { ...owner, uid: '2' }]
    assert.equal(distinctOwnerReferences(once).references, once)
    assert.deepEqual(distinctOwnerReferences([owner, other, { ...owner }, owner]), {
      references: [owner, other],
      duplicates: ['1', '1'],
    })
    assert.equal(
      duplicateOwnersWarning(['1', '2']),
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: 1, 2',
    )
    assert.match(
      duplicateOwnersWarning(['1'], true),
      /^\.metadata\.ownerReferences contains duplicate entries after mutating admission happens; /,
    )
  })
})

test('prefixes of names may end in a dash', () => {
  assert.deepEqual(subdomainName('web-', true), [])
  assert.equal(subdomainName('web-', false).length, 1)
  assert.deepEqual(labelName('web-', true), [])
  assert.deepEqual(dns1035Name('web-', true), [])
  assert.equal(dns1035Name('1-', true).length, 0, 'the character before the dash is not looked at')
  assert.equal(subdomainName('-', true).length, 1)
  assert.deepEqual(labelName(`${'a'.repeat(63)}-`, true), [])
  assert.deepEqual(pathSegmentName('..', true), [])
  assert.equal(pathSegmentName('..', false).length, 1)
})
