import type { KubeObject } from '../../api/kube-object.js'
import type { Environment } from '../../base/environment.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import type { Client } from '../client.js'
import type { SelectOptions } from '../request-options.js'
import type { AnyObject, ResourceClient } from '../resource-client.js'
import type { ResourceLocation } from '../resource-location.js'
import type { Informer, SharedInformers } from './informer.js'
import { LocalCopy } from './local-copy.js'
import { Reflector } from './reflector.js'
import { reflectorMetrics } from './reflector-metrics.js'

/** Selects a part of the objects of a kind. */
export interface InformerSelection extends SelectOptions {
  readonly namespace?: string
  /** Requests only metadata. If an informer of whole objects exists, that is used. */
  readonly metadataOnly?: boolean
}

export interface StartedInformer {
  readonly location: ResourceLocation
  readonly selection: InformerSelection
  readonly informer: Informer
}

interface Started extends Omit<StartedInformer, 'informer'> {
  readonly copy: LocalCopy<AnyObject>
  /** Resolves when the reflector has ended. */
  readonly stopped: Promise<void>
}

/** The informers of a component: one for each kind and selection, started on first use. */
export class Informers implements SharedInformers, AsyncDisposable {
  readonly #client: Client
  readonly #environment: Environment
  readonly #closing = new AbortController()
  readonly #started = new Map<string, Started>()
  /** Informers without a selection: handlers look them up with every change. */
  readonly #byKind = new WeakMap<object, LocalCopy<AnyObject>>()

  constructor(client: Client, environment: Environment) {
    this.#client = client
    this.#environment = environment
  }

  /** Takes a declared kind, `informers.of(Pod)`, or the location of a kind that only discovery knows. */
  of<S extends Schema>(kind: S, selection?: InformerSelection): Informer<Instance<S> & AnyObject>
  of(location: ResourceLocation, selection?: InformerSelection): Informer<KubeObject>
  of(what: Schema | ResourceLocation, selection?: InformerSelection): Informer<AnyObject> {
    if (selection) return this.#startedFor(what, selection)
    const known = this.#byKind.get(what)
    if (known) return known
    const copy = this.#startedFor(what, {})
    this.#byKind.set(what, copy)
    return copy
  }

  #startedFor(what: Schema | ResourceLocation, selection: InformerSelection): LocalCopy<AnyObject> {
    const resource = this.#client.resource(what as Schema) as ResourceClient<AnyObject>
    const whole = nameOf(resource.location, { ...selection, metadataOnly: false })
    const isPart = selection.metadataOnly && !this.#client.sharesObjects
    const name = isPart && !this.#started.has(whole) ? nameOf(resource.location, selection) : whole
    let started = this.#started.get(name)
    if (!started) {
      this.#closing.signal.throwIfAborted()
      started = this.#start(isPart ? resource.metadataOnly() : resource, selection)
      this.#started.set(name, started)
    }
    return started.copy
  }

  /** All informers so far. */
  started(): readonly StartedInformer[] {
    return [...this.#started.values()].map(({ location, selection, copy }) => ({ location, selection, informer: copy }))
  }

  /** Resolves when all informers so far are synced. */
  async synced(): Promise<void> {
    await Promise.all([...this.#started.values()].map(({ copy }) => copy.synced))
  }

  /** Resolves when all reflectors have ended. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the informers were closed'))
    const all = [...this.#started.values()]
    for (const { copy } of all) copy.close()
    await Promise.all(all.map(({ stopped }) => stopped))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #start(everywhere: ResourceClient<AnyObject>, selected: InformerSelection): Started {
    const { location } = everywhere
    const { namespace, metadataOnly: _, ...selection } = selected
    const environment = this.#environment
    const metrics = reflectorMetrics(environment.metrics, groupResource(location))
    const copy = new LocalCopy<AnyObject>((error) => {
      metrics.handlerFailed()
      environment.log.error('informer handler failed', { resource: groupResource(location), error })
    })
    if (location.namespaced) copy.addIndex('namespace', ({ metadata }) => [metadata.namespace!])
    const resource = namespace === undefined ? everywhere : everywhere.in(namespace)
    const reflector = new Reflector({
      resource,
      selection,
      copy,
      environment,
      metrics,
      isInProcess: this.#client.sharesObjects,
    })
    return { location, selection: selected, copy, stopped: reflector.run(this.#closing.signal) }
  }
}

/** The key of an informer. */
function nameOf({ root, plural }: ResourceLocation, selection: InformerSelection): string {
  const { namespace, labelSelector, fieldSelector, metadataOnly = false } = selection
  return JSON.stringify([root, plural, namespace, labelSelector, fieldSelector, metadataOnly])
}

/** `pods`, `deployments.apps` */
function groupResource({ root, plural }: ResourceLocation): string {
  const [, prefix, group] = root.split('/')
  return prefix === 'api' ? plural : `${plural}.${group}`
}
