import { ConfigMap } from '../../api/core/v1/config-map.js'
import { podConfigMapNames, podSecretNames } from '../../api/core/v1/pod/references.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { Secret } from '../../api/core/v1/secret.js'
import { hasReason, notFound } from '../../api/errors.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { ConfigMapsAndSecrets } from './config-maps-and-secrets.js'
import { WatchedObject } from './watched-object.js'

/** Kinds by the noun that messages use. */
const kinds = { configmap: ConfigMap, secret: Secret } as const
type Noun = keyof typeof kinds

export interface WatchedObjectsDependencies {
  /** Authenticates as the node. */
  readonly client: Client
  readonly environment: Environment
}

export function configMapsAndSecrets(dependencies: WatchedObjectsDependencies): ConfigMapsAndSecrets {
  return new WatchedObjects(dependencies)
}

interface RegisteredPod {
  readonly pod: Pod
  readonly keys: ReadonlySet<string>
}

class WatchedObjects implements ConfigMapsAndSecrets {
  readonly #dependencies: WatchedObjectsDependencies
  /** Holds an object exactly as long as a pod in `#pods` has its key. */
  readonly #watched = new Map<string, WatchedObject>()
  readonly #pods = new Map<string, RegisteredPod>()
  readonly #listeners = new Set<(podUids: readonly string[]) => void>()
  readonly #closing = new Set<Promise<void>>()

  constructor(dependencies: WatchedObjectsDependencies) {
    this.#dependencies = dependencies
  }

  registerPod(pod: Pod): void {
    const uid = pod.metadata.uid!
    const before = this.#pods.get(uid)
    if (before?.pod === pod) return
    // Only ephemeral containers can add references to a pod.
    const keys = before && sameReferences(before.pod, pod) ? before.keys : keysOf(pod)
    this.#pods.set(uid, { pod, keys })
    if (keys === before?.keys) return
    for (const key of keys) this.#watch(key).users.add(uid)
    for (const key of before?.keys ?? []) if (!keys.has(key)) this.#leave(key, uid)
  }

  unregisterPod(podUid: string): void {
    const pod = this.#pods.get(podUid)
    this.#pods.delete(podUid)
    for (const key of pod?.keys ?? []) this.#leave(key, podUid)
  }

  configMap(namespace: string, name: string, signal?: AbortSignal): Promise<ConfigMap> {
    return this.#get('configmap', { namespace, name, signal }) as Promise<ConfigMap>
  }

  secret(namespace: string, name: string, signal?: AbortSignal): Promise<Secret> {
    return this.#get('secret', { namespace, name, signal }) as Promise<Secret>
  }

  onChange(listener: (podUids: readonly string[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    for (const uid of [...this.#pods.keys()]) this.unregisterPod(uid)
    await Promise.all(this.#closing)
  }

  async #get(noun: Noun, { namespace, name, signal }: ObjectRequest): Promise<AnyObject> {
    const watched = this.#watched.get(keyOf(noun, namespace, name))
    const resource = this.#dependencies.client.resource(kinds[noun]).in(namespace)
    const object = await (watched ? watched.current(signal) : resource.get(name, { signal })).catch(
      (error: unknown) => {
        if (hasReason(error, 'NotFound')) return undefined
        throw error
      },
    )
    if (!object) throw notFound({ group: '', resource: noun }, name)
    return object
  }

  #watch(key: string): WatchedObject {
    const known = this.#watched.get(key)
    if (known) return known
    const [noun, namespace, name] = key.split('/') as [Noun, string, string]
    const changed = () => this.#notify([...watched.users])
    const watched: WatchedObject = new WatchedObject({
      ...this.#dependencies,
      kind: kinds[noun],
      namespace,
      name,
      changed,
    })
    this.#watched.set(key, watched)
    return watched
  }

  #leave(key: string, podUid: string): void {
    const watched = this.#watched.get(key)
    watched?.users.delete(podUid)
    if (!watched || watched.users.size > 0) return
    this.#watched.delete(key)
    const closing: Promise<void> = watched.close().finally(() => this.#closing.delete(closing))
    this.#closing.add(closing)
  }

  #notify(podUids: readonly string[]): void {
    for (const listener of this.#listeners) listener(podUids)
  }
}

interface ObjectRequest {
  readonly namespace: string
  readonly name: string
  readonly signal: AbortSignal | undefined
}

function keyOf(noun: Noun, namespace: string, name: string): string {
  return `${noun}/${namespace}/${name}`
}

function keysOf(pod: Pod): ReadonlySet<string> {
  const { namespace = '' } = pod.metadata
  return new Set([
    ...[...podConfigMapNames(pod)].map((name) => keyOf('configmap', namespace, name)),
    ...[...podSecretNames(pod)].map((name) => keyOf('secret', namespace, name)),
  ])
}

/** Compares what can change the references of a pod. */
function sameReferences({ spec: before }: Pod, { spec: now }: Pod): boolean {
  return before === now || (before.ephemeralContainers?.length ?? 0) === (now.ephemeralContainers?.length ?? 0)
}
