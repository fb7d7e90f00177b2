import {
  bool,
  bytes,
  double,
  either,
  enumeration,
  field,
  fieldsV1,
  int32,
  int64,
  intOrString,
  json,
  list,
  listOf,
  map,
  microTime,
  oneOf,
  openEnumeration,
  quantity,
  rawExtension,
  ref,
  string,
  time,
} from '../fields.js'
import type { GroupDeclaration } from '../groups.js'
import { kind, objectSubresource, schema } from '../schema.js'
import { Scheme } from '../scheme.js'
import type { DocumentOptions } from './document-options.js'

/** A small API with one example of each type, for the tests in this folder. */

const Color = enumeration('toys/v1.Color', ['red', 'blue'])
const Mood = openEnumeration('toys/v1.Mood', ['glad'])
const BoolOrWheel = either('toys/v1.BoolOrWheel', bool, ref('toys/v1.Wheel'))

const metadata = ref(1, 'meta/v1.ObjectMeta', { always: true })

const declarations = [
  kind('toys/v1.Toy', {
    required: { name: string(2), color: oneOf(3, Color), owner: ref(4, 'toys/v1.Toy', { always: 'null' }) },
    optional: {
      metadata,
      mood: oneOf(5, Mood, { default: 'glad' }),
      size: int32(6, { keepZero: true }),
      weight: quantity(7, { always: true }),
      made: time(8, { always: true }),
      wheels: list(9, ref('toys/v1.Wheel'), { keys: ['position'], mergeKey: 'position' }),
      tags: list(10, string, { set: true, patch: 'merge' }),
      scores: list(11, int64),
      labels: map(12, string, { atomic: true }),
      tables: map(13, listOf(string)),
      first: ref(14, 'toys/v1.Wheel', { always: true, patch: 'retainKeys' }),
      spare: ref(15, 'toys/v1.Wheel', { atomic: false }),
      maybe: field(16, BoolOrWheel),
    },
    resource: {
      plural: 'toys',
      namespaced: true,
      subresources: {
        status: objectSubresource,
        squeak: { verbs: ['get'], text: true, query: { loud: 'boolean' } },
        wire: { verbs: ['create', 'get'], undeclaredKind: 'ToyWireOptions', query: { length: 'integer' } },
        gate: { verbs: ['get'], undeclaredKind: 'ToyGateOptions', query: { path: 'string' }, anyPath: true },
        swap: { verbs: ['create'], kind: 'toys/v1.Swap' },
      },
    },
  }),
  kind('toys/v1.Box', {
    optional: { metadata },
    resource: { plural: 'boxes', verbs: ['get', 'delete'], returnsDeleted: true },
  }),
  kind('toys/v1.Swap', { optional: { metadata } }),
  schema('toys/v1.Wheel', {
    required: { position: string(1) },
    optional: {
      pressure: double(2),
      patched: bool(3),
      serial: bytes(4),
      turned: microTime(5),
      hole: intOrString(6),
      notes: json(7),
      inside: rawExtension(8),
      owned: fieldsV1(9),
      stock: map(10, quantity),
      left: string(11),
      right: string(12),
    },
    atomic: true,
    unions: [{ discriminator: 'position', fields: ['left', 'right'] }],
  }),
  schema('meta/v1.ObjectMeta', { optional: { name: string(1) } }),
  schema('meta/v1.ListMeta'),
  kind('meta/v1.Status', {}),
  schema('meta/v1.Patch'),
  kind('meta/v1.DeleteOptions', { everywhere: true }),
  kind('meta/v1.WatchEvent', { required: { type: string(1) }, everywhere: true, untyped: true }),
  kind('meta/v1.APIVersions', {}),
  kind('meta/v1.APIGroupList', {}),
  kind('meta/v1.APIGroup', {}),
  kind('meta/v1.APIResourceList', {}),
  schema('version.Info'),
]

const groups: readonly GroupDeclaration[] = [
  { short: 'toys', name: 'toys.k8s.io', legacy: ['v1beta1'], openapi: 'com.example.toys' },
  { short: 'meta', name: '', legacy: [], openapi: 'io.k8s.apimachinery.pkg.apis.meta' },
  { short: 'version', name: '', legacy: [], openapi: 'io.k8s.apimachinery.pkg.version' },
]

export const scheme = new Scheme({ declarations, groups })

export const publication: DocumentOptions = {
  info: { title: 'Toys', version: 'v7' },
}
