/** The cost of webhooks for a request that they do not match. */
import type { KubeObject } from '../../src/api/kube-object.js'
import { builtin } from '../../src/api/scheme.js'
import type { AdmissionPlugin, AdmissionRequest } from '../../src/apiserver/admission/admission.js'
import type { AdmissionPluginDependencies } from '../../src/apiserver/admission/definition.js'
import { ObjectLookups } from '../../src/apiserver/admission/lookup.js'
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from '../../src/apiserver/admission/webhooks/plugin.js'
import { openObjectStore } from '../../src/apiserver/cache/cached-object-store.js'
import { ResourceMap } from '../../src/apiserver/registry/resource-map.js'
import { environment } from '../../src/base/environment.js'
import { MemoryStore } from '../../src/storage/memory/memory-store.js'
import { microseconds, type ReportFigure } from '../figure.js'
import { pod } from './objects.js'

const registered = 20

export async function webhookFigures(report: ReportFigure): Promise<void> {
  const around = environment()
  const store = await openObjectStore(new MemoryStore({ environment: around }), around, { soleWriter: true })
  const resources = new ResourceMap(builtin, store, {})
  const dependencies: AdmissionPluginDependencies = {
    environment: around,
    resources,
    lookups: new ObjectLookups(resources, store),
    isAllowed: () => true,
    authorize: () => ({ decision: 'allow', reason: '' }),
    createNamespace: () => Promise.reject(new Error('the namespace exists')),
  }
  const plugins = [mutatingAdmissionWebhook.create(dependencies), validatingAdmissionWebhook.create(dependencies)]
  const request = podRequest(resources)
  const none = microseconds(() => void callPlugins(plugins, request))
  report({ name: 'webhooks: a pod, none registered', value: none, unit: 'µs', budget: '≤ 1 µs' })
  for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'])
    await store.write([{ key: `/registry/${kind.toLowerCase()}s/c`, expected: 0, object: configuration(kind) }])
  const start = performance.now()
  for (let i = 0; i < 20_000; i++) await Promise.all(callPlugins(plugins, request))
  const value = ((performance.now() - start) * 1000) / 20_000
  report({ name: `webhooks: a pod, ${2 * registered} for other things`, value, unit: 'µs' })
  await store.close()
}

function callPlugins(plugins: readonly AdmissionPlugin[], request: AdmissionRequest): readonly unknown[] {
  return plugins.map((plugin) =>
    plugin.handles(request) ? (plugin.mutate ?? plugin.validate)?.(request, 0) : undefined,
  )
}

function podRequest(resources: ResourceMap): AdmissionRequest {
  return {
    operation: 'CREATE',
    resource: resources.find('', 'v1', 'pods')!,
    subresource: '',
    namespace: 'bench',
    name: 'a',
    object: pod('a') as never,
    old: undefined,
    user: { name: 'bench', uid: '', groups: [], extra: {} },
    dryRun: false,
    options: {},
    warn: () => undefined,
    alsoWrite: () => undefined,
  }
}

function configuration(kind: string): KubeObject {
  const webhooks = Array.from({ length: registered }, (_, i) => ({
    name: `hook-${i}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    matchPolicy: 'Equivalent',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    rules: [
      { operations: ['CREATE', 'UPDATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'] },
    ],
    namespaceSelector: {},
    objectSelector: {},
  }))
  const object = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'c' }, webhooks }
  return object as unknown as KubeObject
}
