import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { KubeObject } from '../../api/kube-object.js'
import { builtin } from '../../api/scheme.js'
import { FieldSelector } from '../../api/selectors/field-selector.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectStore } from '../cache/object-store.js'
import { ResourceMap } from '../registry/resource-map.js'
import type { ListRequestOptions } from './list-options.js'
import { selectObjects } from './object-selection.js'

const resources = new ResourceMap(builtin, { collection: () => undefined } as unknown as ObjectStore, {})

function select(resource: string, selector: string, object: object = {}): boolean {
  const [group, version, plural] = resource.split('/') as [string, string, string]
  const options = { labels: LabelSelector.everything, fields: FieldSelector.parse(selector), continueToken: '' }
  const query = { resource: resources.find(group, version, plural)!, namespace: '', name: '' }
  const { matches } = selectObjects(query, options as unknown as ListRequestOptions)
  return matches({ object: { metadata: {}, ...object } as KubeObject } as CachedObject)
}

describe('objects are selected by fields', () => {
  test('that their kind declares, beside name and namespace', () => {
    const pod = { metadata: { name: 'web', namespace: 'shop' }, spec: { nodeName: 'n1' }, status: {} }
    assert.equal(select('/v1/pods', 'spec.nodeName=n1,metadata.namespace=shop,metadata.name!=db', pod), true)
    assert.equal(select('/v1/pods', 'spec.nodeName!=n1', pod), false)
  })

  test('under the names in the version of the request', () => {
    const event = { involvedObject: { name: 'web' }, reportingComponent: 'kubelet' }
    assert.equal(select('/v1/events', 'involvedObject.name=web', event), true)
    assert.equal(select('events.k8s.io/v1/events', 'regarding.name=web,reportingController=kubelet', event), true)
    assert.throws(() => select('events.k8s.io/v1/events', 'involvedObject.name=web', event), {
      message: 'field label not supported: involvedObject.name',
    })
  })

  for (const [resource, field, message] of [
    ['/v1/configmaps', 'data.k', '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['/v1/pods', 'spec.containers', 'field label not supported: spec.containers'],
    ['/v1/nodes', 'metadata.namespace', 'field label not supported: metadata.namespace'],
    ['batch/v1/jobs', 'status.failed', 'field label "status.failed" not supported for batchv1.Job'],
    [
      'resource.k8s.io/v1/resourceslices',
      'spec.pool.name',
      'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: spec.pool.name',
    ],
  ] as const)
    test(`${field} of ${resource} is rejected with the message of its kind`, () =>
      assert.throws(() => select(resource, `${field}=x`), { message }))
})
