import assert from 'node:assert/strict'
import { ApiError } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { builtin } from '../../api/scheme.js'
import { type Environment, environment } from '../../base/environment.js'
import { canonical } from '../../schema/encode.js'
import type { Draft } from '../../schema/infer.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { openObjectStore } from '../cache/cached-object-store.js'
import { ResourceMap } from '../registry/resource-map.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { AdmissionPlugin, AdmissionRequest } from './admission.js'
import { ObjectLookups } from './lookup.js'

/** A store in memory, with what plugins look up in it. */
export interface PluginHarness {
  readonly environment: Environment
  readonly lookups: ObjectLookups
  readonly resources: ResourceMap
  /** Stores objects as they are given. */
  has(...objects: readonly object[]): Promise<void>
  /** Lets one plugin mutate and validate a request; gives the object that became of it, and the warnings. */
  admit(plugin: AdmissionPlugin, asked: SampleRequest): Promise<AdmissionResult>
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
  return {
    environment: around,
    lookups: new ObjectLookups(resources, store),
    resources,
    async has(...objects) {
      for (const object of objects as KubeObject[]) {
        const resource = resourceOf(resources, object)
        const { namespace = '', name = '' } = object.metadata
        const stored = canonical(resource.stored, object) as unknown as KubeObject
        await store.write([{ key: resource.key(namespace, name), expected: 0, object: stored }])
      }
    },
    admit: (plugin, asked) => admit(plugin, asked, resources),
  }
}

function resourceOf(resources: ResourceMap, { apiVersion, kind }: KubeObject): ServedResource {
  for (const resource of resources)
    if (resource.type.kind.apiVersion === apiVersion && resource.type.kind.kind === kind) return resource
  throw new Error(`${kind} of ${apiVersion} is not served`)
}

async function admit(plugin: AdmissionPlugin, asked: SampleRequest, resources: ResourceMap): Promise<AdmissionResult> {
  const { old, operation = old ? 'UPDATE' : 'CREATE', subresource = '', user = 'somebody', groups = [] } = asked
  const { dryRun = false } = asked
  const object = structuredClone(asked.object) as Draft<KubeObject> | undefined
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

/** What a refusal says. */
export async function rejectionOf(admitted: Promise<unknown>): Promise<string> {
  const error = await admitted.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiError, 'it was not refused')
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
