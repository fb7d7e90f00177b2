import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyConfiguration } from '../schema/apply/apply.js'
import { applyTarget } from '../schema/apply/target.js'
import { updateManagedFields } from '../schema/apply/update.js'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import { int32, intOrString, list, listOf, map, ref, string } from '../schema/fields.js'
import { kind, schema } from '../schema/schema.js'
import { objectMetadata } from './meta/v1/object-meta.js'
import { builtin } from './scheme.js'

/** The kinds of two custom resource definitions. */
const scheme = builtin.extend({
  declarations: [
    kind('example.com/v1.Grid', { optional: { metadata: objectMetadata, spec: ref(2, 'example.com/v1.GridSpec') } }),
    schema('example.com/v1.GridSpec', {
      optional: {
        ports: list(1, ref('example.com/v1.GridPort'), { keys: ['name'] }),
        groups: list(2, string, { set: true }),
        args: list(3, string),
        opts: ref(4, 'example.com/v1.GridOptions', { atomic: true }),
        plain: list(5, string),
      },
    }),
    schema('example.com/v1.GridPort', {
      required: { name: string(1, { always: false }) },
      optional: { port: int32(2), proto: string(3, { default: 'TCP' }) },
    }),
    schema('example.com/v1.GridOptions', { optional: { a: string(1), b: string(2) } }),
    kind('example.com/v1.ServiceMonitor', {
      optional: { metadata: objectMetadata, spec: ref(2, 'example.com/v1.MonitorSpec') },
    }),
    schema('example.com/v1.MonitorSpec', {
      optional: {
        selector: ref(1, 'meta/v1.LabelSelector'),
        namespaceSelector: ref(2, 'example.com/v1.NamespaceSelector'),
        endpoints: list(3, ref('example.com/v1.Endpoint')),
      },
    }),
    schema('example.com/v1.NamespaceSelector', { optional: { matchNames: list(1, string) } }),
    schema('example.com/v1.Endpoint', {
      optional: {
        port: string(1),
        targetPort: intOrString(2),
        interval: string(3),
        scheme: string(4),
        params: map(5, listOf(string)),
      },
    }),
  ],
})

const grids = applyTarget(scheme.kind('example.com/v1', 'Grid')!)
const monitors = applyTarget(scheme.kind('example.com/v1', 'ServiceMonitor')!)

const custom = (kindName: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'example.com/v1',
  kind: kindName,
  metadata: { name: 'm', ...metadata },
  spec,
})

const time = (second: number): string => `2024-05-06T07:08:${String(second).padStart(2, '0')}Z`

/** Manager and fields of each entry, in order. */
const owned = (object: JsonObject): JsonValue => {
  const entries = (object.metadata as JsonObject).managedFields as readonly JsonObject[]
  return entries.map(({ manager, operation, fieldsV1 }) => [`${manager} ${operation}`, fieldsV1!])
}

const http = (fields: JsonObject): JsonObject => ({ 'k:{"name":"http"}': { '.': {}, 'f:name': {}, ...fields } })

test('server-side apply of custom resources with keyed lists', () => {
  const grid = (spec: JsonObject): JsonObject => custom('Grid', spec)
  const first = { ports: [{ name: 'http', port: 80 }], groups: ['g1'], args: ['-v'], opts: { a: '1' }, plain: ['p'] }
  const alpha = { manager: 'alpha', force: false }
  const beta = { manager: 'beta', force: false }
  const created = applyConfiguration(grids, { configuration: grid(first), ...alpha, time: time(1) })
  const alphaFields = { 'f:args': {}, 'f:groups': { 'v:"g1"': {} }, 'f:opts': {}, 'f:plain': {} }
  assert.deepEqual(owned(created), [
    ['alpha Apply', { 'f:spec': { ...alphaFields, 'f:ports': http({ 'f:port': {} }) } }],
  ])

  const live = { ...created, spec: { ...first, ports: [{ name: 'http', port: 80, proto: 'TCP' }] } }
  const second = grid({ ports: [{ name: 'https', port: 443 }], groups: ['g2'] })
  const both = applyConfiguration(grids, { live, configuration: second, ...beta, time: time(2) })
  const spec = both.spec as JsonObject
  assert.deepEqual(spec.groups, ['g1', 'g2'])
  assert.deepEqual(spec.ports, [
    { name: 'http', port: 80, proto: 'TCP' },
    { name: 'https', port: 443 },
  ])
  assert.deepEqual((owned(both) as JsonValue[])[1], [
    'beta Apply',
    {
      'f:spec': {
        'f:groups': { 'v:"g2"': {} },
        'f:ports': { 'k:{"name":"https"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
      },
    },
  ])

  const configuration = grid({ ports: [{ name: 'http', port: 8080 }], args: ['-q'], opts: { b: '2' } })
  assert.throws(() => applyConfiguration(grids, { live: both, configuration, ...beta, time: time(3) }), {
    message:
      'Apply failed with 3 conflicts: conflicts with "alpha":\n' +
      '- .spec.args\n- .spec.opts\n- .spec.ports[name="http"].port',
  })
  const forced = applyConfiguration(grids, { live: both, configuration, ...beta, force: true, time: time(4) })
  assert.deepEqual(forced.spec, {
    args: ['-q'],
    groups: ['g1'],
    opts: { b: '2' },
    plain: ['p'],
    ports: [{ name: 'http', port: 8080, proto: 'TCP' }],
  })
  const betaFields = { 'f:spec': { 'f:args': {}, 'f:opts': {}, 'f:ports': http({ 'f:port': {} }) } }
  assert.deepEqual(owned(forced), [
    ['alpha Apply', { 'f:spec': { 'f:groups': { 'v:"g1"': {} }, 'f:plain': {}, 'f:ports': http({}) } }],
    ['beta Apply', betaFields],
  ])

  const less = applyConfiguration(grids, {
    live: forced,
    configuration: grid({ groups: ['g1'] }),
    ...alpha,
    time: time(5),
  })
  assert.deepEqual(less.spec, {
    args: ['-q'],
    groups: ['g1'],
    opts: { b: '2' },
    ports: [{ name: 'http', port: 8080, proto: 'TCP' }],
  })
  assert.deepEqual(owned(less), [
    ['beta Apply', betaFields],
    ['alpha Apply', { 'f:spec': { 'f:groups': { 'v:"g1"': {} } } }],
  ])

  const keyless = { live: less, configuration: grid({ ports: [{ port: 1 }] }), ...beta, time: time(6) }
  assert.throws(() => applyConfiguration(grids, keyless), {
    message:
      'failed to create typed patch object (/m; example.com/v1, Kind=Grid): .spec.ports: element 0: ' +
      `associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
  })
  const unknown = { live: less, configuration: grid({ zzz: true }), ...beta, time: time(6) }
  assert.throws(() => applyConfiguration(grids, unknown), {
    message:
      'failed to create typed patch object (/m; example.com/v1, Kind=Grid): .spec.zzz: field not declared in schema',
  })
})

test('monitors and rules of a monitoring chart', () => {
  const spec: JsonObject = {
    selector: { matchLabels: { app: 'web' } },
    namespaceSelector: { matchNames: ['shop'] },
    endpoints: [
      { port: 'metrics', interval: '30s' },
      { targetPort: 9100, params: { collect: ['cpu'] } },
    ],
  }
  const configuration = custom('ServiceMonitor', spec, { labels: { release: 'mon' } })
  const argo = { manager: 'argocd-controller', force: true, time: time(1) }
  const created = applyConfiguration(monitors, { configuration, ...argo })
  const metadata = { 'f:labels': { 'f:release': {} } }
  const others = { 'f:namespaceSelector': { 'f:matchNames': {} }, 'f:selector': {} }
  assert.deepEqual(owned(created), [
    ['argocd-controller Apply', { 'f:metadata': metadata, 'f:spec': { 'f:endpoints': {}, ...others } }],
  ])
  const other = custom('ServiceMonitor', { selector: { matchLabels: { tier: 'x' } } })
  const kubectl = { live: created, manager: 'kubectl', force: false, time: time(2) }
  assert.throws(() => applyConfiguration(monitors, { configuration: other, ...kubectl }), {
    message: 'Apply failed with 1 conflict: conflict with "argocd-controller": .spec.selector',
  })
  const next = { ...created, spec: { ...(created.spec as JsonObject), endpoints: [{ port: 'web', scheme: 'https' }] } }
  const edited = updateManagedFields(monitors, { live: created, next, manager: 'kubectl-edit', time: time(3) })
  assert.deepEqual(owned(edited), [
    ['argocd-controller Apply', { 'f:metadata': metadata, 'f:spec': others }],
    ['kubectl-edit Update', { 'f:spec': { 'f:endpoints': {} } }],
  ])
})
