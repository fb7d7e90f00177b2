import assert from 'node:assert/strict'
import { ApiError } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { builtin } from '../../api/scheme.js'
import { type Environment, environment } from '../../base/environment.js'
import { canonicalObject } from '../../schema/encode.js'
import type { Draft } from '../../schema/infer.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { openObjectStore } from '../cache/cached-object-store.js'
import { ResourceMap } from '../registry/resource-map.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { AdmissionPlugin, AdmissionRequest } from './admission.js'
import type { AdmissionPluginDefinition, AdmissionPluginDependencies } from './definition.js'
import { ObjectLookups } from './lookup.js'

/** Runs single plugins over a store in memory. */
export interface PluginHarness {
  readonly environment: Environment
  readonly resources: ResourceMap
  /** Stores objects as they are. */
  store(...objects: readonly object[]): Promise<void>
  /** Creates a plugin. Everything is allowed, unless `dependencies` say otherwise. */
  create<Configuration extends object>(
    definition: AdmissionPluginDefinition<Configuration>,
    dependencies?: Partial<AdmissionPluginDependencies>,
    configuration?: Configuration,
  ): AdmissionPlugin
  /** Lets one plugin mutate and validate a request. Returns the resulting object and the warnings. */
  admit(plugin: AdmissionPlugin, request: SampleRequest): Promise<AdmissionResult>
}

export interface SampleRequest {
  readonly object?: object
  readonly old?: object
  readonly operation?: AdmissionRequest['operation']
  readonly subresource?: string
  readonly user?: string
  readonly groups?: readonly string[]
  readonly dryRun?: boolean
}

export interface AdmissionResult {
  readonly object: Draft<KubeObject>
  readonly warnings: readonly string[]
}

export async function openPluginHarness(given: Partial<Environment> = {}, scheme = builtin): Promise<PluginHarness> {
  const around = environment(given)
  const store = await openObjectStore(new MemoryStore({ environment: around }), around, { soleWriter: true })
  const resources = new ResourceMap(scheme, store, {})
  const dependencies: AdmissionPluginDependencies = {
    environment: around,
    resources,
    lookups: new ObjectLookups(resources, store),
    isAllowed: () => true,
    authorize: () => ({ decision: 'allow', reason: '' }),
    createNamespace: () => Promise.reject(new Error('the namespace exists')),
  }
  return {
    environment: around,
    resources,
    create: (definition, given, configuration) => definition.create({ ...dependencies, ...given }, configuration),
    async store(...objects) {
      for (const object of objects as KubeObject[]) {
        const resource = resourceOf(resources, object)
        const { namespace = '', name = '' } = object.metadata
        const stored = canonicalObject(resource.stored, object) as unknown as KubeObject
        await store.write([{ key: resource.key(namespace, name), expected: 0, object: stored }])
      }
    },
    admit: (plugin, request) => admit(plugin, request, resources),
  }
}

function resourceOf(resources: ResourceMap, { apiVersion, kind }: KubeObject): ServedResource {
  for (const resource of resources)
    if (resource.type.kind.apiVersion === apiVersion && resource.type.kind.kind === kind) return resource
  throw new Error(`${kind} of ${apiVersion} is not served`)
}

async function admit(plugin: AdmissionPlugin, sample: SampleRequest, resources: ResourceMap): Promise<AdmissionResult> {
  const { old, operation = old ? 'UPDATE' : 'CREATE', subresource = '', user = 'jane', groups = [] } = sample
  const { dryRun = false } = sample
  const object = structuredClone(sample.object) as Draft<KubeObject> | undefined
  const subject = (object ?? old) as KubeObject
  const warnings: string[] = []
  const request: AdmissionRequest = {
    operation,
    resource: resourceOf(resources, subject),
    subresource,
    namespace: subject.metadata.namespace ?? '',
    name: subject.metadata.name ?? '',
    object,
    old: old as KubeObject | undefined,
    user: { name: user, uid: '', groups, extra: {} },
    dryRun,
    options: {},
    warn: (message) => void warnings.push(message),
    alsoWrite: () => undefined,
  }
  if (plugin.handles(request)) {
    await plugin.mutate?.(request, 0)
    await plugin.validate?.(request)
  }
  return { object: request.object!, warnings }
}

/** Returns the message of a rejection. */
export async function rejectionOf(admitted: Promise<unknown>): Promise<string> {
  const error = await admitted.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiError, 'the request was not rejected')
  return error.message
}

export function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'here', ...metadata },
    spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec },
    status: {},
  }
}

export function namespace(name: string, labels: object = {}, phase = 'Active'): object {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels }, spec: {}, status: { phase } }
}
