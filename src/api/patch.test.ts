/** Patches of real kinds, with results recorded from Kubernetes v1.36 (before defaulting). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../schema/declaration.js'
import { applyJsonPatch } from '../schema/patch/json-patch.js'
import { applyMergePatch } from '../schema/patch/merge-patch.js'
import { PatchError } from '../schema/patch/patch-error.js'
import { applyStrategicPatch } from '../schema/patch/strategic-patch.js'
import { builtin } from './scheme.js'

const patchDeployment = (object: JsonObject, patch: JsonObject) =>
  applyStrategicPatch(builtin.type('apps/v1.Deployment'), object, patch)

/** The defaults of every container. */
const defaults = {
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
}

function deployment(containers: readonly JsonObject[], more: JsonObject = {}): JsonObject {
  return {
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name: 'web', labels: { app: 'web' }, ...(more.metadata as JsonObject) },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers, restartPolicy: 'Always', ...(more.podSpec as JsonObject) },
      },
      strategy: more.strategy ?? { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    },
  }
}

const podPatch = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } })

const web: JsonObject = {
  name: 'web',
  image: 'nginx:1.27',
  ports: [{ name: 'http', containerPort: 80, protocol: 'TCP' }],
  env: [
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ],
  ...defaults,
}

test('containers, environment and ports merge by their keys', () => {
  const images = podPatch({
    containers: [
      {
        name: 'web',
        image: 'nginx:1.29',
        env: [
          { name: 'B', value: 'two' },
          { name: 'C', value: '3' },
        ],
      },
    ],
  })
  const env = [
    { name: 'A', value: '1' },
    { name: 'B', value: 'two' },
    { name: 'C', value: '3' },
  ]
  const second = patchDeployment(deployment([web]), images)
  const web2 = { ...web, image: 'nginx:1.29', env }
  assert.deepEqual(second, deployment([web2]))

  const sidecar = { name: 'sidecar', image: 'envoy:1' }
  const third = patchDeployment(second, podPatch({ containers: [sidecar] }))
  assert.deepEqual(third, deployment([sidecar, web2]))

  const ports = podPatch({
    containers: [
      { name: 'web', env: [{ name: 'A', $patch: 'delete' }], ports: [{ containerPort: 443, name: 'https' }] },
    ],
  })
  const web3: JsonObject = {
    ...web2,
    env: env.slice(1),
    ports: [
      { containerPort: 443, name: 'https' },
      { name: 'http', containerPort: 80, protocol: 'TCP' },
    ],
  }
  const fourth = patchDeployment(third, ports)
  assert.deepEqual(fourth, deployment([sidecar, web3]))

  const ordered = podPatch({
    '$setElementOrder/containers': [{ name: 'sidecar' }, { name: 'web' }],
    containers: [{ name: 'web', imagePullPolicy: 'Always' }],
  })
  const fifth = patchDeployment(fourth, ordered)
  assert.deepEqual(fifth, deployment([sidecar, { ...web3, imagePullPolicy: 'Always' }]))

  const sixth = patchDeployment(fifth, podPatch({ containers: [{ name: 'sidecar', $patch: 'delete' }] }))
  assert.deepEqual(sixth, deployment([{ ...web3, imagePullPolicy: 'Always' }]))

  const only = { name: 'only', image: 'busybox:1' }
  assert.deepEqual(patchDeployment(sixth, podPatch({ containers: [{ $patch: 'replace' }, only] })), deployment([only]))
})

test('what kubectl apply, rollout restart and set image send', () => {
  const applied = podPatch({
    '$setElementOrder/containers': [{ name: 'web' }],
    containers: [
      {
        '$setElementOrder/env': [{ name: 'A' }, { name: 'C' }],
        name: 'web',
        env: [
          { name: 'C', value: '3' },
          { $patch: 'delete', name: 'B' },
        ],
      },
    ],
  })
  const web2 = {
    ...web,
    env: [
      { name: 'A', value: '1' },
      { name: 'C', value: '3' },
    ],
  }
  const second = patchDeployment(deployment([web]), applied)
  assert.deepEqual(second, deployment([web2]))

  const restart = {
    spec: {
      template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2024-05-06T07:08:09+02:00' } } },
    },
  }
  const restarted = patchDeployment(second, restart) as { spec: { template: { metadata: JsonObject } } } & JsonObject
  assert.deepEqual(restarted.spec.template.metadata, { labels: { app: 'web' }, ...restart.spec.template.metadata })

  const image = podPatch({
    '$setElementOrder/containers': [{ name: 'web' }],
    containers: [{ image: 'nginx:1.29', name: 'web' }],
  })
  assert.deepEqual(patchDeployment(second, image), deployment([{ ...web2, image: 'nginx:1.29' }]))
})

test('directives on maps and lists of scalars', () => {
  const metadata = { finalizers: ['example.com/one', 'example.com/two'], labels: { app: 'web', tier: 'front' } }
  const first = deployment([web], { metadata, podSpec: { nodeSelector: { disk: 'ssd' } } })
  const recreate = patchDeployment(first, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }) as {
    spec: JsonObject
  }
  assert.deepEqual(recreate.spec.strategy, { type: 'Recreate' })

  const meta = (object: JsonObject) => object.metadata as JsonObject
  const third = patchDeployment(first, { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/one'] } })
  assert.deepEqual(meta(third).finalizers, ['example.com/two'])
  const fourth = patchDeployment(third, { metadata: { finalizers: ['example.com/three'] } })
  assert.deepEqual(meta(fourth).finalizers, ['example.com/three', 'example.com/two'])
  const fifth = patchDeployment(fourth, { metadata: { labels: { $patch: 'replace', app: 'web', env: 'prod' } } })
  assert.deepEqual(meta(fifth).labels, { app: 'web', env: 'prod' })
  const sixth = patchDeployment(fifth, podPatch({ nodeSelector: { $patch: 'delete' } })) as {
    spec: { template: { spec: JsonObject } }
  } & JsonObject
  assert.deepEqual(sixth.spec.template.spec.nodeSelector, {})
  assert.ok(!('finalizers' in meta(patchDeployment(sixth, { metadata: { finalizers: null } }))))
})

const failures: readonly [JsonObject, string, string][] = [
  [
    podPatch({ containers: [{ image: 'nginx:2' }] }),
    'unmergeable',
    'map: map[image:nginx:2] does not contain declared merge key: name',
  ],
  [
    { metadata: { labels: { $patch: 'merge-please' } } },
    'unmergeable',
    'unknown patch type: merge-please in map: map[$patch:merge-please]',
  ],
  [
    { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: { maxSurge: 1 } } } },
    'malformed',
    'invalid patch format of retainKeys',
  ],
]
for (const [patch, failure, message] of failures) {
  test(`a deployment rejects ${JSON.stringify(patch)}`, () => {
    assert.throws(
      () => patchDeployment(deployment([web]), patch),
      (error: unknown) => {
        assert.ok(error instanceof PatchError)
        assert.deepEqual([error.failure, error.message], [failure, message])
        return true
      },
    )
  })
}

test('values of a wrong type are rejected by decoding, not by the patch', () => {
  const spec = (object: JsonObject) => object.spec as JsonObject & { template: { spec: JsonObject } }
  assert.equal(spec(patchDeployment(deployment([web]), { spec: { replicas: 'three' } })).replicas, 'three')
  assert.equal(
    spec(patchDeployment(deployment([web]), podPatch({ containers: 'none' }))).template.spec.containers,
    'none',
  )
})

test('a new port of a service comes first', () => {
  const service = { spec: { ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }] } }
  const patched = applyStrategicPatch(builtin.type('core/v1.Service'), service, {
    spec: { ports: [{ port: 443, name: 'https' }] },
  })
  assert.deepEqual(patched.spec, {
    ports: [
      { port: 443, name: 'https' },
      { port: 80, protocol: 'TCP', targetPort: 8080 },
    ],
  })
})

test('ephemeral containers merge into a pod by name', () => {
  const pod = {
    spec: { containers: [{ name: 'app' }], ephemeralContainers: [{ name: 'debugger-1', image: 'busybox', tty: true }] },
  }
  const patch = {
    spec: {
      ephemeralContainers: [
        { name: 'debugger-1', image: 'busybox:2' },
        { name: 'second', image: 'busybox' },
      ],
    },
  }
  const patched = applyStrategicPatch(builtin.type('core/v1.Pod'), pod, patch) as typeof pod
  assert.deepEqual(patched.spec.ephemeralContainers, [
    { name: 'debugger-1', image: 'busybox:2', tty: true },
    { name: 'second', image: 'busybox' },
  ])
})

test('the taints of a node are replaced, and so is the selector of a disruption budget', () => {
  const node = {
    spec: {
      taints: [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'b', effect: 'NoSchedule' },
      ],
    },
  }
  const taints = { spec: { taints: [{ key: 'b', effect: 'NoExecute' }] } }
  assert.deepEqual(applyStrategicPatch(builtin.type('core/v1.Node'), node, taints), taints)
  const budget = { spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } } }
  const patch = { spec: { minAvailable: 3, selector: { matchLabels: { tier: 'front' } } } }
  assert.deepEqual(applyStrategicPatch(builtin.type('policy/v1.PodDisruptionBudget'), budget, patch), patch)
})

test('JSON patches of a config map', () => {
  const configMap: JsonObject = { metadata: { name: 'a', annotations: { keep: 'y' } }, data: { one: '1', two: '2' } }
  const patched = applyJsonPatch(configMap, [
    { op: 'test', path: '/data/one', value: '1' },
    { op: 'replace', path: '/data/one', value: 'uno' },
    { op: 'add', path: '/data/three', value: '3' },
    { op: 'move', from: '/data/two', path: '/data/deux' },
    { op: 'copy', from: '/data/three', path: '/data/trois' },
    { op: 'remove', path: '/data/three' },
    { op: 'add', path: '/metadata/labels', value: { app: 'shop' } },
    { op: 'add', path: '/metadata/labels/example.com~1tier', value: 'front' },
  ])
  assert.deepEqual(patched, {
    metadata: { name: 'a', annotations: { keep: 'y' }, labels: { app: 'shop', 'example.com/tier': 'front' } },
    data: { deux: '2', one: 'uno', trois: '3' },
  })
  assert.throws(() => applyJsonPatch(configMap, [{ op: 'add', path: '/metadata/labels/a', value: 'b' }]), PatchError)
})

test('merge patches of a deployment', () => {
  const first = deployment([web], { metadata: { annotations: { a: '1', b: '2' } } })
  const patch = {
    metadata: { annotations: { a: null, c: '3' } },
    ...podPatch({ containers: [{ name: 'web', image: 'nginx:1.29' }] }),
  }
  const expected: JsonValue = deployment([{ name: 'web', image: 'nginx:1.29' }], {
    metadata: { annotations: { b: '2', c: '3' } },
  })
  assert.deepEqual(applyMergePatch(first, patch), expected)
})
