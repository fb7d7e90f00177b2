import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyConfiguration } from '../schema/apply/apply.js'
import { ApplyConfigurationError, ApplyConflictError, ApplyRequestError } from '../schema/apply/errors.js'
import { applyTarget } from '../schema/apply/target.js'
import { updateManagedFields } from '../schema/apply/update.js'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import { builtin } from './scheme.js'

const target = applyTarget(builtin.kind('v1', 'ConfigMap')!)

const configMap = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
})

/** Stores one config map and accepts only applies. */
class Server {
  live: JsonObject | undefined
  #seconds = 0

  apply(manager: string, configuration: JsonObject, force = false): JsonObject {
    const time = `2024-05-06T07:08:${String(++this.#seconds).padStart(2, '0')}Z`
    const applied = applyConfiguration(target, { live: this.live, configuration, manager, force, time })
    const identity = { namespace: 'shop', uid: 'u-1', creationTimestamp: '2024-05-06T07:08:01Z' }
    this.live = { ...applied, metadata: { ...(applied.metadata as JsonObject), ...identity } }
    return this.live
  }

  refuses(manager: string, configuration: JsonObject): ApplyConflictError {
    const before = this.live
    try {
      this.apply(manager, configuration)
    } catch (error) {
      assert.ok(error instanceof ApplyConflictError)
      assert.equal(this.live, before)
      return error
    }
    assert.fail('there is no conflict')
  }
}

/** A summary of the managed fields: manager and fields of each entry, with a mark for entries with a time. */
function owned(object: JsonObject): JsonValue {
  const entries = (object.metadata as JsonObject).managedFields as readonly JsonObject[]
  return entries.map(({ manager, operation, time, fieldsV1 }) => [
    `${manager} ${operation}${time ? ' timed' : ''}`,
    fieldsV1!,
  ])
}

test('server-side apply creates an object, then changes it, then leaves out a field', () => {
  const server = new Server()
  const created = server.apply('ci', configMap({ one: '1', two: '2' }, { labels: { app: 'shop' } }))
  assert.deepEqual((created.metadata as JsonObject).managedFields, [
    {
      manager: 'ci',
      operation: 'Apply',
      apiVersion: 'v1',
      time: '2024-05-06T07:08:01Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:one': {}, 'f:two': {} }, 'f:metadata': { 'f:labels': { 'f:app': {} } } },
    },
  ])
  const changed = server.apply('ci', configMap({ one: 'uno', two: '2' }, { labels: { app: 'shop' } }))
  assert.deepEqual(changed.data, { one: 'uno', two: '2' })
  const less = server.apply('ci', configMap({ one: 'uno' }))
  assert.deepEqual(less.data, { one: 'uno' })
  assert.deepEqual(Object.keys(less.metadata as JsonObject).includes('labels'), false)
  assert.deepEqual(owned(less), [['ci Apply timed', { 'f:data': { 'f:one': {} } }]])
  const time = (entry: JsonObject): JsonValue =>
    ((entry.metadata as JsonObject).managedFields as JsonObject[])[0]!.time!
  assert.equal(time(server.apply('ci', configMap({ one: 'uno' }))), time(less), 'the same again changes no time')
  const noted = server.apply('ci', configMap({ one: 'eins\n' }, { annotations: { note: 'by hand' } }))
  assert.deepEqual(owned(noted), [
    ['ci Apply timed', { 'f:data': { 'f:one': {} }, 'f:metadata': { 'f:annotations': { 'f:note': {} } } }],
  ])
})

test('two appliers conflict, share, and take over', () => {
  const server = new Server()
  server.apply('first', configMap({ one: '1', two: '2' }))
  const both = server.refuses('second', configMap({ one: 'uno', two: 'due', three: '3' }))
  assert.equal(both.message, 'Apply failed with 2 conflicts: conflicts with "first":\n- .data.one\n- .data.two')
  assert.deepEqual(both.causes, [
    { reason: 'FieldManagerConflict', message: 'conflict with "first"', field: '.data.one' },
    { reason: 'FieldManagerConflict', message: 'conflict with "first"', field: '.data.two' },
  ])
  const one = server.refuses('second', configMap({ one: 'uno' }))
  assert.equal(one.message, 'Apply failed with 1 conflict: conflict with "first": .data.one')
  assert.deepEqual(owned(server.apply('second', configMap({ two: '2' }))), [
    ['second Apply', { 'f:data': { 'f:two': {} } }],
    ['first Apply timed', { 'f:data': { 'f:one': {}, 'f:two': {} } }],
  ])
  assert.deepEqual(owned(server.apply('second', configMap({ one: 'uno', two: '2' }), true)), [
    ['first Apply timed', { 'f:data': { 'f:two': {} } }],
    ['second Apply timed', { 'f:data': { 'f:one': {}, 'f:two': {} } }],
  ])
  const back = server.refuses('first', configMap({ one: '1', two: '2' }))
  assert.equal(back.message, 'Apply failed with 1 conflict: conflict with "second": .data.one')
  const nothing = server.apply('first', configMap({}))
  assert.deepEqual(nothing.data, { one: 'uno', two: '2' })
  assert.deepEqual(owned(nothing), [
    ['first Apply timed', { 'f:data': {} }],
    ['second Apply timed', { 'f:data': { 'f:one': {}, 'f:two': {} } }],
  ])
  const last = server.apply('second', configMap({ one: 'uno' }))
  assert.deepEqual(last.data, { one: 'uno' })
  assert.deepEqual(owned(last), [
    ['first Apply timed', { 'f:data': {} }],
    ['second Apply timed', { 'f:data': { 'f:one': {} } }],
  ])
})

test('rejected applies, and a resource version that is ignored', () => {
  const server = new Server()
  const refusal = (configuration: JsonObject): Error => {
    try {
      server.apply('ci', configuration)
    } catch (error) {
      return error as Error
    }
    assert.fail('not refused')
  }
  const entry = { manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} }
  const withEntries = refusal(configMap({ k: 'v' }, { managedFields: [entry] }))
  assert.ok(withEntries instanceof ApplyRequestError)
  assert.equal(withEntries.message, 'metadata.managedFields must be nil')
  const untyped = refusal({ data: { k: 'v' } })
  assert.ok(untyped instanceof ApplyRequestError)
  assert.equal(untyped.message, 'invalid object type: /, Kind=')
  assert.equal(refusal({ kind: 'Grid', metadata: { name: 'm' } }).message, 'invalid object type: /, Kind=Grid')
  const unknown = refusal({ ...configMap({}), dta: { k: 'v' } })
  assert.ok(unknown instanceof ApplyConfigurationError)
  assert.equal(
    unknown.message,
    'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .dta: field not declared in schema',
  )
  assert.equal(
    refusal(configMap({ k: 5 })).message,
    'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.k: expected string, got &value.valueUnstructured{Value:5}',
  )
  const created = server.apply('ci', configMap({ k: 'v' }, { resourceVersion: '5' }))
  assert.deepEqual(owned(created), [['ci Apply timed', { 'f:data': { 'f:k': {} } }]])
})

test('fields from before the first apply belong to an update', () => {
  const live = { ...configMap({ one: '1', two: '2' }, { labels: { app: 'x' } }), binaryData: {} }
  const time = '2024-05-06T07:08:09Z'
  const apply = { live, manager: 'ci', time }
  const configuration = configMap({ one: 'uno' })
  assert.throws(() => applyConfiguration(target, { ...apply, configuration, force: false }), {
    message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.one',
  })
  const applied = applyConfiguration(target, { ...apply, configuration, force: true })
  assert.deepEqual(owned(applied), [
    ['ci Apply timed', { 'f:data': { 'f:one': {} } }],
    [
      'before-first-apply Update timed',
      {
        'f:binaryData': {},
        'f:data': { '.': {}, 'f:two': {} },
        'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
      },
    ],
  ])
})

test('kubectl takes over the fields of its client-side apply, and the annotation is updated', () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
  const text = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"one":"1","two":"2"}}\n'
  const next = configMap({ one: '1', two: 'changed' }, { uid: 'u-1', annotations: { [annotation]: text } })
  const update = { next, manager: 'kubectl-client-side-apply', time: '2024-05-06T07:08:09Z' }
  const live = updateManagedFields(target, update)
  const apply = { live, manager: 'kubectl', force: false, time: '2024-05-06T07:08:10Z' }
  const taken = applyConfiguration(target, { ...apply, configuration: configMap({ one: 'a<b' }) })
  assert.deepEqual(taken.data, { one: 'a<b', two: 'changed' })
  const annotations = (taken.metadata as JsonObject).annotations as JsonObject
  assert.equal(
    annotations[annotation],
    '{"apiVersion":"v1","data":{"one":"a\\u003cb"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
  )
  const changed = configMap({ one: 'uno', two: 'due' })
  assert.throws(() => applyConfiguration(target, { ...apply, configuration: changed }), {
    message: 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.two',
  })
  assert.throws(() => applyConfiguration(target, { ...apply, manager: 'ci', configuration: configMap({ one: 'x' }) }), {
    message: 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.one',
  })
})
