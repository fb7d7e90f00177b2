import type { ObjectMeta } from '../api/meta/v1/object-meta.js'
import type { Schema } from '../schema/declaration.js'
import type { Instance } from '../schema/infer.js'
import {
  type ApplyOptions,
  type DeleteRequestOptions,
  type GetOptions,
  type ListOptions,
  queryOf,
  type RequestOptions,
  type SelectOptions,
  type WatchOptions,
  type WriteOptions,
} from './request-options.js'
import { type ResourceLocation, typeOf } from './resource-location.js'
import type { ClientRequest, ClientResponse, ReceivedEvent } from './transport.js'

/** Any API object. */
export interface AnyObject {
  readonly metadata: ObjectMeta
}

/** An object as it is sent: the client adds `apiVersion` and `kind`, and the server sets defaults. */
export type Given<T extends AnyObject> = Partial<T> & { readonly metadata: Partial<ObjectMeta> }

export interface Page<T> {
  readonly items: readonly T[]
  /** Where a watch continues. */
  readonly resourceVersion: string
  readonly continue?: string
  readonly remaining?: number
}

export interface ResourceEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK'
  /** In a bookmark only the resource version is valid. */
  readonly object: T
}

const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const

/** Requests objects with metadata only. A server that does not know these media types sends whole objects. */
const metadataForms = {
  object: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
  list: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
} as const

/** The part of a resource that a client works with. */
interface View {
  readonly namespace?: string
  readonly subresource?: string
  readonly metadataOnly?: boolean
}

/** Sends a request. The response has the requested type. */
export type Send = <Is extends ClientResponse['is']>(
  request: ClientRequest & { readonly responseType: Is },
) => Promise<Extract<ClientResponse, { is: Is }>>

/** The verbs of one resource, in all namespaces or in one. Never change the objects that it returns. */
export class ResourceClient<T extends AnyObject> {
  readonly location: ResourceLocation
  readonly #send: Send
  readonly #view: View
  readonly #namespace: string
  readonly #subresource: string

  constructor(place: ResourceLocation, send: Send, view: View = {}) {
    this.location = place
    this.#send = send
    this.#view = view
    this.#namespace = view.namespace ?? ''
    this.#subresource = view.subresource ?? ''
  }

  in(namespace: string): ResourceClient<T> {
    return new ResourceClient(this.location, this.#send, { ...this.#view, namespace })
  }

  /** Reads only metadata if that saves anything. Do not rely on the rest of the objects. */
  metadataOnly(): ResourceClient<AnyObject> {
    return new ResourceClient(this.location, this.#send, { ...this.#view, metadataOnly: true })
  }

  /** `status`, or another subresource of the same kind. */
  subresource(subresource: string): ResourceClient<T>
  /** `scale`, `binding` or another subresource with a kind of its own. */
  subresource<S extends Schema>(subresource: string, kind: S): ResourceClient<Instance<S> & AnyObject>
  subresource(subresource: string, kind?: Schema): ResourceClient<AnyObject> {
    const place = kind ? { ...this.location, ...typeOf(kind) } : this.location
    return new ResourceClient(place, this.#send, { ...this.#view, subresource })
  }

  get(name: string, options: GetOptions = {}): Promise<T> {
    const accept = this.#accept('object')
    return this.#rejectMisuse(() =>
      this.#object({ method: 'GET', path: this.#path(name), ...requestFields(options), accept }),
    )
  }

  async list(options: ListOptions = {}): Promise<Page<T>> {
    const request = { method: 'GET', path: this.#path(), ...requestFields(options), accept: this.#accept('list') }
    const page = await this.#send({ ...request, responseType: 'list' })
    return {
      items: page.items.map(({ object }) => object as unknown as T),
      resourceVersion: String(page.revision),
      ...(page.continue && { continue: page.continue }),
      ...(page.remaining !== undefined && { remaining: page.remaining }),
    }
  }

  /** Ends when the server ends the watch, or when `signal` is aborted. Throws what the server reports, such as `Expired`. */
  async *watch(options: WatchOptions = {}): AsyncIterable<ResourceEvent<T>> {
    const { signal } = options
    if (signal?.aborted) return
    for await (const batch of await this.#batchesUnlessAborted(options))
      for (const { type, object } of batch) {
        if (signal?.aborted) return
        yield { type, object: object.object as unknown as T }
      }
  }

  /** A watch that is aborted before the response ends without an error. */
  async #batchesUnlessAborted(options: WatchOptions): Promise<AsyncIterable<readonly ReceivedEvent[]> | []> {
    try {
      return await this.watchBatches(options)
    } catch (error) {
      if (options.signal?.aborted) return []
      throw error
    }
  }

  /** Watches in batches, as they arrive. Resolves when the server has started the watch. */
  async watchBatches(options: WatchOptions = {}): Promise<AsyncIterable<readonly ReceivedEvent[]>> {
    const request = {
      method: 'GET',
      path: this.#path(),
      accept: this.#accept('object'),
      responseType: 'watch',
    } as const
    const { sparseBookmarks } = options
    const asking = requestFields({ watch: true, ...options } as WatchOptions)
    return (await this.#send({ ...request, ...asking, ...(sparseBookmarks && { sparseBookmarks }) })).events
  }

  /** Creates an object. A subresource such as `binding` is created for the object that the metadata names. */
  create(object: Given<T>, options: WriteOptions = {}): Promise<T> {
    return this.#rejectMisuse(() => {
      const here = this.#around(object)
      here.#checkNamespace()
      const path = this.#subresource === '' ? here.#path() : here.#path(object.metadata.name)
      return this.#object({ method: 'POST', path, ...requestFields(options), body: this.#typed(object) })
    })
  }

  /** Replaces an object. If the metadata has a resource version, it fails if the object has changed since. */
  update(object: Given<T>, options: WriteOptions = {}): Promise<T> {
    return this.#rejectMisuse(() => {
      const path = this.#pathOf(object)
      return this.#object({ method: 'PUT', path, ...requestFields(options), body: this.#typed(object) })
    })
  }

  patch(name: string, type: keyof typeof patchTypes, patch: unknown, options: WriteOptions = {}): Promise<T> {
    const contentType = patchTypes[type]
    const request = { method: 'PATCH', ...requestFields(options), body: patch, contentType }
    return this.#rejectMisuse(() => this.#object({ ...request, path: this.#path(name) }))
  }

  /** Server-side apply: the object has all fields that its manager owns. */
  apply(object: Given<T>, options: ApplyOptions): Promise<T> {
    const contentType = 'application/apply-patch+yaml'
    return this.#rejectMisuse(() => {
      const path = this.#pathOf(object)
      return this.#object({ method: 'PATCH', path, ...requestFields(options), body: this.#typed(object), contentType })
    })
  }

  /** Requests deletion. The object may stay for a grace period, or until its finalizers are removed. */
  async delete(name: string, options: DeleteRequestOptions = {}): Promise<void> {
    const { signal } = options
    await this.#object({
      method: 'DELETE',
      path: this.#path(name),
      ...requestFields({ signal }),
      body: deleteBody(options),
    })
  }

  async deleteCollection(select: SelectOptions = {}, options: DeleteRequestOptions = {}): Promise<void> {
    const signal = options.signal ?? select.signal
    const body = deleteBody(options)
    await this.#send({
      method: 'DELETE',
      path: this.#path(),
      ...requestFields({ ...select, signal }),
      body,
      responseType: 'list',
    })
  }

  async #object(request: Omit<ClientRequest, 'responseType'>): Promise<T> {
    const { object } = await this.#send({ ...request, responseType: 'object' })
    return object.object as unknown as T
  }

  #accept(form: keyof typeof metadataForms): string | undefined {
    return this.#view.metadataOnly ? metadataForms[form] : undefined
  }

  #typed(object: Given<T>): object {
    const { apiVersion, kind } = this.location
    return { apiVersion, kind, ...object }
  }

  /** Objects with a namespace need no `in`. */
  #around({ metadata: { namespace } }: Given<T>): ResourceClient<T> {
    return namespace === undefined || this.#namespace !== '' ? this : this.in(namespace)
  }

  #pathOf(object: Given<T>): string {
    const { name } = object.metadata
    if (name === undefined) throw new TypeError(`cannot write a ${this.location.kind} without a name`)
    return this.#around(object).#path(name)
  }

  /** Rejects with what `send` throws. */
  #rejectMisuse(send: () => Promise<T>): Promise<T> {
    try {
      return send()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #checkNamespace(): void {
    const { namespaced, kind } = this.location
    if (namespaced && this.#namespace === '')
      throw new TypeError(
        `${kind} objects are in namespaces, and none is given: write client.resource(${kind}).in('default'), or set metadata.namespace`,
      )
  }

  #path(name?: string): string {
    if (name !== undefined) this.#checkNamespace()
    const { root, plural, namespaced } = this.location
    const inside = namespaced && this.#namespace !== '' ? `${root}/namespaces/${this.#namespace}` : root
    if (name === undefined) return `${inside}/${plural}`
    return `${inside}/${plural}/${name}${this.#subresource === '' ? '' : `/${this.#subresource}`}`
  }
}

function requestFields(options: RequestOptions): Pick<ClientRequest, 'query' | 'signal' | 'retries'> {
  const { signal, retries } = options
  return { query: queryOf(options), signal, retries }
}

function deleteBody({ signal: _, retries: __, ...options }: DeleteRequestOptions): object {
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...options }
}
