import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { podFromManifest } from './manifest.js'

const place = { path: '/manifests/web.yaml', nodeName: 'host' }
const manifest = (spec: object = {}, metadata: object = {}) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', labels: { a: 'b' }, ...metadata },
    spec: { containers: [{ name: 'c', image: 'web' }], ...spec },
  })

describe('a manifest', () => {
  test("is completed for this node, with the API server's defaults", async () => {
    const { metadata, spec, status } = await podFromManifest(manifest(), place)
    assert.equal(metadata.name, 'web-host')
    assert.equal(metadata.namespace, 'default')
    assert.match(metadata.uid ?? '', /^[0-9a-f]{32}$/)
    assert.deepEqual(metadata.annotations, {
      'kubernetes.io/config.hash': metadata.uid,
      'kubernetes.io/config.source': 'file',
    })
    assert.equal(spec.nodeName, 'host')
    assert.deepEqual(spec.tolerations, [{ operator: 'Exists', effect: 'NoExecute' }])
    assert.equal(spec.restartPolicy, 'Always')
    assert.equal(spec.enableServiceLinks, true)
    assert.equal(spec.containers?.[0]?.imagePullPolicy, 'Always')
    assert.equal(status.phase, 'Pending')
  })

  test('may be YAML', async () => {
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: mine, uid: u}\nspec:\n  containers: [{name: c, image: web}]\n'
    const { metadata } = await podFromManifest(text, place)
    assert.deepEqual([metadata.name, metadata.namespace, metadata.uid], ['web-host', 'mine', 'u'])
  })

  test('gives another pod with other contents, another file or another node', async () => {
    const uid = async (text: string, where = place) => (await podFromManifest(text, where)).metadata.uid
    const uids = [
      await uid(manifest()),
      await uid(manifest({ restartPolicy: 'Never' })),
      await uid(manifest(), { ...place, path: '/manifests/other.yaml' }),
      await uid(manifest(), { ...place, nodeName: 'other' }),
    ]
    assert.equal(new Set(uids).size, 4)
    assert.equal(await uid(manifest()), uids[0])
  })

  test('that tolerates everything already has one such toleration', async () => {
    const tolerations = [
      { operator: 'Exists', effect: 'NoExecute' },
      { key: 'x', operator: 'Exists' },
    ]
    const { spec } = await podFromManifest(manifest({ tolerations }), place)
    assert.deepEqual(spec.tolerations, [
      { key: 'x', operator: 'Exists' },
      { operator: 'Exists', effect: 'NoExecute' },
    ])
  })

  test('of a critical priority class has its priority', async () => {
    const { spec } = await podFromManifest(manifest({ priorityClassName: 'system-node-critical' }), place)
    assert.equal(spec.priority, 2_000_001_000)
  })

  const wrong: readonly (readonly [what: string, text: string, message: RegExp])[] = [
    ['no YAML', '{', /^couldn't parse as pod: yaml: /],
    ['something else', '{"apiVersion":"v1","kind":"Service"}', /no v1 Pod/],
    ['a list', '[]', /no v1 Pod/],
    ['of the wrong form', manifest({ containers: 3 }), /^couldn't parse as pod: /],
    ['without containers', manifest({ containers: [] }), /^invalid pod: spec.containers: Required value/],
    ['without a name', manifest({}, { name: '' }), /metadata.name: Required value/],
    [
      'with a service account',
      manifest({ serviceAccountName: 'a' }),
      /^static pods may not reference serviceaccounts$/,
    ],
    ['with a secret', manifest({ imagePullSecrets: [{ name: 's' }] }), /^static pods may not reference secrets$/],
    ['with a map', manifest({ volumes: [{ name: 'v', configMap: { name: 'm' } }] }), /reference configmaps$/],
    [
      'with a variable from a map',
      manifest({ containers: [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: 'm' } }] }] }),
      /reference configmaps$/,
    ],
    [
      'with a claim',
      manifest({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
      /reference persistentvolumeclaims$/,
    ],
    [
      'with a token',
      manifest({ volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] }),
      /serviceAccountToken: Forbidden/,
    ],
  ]
  for (const [what, text, message] of wrong)
    test(`${what} is invalid`, () => assert.rejects(podFromManifest(text, place), { name: 'ManifestError', message }))
})
