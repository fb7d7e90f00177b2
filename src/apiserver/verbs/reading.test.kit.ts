import type { TestContext } from 'node:test'
import type { KubeObject } from '../../api/kube-object.js'
import { builtin } from '../../api/scheme.js'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { RegistryStrategy } from '../../schema/strategy.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import type { CachedObject } from '../cache/cached-object.js'
import { openObjectStore } from '../cache/cached-object-store.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { RequestContext } from '../request/request-context.js'
import type { EncodedEvent } from '../response/response.js'
import type { ReadScope } from './verb-scope.js'

/** What the tests of verbs that read share: an object store in memory, and requests to it. */

export interface Place {
  readonly namespace?: string
  readonly name?: string
  readonly signal?: AbortSignal
}

/** A small cluster of one kind, which may know more fields than is declared. */
export async function setUp(context: TestContext, kind = 'ConfigMap', fields?: RegistryStrategy<never>['fields']) {
  const clock = new VirtualClock()
  const world = environment({ clock })
  const memory = new MemoryStore({ environment: world })
  const objects = await openObjectStore(memory, world, { freeze: true, recentEvents: 5 })
  context.after(async () => {
    await objects.close()
    await memory.close()
  })
  const declared = builtin.resources.find((type) => type.kind.kind === kind)!
  const type: ServedKind = fields ? Object.create(declared, { strategy: { value: { fields } } }) : declared
  const { plural, namespaced } = type.kind.resource
  const prefix = `/registry/${plural}/`
  // What reading asks of a resource; the rest is for those who write.
  const resource = {
    type,
    stored: type,
    groupResource: { group: type.kind.group, resource: plural },
    objects: objects.collection(prefix),
    allObjects: objects.collection(prefix),
    prefix,
    key: (namespace: string, name: string) => `${prefix}${namespaced ? `${namespace}/` : ''}${name}`,
    served: (cached: CachedObject) => cached,
  } satisfies Partial<ServedResource> as Partial<ServedResource> as ServedResource

  function scope(query: string, { namespace = namespaced ? 'a' : '', name = '', signal }: Place = {}): ReadScope {
    const request = { query: new URLSearchParams(query), signal: signal ?? new AbortController().signal }
    const context = { request, decision: '', reason: '' } as unknown as RequestContext
    const representation = {
      media: 'json',
      pretty: false,
      as: 'object',
      version: 'v1',
      includeObject: 'Metadata',
    } as const
    return { context, resource, store: objects, environment: world, representation, namespace, name }
  }

  async function put(name: string, parts: object = {}, namespace = 'a'): Promise<CachedObject> {
    const key = resource.key(namespace, name)
    const { metadata, ...rest } = parts as { metadata?: object }
    const object = {
      kind,
      apiVersion: type.kind.apiVersion,
      metadata: { name, ...(namespaced && { namespace }), ...metadata },
      ...rest,
    } as unknown as KubeObject
    return (await objects.write([{ key, expected: resource.objects.get(key)?.revision ?? 0, object }]))![0]!
  }

  async function remove(name: string, namespace = 'a'): Promise<CachedObject> {
    const key = resource.key(namespace, name)
    const expected = resource.objects.get(key)!.revision
    return (await objects.write([{ key, expected, object: undefined }]))![0]!
  }

  return { clock, memory, objects, resource, scope, put, remove }
}

/** Reads a watch in the background, and describes what it tells: `MODIFIED x 5`. */
export class Listener {
  readonly told: string[] = []
  readonly events: EncodedEvent[] = []
  error: unknown
  ended = false

  constructor(events: AsyncIterable<readonly EncodedEvent[]>) {
    void this.#read(events)
  }

  async #read(events: AsyncIterable<readonly EncodedEvent[]>): Promise<void> {
    try {
      for await (const batch of events) for (const event of batch) this.#take(event)
    } catch (error) {
      this.error = error
    }
    this.ended = true
  }

  #take(event: EncodedEvent): void {
    const { name = '', resourceVersion } = event.object.object.metadata
    this.events.push(event)
    this.told.push([event.type, name, resourceVersion].filter(Boolean).join(' '))
  }
}
