import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../declaration.js'
import { schema } from '../schema.js'
import { Scheme } from '../scheme.js'
import { Definitions } from './definitions.js'
import { version2, version3 } from './dialect.js'
import type { DocumentOptions } from './document-options.js'
import { publication, scheme } from './toys.test.data.js'
import { openapiV2 } from './version2.js'

function definitions(dialect = version2, more: Partial<DocumentOptions> = {}): Record<string, JsonObject> {
  const all = new Definitions(scheme, dialect, { ...publication, ...more })
  all.schema({ is: 'object', object: scheme.type('toys/v1.Toy') })
  return all.all()
}

function property(name: string, dialect = version2, more: Partial<DocumentOptions> = {}): JsonValue | undefined {
  return (definitions(dialect, more)['com.example.toys.v1.Toy']!.properties as JsonObject)[name]
}

const wheel2 = { $ref: '#/definitions/com.example.toys.v1.Wheel' }
const wheel3 = { $ref: '#/components/schemas/com.example.toys.v1.Wheel' }

test('definitions include the requested type and all types that it refers to', () => {
  assert.deepEqual(Object.keys(definitions()), [
    'com.example.toys.v1.BoolOrWheel',
    'com.example.toys.v1.Toy',
    'com.example.toys.v1.Wheel',
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
    'io.k8s.apimachinery.pkg.api.resource.Quantity',
    'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
    'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
    'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
    'io.k8s.apimachinery.pkg.runtime.RawExtension',
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  ])
})

test('a definition lists its fields, the required ones, and its ownership', () => {
  const { properties, ...rest } = definitions()['com.example.toys.v1.Wheel']!
  assert.deepEqual(properties, {
    hole: { $ref: '#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString' },
    inside: { $ref: '#/definitions/io.k8s.apimachinery.pkg.runtime.RawExtension' },
    left: { type: 'string' },
    notes: { $ref: '#/definitions/io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON' },
    owned: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1' },
    patched: { type: 'boolean' },
    position: { type: 'string' },
    pressure: { type: 'number', format: 'double' },
    right: { type: 'string' },
    serial: { type: 'string', format: 'byte' },
    stock: {
      type: 'object',
      additionalProperties: { $ref: '#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity' },
    },
    turned: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime' },
  })
  assert.deepEqual(rest, {
    type: 'object',
    required: ['position'],
    'x-kubernetes-map-type': 'atomic',
    'x-kubernetes-unions': [
      { discriminator: 'position', 'fields-to-discriminateBy': { left: 'Left', right: 'Right' } },
    ],
  })
})

test('a kind has fields apiVersion and kind, and an x-kubernetes-group-version-kind', () => {
  const toy = definitions()['com.example.toys.v1.Toy']!
  assert.deepEqual(property('apiVersion'), { type: 'string' })
  assert.deepEqual(property('kind'), { type: 'string' })
  assert.deepEqual(toy['x-kubernetes-group-version-kind'], [{ group: 'toys.k8s.io', kind: 'Toy', version: 'v1' }])
})

test('options and watch events belong to every version of every group; watch events have no kind of their own', () => {
  const { definitions: all } = openapiV2(scheme, publication) as { definitions: Record<string, JsonObject> }
  const event = all['io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent']!
  assert.deepEqual(event['x-kubernetes-group-version-kind'], [
    { group: '', kind: 'WatchEvent', version: 'v1' },
    { group: 'toys.k8s.io', kind: 'WatchEvent', version: 'v1' },
    { group: 'toys.k8s.io', kind: 'WatchEvent', version: 'v1beta1' },
  ])
  assert.deepEqual(Object.keys(event.properties as JsonObject), ['type'])
  const options = all['io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions']!
  assert.deepEqual(Object.keys(options.properties as JsonObject), ['apiVersion', 'kind'])
})

test('fields have extensions for patch and apply', () => {
  assert.deepEqual(property('wheels'), {
    type: 'array',
    items: wheel2,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['position'],
    'x-kubernetes-patch-merge-key': 'position',
    'x-kubernetes-patch-strategy': 'merge',
  })
  assert.deepEqual(property('tags'), {
    type: 'array',
    items: { type: 'string' },
    'x-kubernetes-list-type': 'set',
    'x-kubernetes-patch-strategy': 'merge',
  })
  assert.deepEqual(property('scores'), {
    type: 'array',
    items: { type: 'integer', format: 'int64' },
    'x-kubernetes-list-type': 'atomic',
  })
  assert.deepEqual(property('labels'), {
    type: 'object',
    additionalProperties: { type: 'string' },
    'x-kubernetes-map-type': 'atomic',
  })
})

test('annotations of a reference are beside it in version 2, and around it in version 3', () => {
  assert.deepEqual(property('first'), { ...wheel2, 'x-kubernetes-patch-strategy': 'retainKeys' })
  assert.deepEqual(property('first', version3), {
    allOf: [wheel3],
    default: {},
    'x-kubernetes-patch-strategy': 'retainKeys',
  })
  assert.deepEqual(property('spare', version3), { allOf: [wheel3], 'x-kubernetes-map-type': 'granular' })
  assert.deepEqual(property('maybe', version3), { $ref: '#/components/schemas/com.example.toys.v1.BoolOrWheel' })
})

test('version 3 has defaults, version 2 has not', () => {
  assert.deepEqual(property('mood', version3), { type: 'string', default: 'glad' })
  assert.deepEqual(property('name', version3), { type: 'string', default: '' })
  assert.deepEqual(property('size', version3), { type: 'integer', format: 'int32' })
  assert.deepEqual(property('owner', version3), { $ref: '#/components/schemas/com.example.toys.v1.Toy' })
  assert.deepEqual(property('made', version3), {
    $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  })
  assert.deepEqual((property('wheels', version3) as JsonObject).items, { allOf: [wheel3], default: {} })
  assert.deepEqual((property('scores', version3) as JsonObject).items, { type: 'integer', format: 'int64', default: 0 })
  assert.deepEqual((property('tables', version3) as JsonObject).additionalProperties, {
    type: 'array',
    items: { type: 'string', default: '' },
  })
  assert.ok(!JSON.stringify(definitions(version2)).includes('default'))
})

test('version 3 can declare a value of two types', () => {
  const all = definitions(version3)
  assert.deepEqual(all['io.k8s.apimachinery.pkg.util.intstr.IntOrString'], {
    format: 'int-or-string',
    oneOf: [{ type: 'integer' }, { type: 'string' }],
  })
  assert.deepEqual(all['com.example.toys.v1.BoolOrWheel'], {})
})

test('the values of a closed enumeration are published if the options say so', () => {
  assert.deepEqual(property('color'), { type: 'string' })
  assert.deepEqual(property('color', version2, { enumerations: true }), { type: 'string', enum: ['blue', 'red'] })
  assert.deepEqual(property('mood', version2, { enumerations: true }), { type: 'string' })
})

test('a type of an undeclared group is published under the reversed name of its group', () => {
  const scheme = new Scheme({ declarations: [schema('fleet.example.com/v1.Boat')], groups: [] })
  const all = new Definitions(scheme, version2, publication)
  all.schema({ is: 'object', object: scheme.type('fleet.example.com/v1.Boat') })
  assert.deepEqual(Object.keys(all.all()), ['com.example.fleet.v1.Boat'])
})
