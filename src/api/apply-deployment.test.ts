import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyConfiguration } from '../schema/apply/apply.js'
import { ApplyConflictError } from '../schema/apply/errors.js'
import { namePath } from '../schema/apply/field-set/field-set.js'
import { excluding } from '../schema/apply/field-set/filter.js'
import { parentManagedFields, type ScaleMapping, scaleManagedFields } from '../schema/apply/scale.js'
import { applyTarget } from '../schema/apply/target.js'
import { updateManagedFields } from '../schema/apply/update.js'
import { singleVersion } from '../schema/apply/versions.js'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import { builtin } from './scheme.js'

const type = builtin.kind('apps/v1', 'Deployment')!
const target = applyTarget(type, { versions: singleVersion(excluding(namePath('status'))) })
const statusFilter = excluding(namePath('spec'), namePath('metadata', 'labels'))
const status = applyTarget(type, { subresource: 'status', versions: singleVersion(statusFilter) })
const scale = applyTarget(builtin.kind('autoscaling/v1', 'Scale')!, { subresource: 'scale' })
const mapping: ScaleMapping = { apiVersion: 'apps/v1', replicas: new Map([['apps/v1', namePath('spec', 'replicas')]]) }

/** The configuration that a client sends. */
const deployment = ({ replicas = 2, image = 'nginx:1.27' } = {}): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
  },
})

/** The same with defaults. */
const withDefaults = ({ replicas = 2, image = 'nginx:1.27' } = {}): JsonObject => ({
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-1', generation: 1, labels: { app: 'web' } },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image,
            resources: {},
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'IfNotPresent',
          },
        ],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        securityContext: {},
        schedulerName: 'default-scheduler',
      },
    },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  },
  status: {},
})

const entriesOf = (object: JsonObject): readonly JsonObject[] =>
  ((object.metadata as JsonObject).managedFields ?? []) as readonly JsonObject[]

const withEntries = (object: JsonObject, managedFields: readonly JsonObject[]): JsonObject => ({
  ...object,
  metadata: { ...(object.metadata as JsonObject), managedFields },
})

const time = (second: number): string => `2024-05-06T07:08:${String(second).padStart(2, '0')}Z`

/** A deployment's scale with its managed fields. */
const scaleOf = (parent: JsonObject, replicas: JsonValue): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'web', uid: 'u-1', managedFields: scaleManagedFields(entriesOf(parent), mapping) ?? [] },
  spec: { replicas },
  status: { replicas: 0, selector: 'app=web' },
})

function refusal(attempt: () => unknown): ApplyConflictError {
  try {
    attempt()
  } catch (error) {
    assert.ok(error instanceof ApplyConflictError)
    return error
  }
  assert.fail('there is no conflict')
}

const containerFields = {
  '.': {},
  'f:image': {},
  'f:imagePullPolicy': {},
  'f:name': {},
  'f:resources': {},
  'f:terminationMessagePath': {},
  'f:terminationMessagePolicy': {},
}

/** The fields of a deployment that its creator owns, without those that other managers have taken over. */
const createdFields = (spec: JsonObject, container: JsonObject): JsonObject => ({
  'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
  'f:spec': {
    'f:progressDeadlineSeconds': {},
    ...spec,
    'f:revisionHistoryLimit': {},
    'f:selector': {},
    'f:strategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {} }, 'f:type': {} },
    'f:template': {
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
      'f:spec': {
        'f:containers': { 'k:{"name":"web"}': container },
        'f:dnsPolicy': {},
        'f:restartPolicy': {},
        'f:schedulerName': {},
        'f:securityContext': {},
        'f:terminationGracePeriodSeconds': {},
      },
    },
  },
})

const appliedFields = (spec: JsonObject): JsonObject => ({
  'f:metadata': { 'f:labels': { 'f:app': {} } },
  'f:spec': {
    ...spec,
    'f:selector': {},
    'f:template': {
      'f:metadata': { 'f:labels': { 'f:app': {} } },
      'f:spec': { 'f:containers': { 'k:{"name":"web"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
    },
  },
})

const replicas = { 'f:replicas': {} }
const applied = { operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1' }
const updated = { operation: 'Update', apiVersion: 'apps/v1', fieldsType: 'FieldsV1' }

test('an applier conflicts with earlier updaters', () => {
  const created = updateManagedFields(target, { next: withDefaults(), manager: 'a-creator', time: time(1) })
  const creator = { manager: 'a-creator', ...updated, time: time(1) }
  assert.deepEqual(entriesOf(created), [{ ...creator, fieldsV1: createdFields(replicas, containerFields) }])
  const order = JSON.stringify(entriesOf(created)[0]!.fieldsV1)
  assert.equal(order, JSON.stringify(createdFields(replicas, containerFields)), 'in the order in which it is written')

  const update = { live: scaleOf(created, 2), next: scaleOf(created, 5), manager: 'b-scaler', time: time(2) }
  const scaled = entriesOf(updateManagedFields(scale, update))
  const entries = parentManagedFields(entriesOf(created), scaled, mapping)!
  const scaler = { manager: 'b-scaler', ...updated, fieldsV1: { 'f:spec': replicas }, subresource: 'scale' }
  assert.deepEqual(entries, [scaler, { ...creator, fieldsV1: createdFields({}, containerFields) }])
  const live = withEntries(withDefaults({ replicas: 5 }), entries)

  const apply = { live, manager: 'ci', force: false, time: time(3) }
  const configuration = deployment({ image: 'nginx:1.29' })
  const both = refusal(() => applyConfiguration(target, { ...apply, configuration }))
  assert.equal(
    both.message,
    'Apply failed with 2 conflicts: conflicts with "a-creator" using apps/v1:\n' +
      '- .spec.template.spec.containers[name="web"].image\n' +
      'conflicts with "b-scaler" with subresource "scale" using apps/v1:\n' +
      '- .spec.replicas',
  )
  const one = refusal(() => applyConfiguration(target, { ...apply, configuration: deployment({ replicas: 7 }) }))
  const message = 'conflict with "b-scaler" with subresource "scale" using apps/v1'
  assert.equal(one.message, `Apply failed with 1 conflict: ${message}: .spec.replicas`)
  assert.deepEqual(one.causes, [{ reason: 'FieldManagerConflict', message, field: '.spec.replicas' }])

  const forced = applyConfiguration(target, { ...apply, configuration, force: true })
  assert.deepEqual(forced.spec, withDefaults({ image: 'nginx:1.29' }).spec)
  const { 'f:image': _, ...left } = containerFields
  assert.deepEqual(entriesOf(forced), [
    { manager: 'ci', ...applied, time: time(3), fieldsV1: appliedFields(replicas) },
    { ...creator, fieldsV1: createdFields({}, left) },
  ])
})

test('an apply of the status and an apply of the spec are separate managers', () => {
  const apply = { manager: 'a-ci', configuration: deployment(), force: false, time: time(1) }
  const ci = { manager: 'a-ci', ...applied, time: time(1) }
  const created = applyConfiguration(target, apply)
  assert.deepEqual(entriesOf(created), [{ ...ci, fieldsV1: appliedFields(replicas) }])

  const statusOf = (fields: JsonObject): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    ...fields,
  })
  const condition = {
    type: 'Available',
    status: 'False',
    reason: 'Waiting',
    message: 'not yet',
    lastUpdateTime: '2024-01-01T00:00:00Z',
    lastTransitionTime: '2024-01-01T00:00:00Z',
  }
  const live = withEntries(withDefaults(), entriesOf(created))
  const configuration = statusOf({ status: { replicas: 2, readyReplicas: 1, conditions: [condition] } })
  const observe = { live, manager: 'b-controller', configuration, force: false, time: time(2) }
  const observed = applyConfiguration(status, observe)
  const controller = {
    manager: 'b-controller',
    ...applied,
    time: time(2),
    fieldsV1: {
      'f:status': {
        'f:conditions': {
          'k:{"type":"Available"}': {
            '.': {},
            'f:lastTransitionTime': {},
            'f:lastUpdateTime': {},
            'f:message': {},
            'f:reason': {},
            'f:status': {},
            'f:type': {},
          },
        },
        'f:readyReplicas': {},
        'f:replicas': {},
      },
    },
    subresource: 'status',
  }
  assert.deepEqual(entriesOf(observed), [{ ...ci, fieldsV1: appliedFields(replicas) }, controller])

  const other = statusOf({ spec: { replicas: 9 }, status: { replicas: 3 } })
  const meddle = { live: observed, manager: 'c-other', configuration: other, force: false, time: time(3) }
  const meddled = refusal(() => applyConfiguration(status, meddle))
  assert.deepEqual(
    meddled.message,
    'Apply failed with 1 conflict: conflict with "b-controller" with subresource "status": .status.replicas',
  )

  const scaleTo = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 9 } }
  const rescale = { live: scaleOf(observed, 2), manager: 'd-scaler', configuration: scaleTo, time: time(4) }
  const notForced = refusal(() => applyConfiguration(scale, { ...rescale, force: false }))
  assert.equal(notForced.message, 'Apply failed with 1 conflict: conflict with "a-ci": .spec.replicas')
  const rescaled = applyConfiguration(scale, { ...rescale, force: true })
  assert.deepEqual(parentManagedFields(entriesOf(observed), entriesOf(rescaled), mapping), [
    { manager: 'd-scaler', ...applied, fieldsV1: { 'f:spec': replicas }, subresource: 'scale' },
    { ...ci, fieldsV1: appliedFields({}) },
    controller,
  ])
})

test('the error for an unknown field contains its path and object', () => {
  const configuration = { ...deployment(), spec: { ...(deployment().spec as JsonObject), replica: 3 } }
  assert.throws(() => applyConfiguration(target, { configuration, manager: 'ci', force: false, time: time(1) }), {
    message:
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema',
  })
})

test('an ingress class of a chart', () => {
  const configuration = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'ing' },
    spec: { controller: 'k8s.example.com/ingress' },
  }
  const ingressClass = applyTarget(builtin.kind('networking.k8s.io/v1', 'IngressClass')!)
  const created = applyConfiguration(ingressClass, { configuration, manager: 'helm', force: false, time: time(1) })
  assert.deepEqual(entriesOf(created), [
    {
      manager: 'helm',
      operation: 'Apply',
      apiVersion: 'networking.k8s.io/v1',
      time: time(1),
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:controller': {} } },
    },
  ])
})
