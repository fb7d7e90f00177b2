import type { PersistentVolume } from '../../../api/core/v1/persistent-volume.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ChangeEvent } from '../../cache/object-store.js'
import type { ServedResource } from '../../registry/served-resource.js'
import { referenceKey } from './pod-references.js'

/** Indexes, for each secret, the claims whose volumes need it for mounting. Follows the volumes. */
export class VolumeSecrets {
  readonly #volumes: ServedResource
  /** The secrets of a volume, by its key. */
  readonly #secrets = new Map<string, readonly string[]>()
  /** The claims of the volumes that need a secret, by its reference; then by the key of the volume. */
  readonly #claims = new Map<string, Map<string, string>>()
  #isBuilt = false

  constructor(volumes: ServedResource) {
    this.#volumes = volumes
    volumes.objects.follow({ changed: (event) => this.#changed(event), reset: () => this.#forget() })
  }

  /** Returns the references of the claims whose volumes need a secret. */
  claimsOf(secret: string): Iterable<string> {
    if (!this.#isBuilt) this.#build()
    return this.#claims.get(secret)?.values() ?? []
  }

  #build(): void {
    this.#isBuilt = true
    for (const kept of this.#volumes.objects.list(this.#volumes.prefix)) this.#add(kept)
  }

  #forget(): void {
    this.#isBuilt = false
    this.#secrets.clear()
    this.#claims.clear()
  }

  #changed({ type, object }: ChangeEvent): void {
    if (!this.#isBuilt) return
    this.#remove(object.key)
    if (type === 'put') this.#add(object)
  }

  #add({ key, object }: CachedObject): void {
    const volume = object as PersistentVolume
    const claim = claimOf(volume)
    if (claim === undefined) return
    const secrets = secretsOf(volume)
    if (secrets.length === 0) return
    this.#secrets.set(key, secrets)
    for (const secret of secrets) {
      const claims = this.#claims.get(secret) ?? new Map<string, string>()
      this.#claims.set(secret, claims)
      claims.set(key, claim)
    }
  }

  #remove(key: string): void {
    for (const secret of this.#secrets.get(key) ?? []) {
      const claims = this.#claims.get(secret)!
      claims.delete(key)
      if (claims.size === 0) this.#claims.delete(secret)
    }
    this.#secrets.delete(key)
  }
}

/** Returns the reference of the claim that a volume is bound to. */
export function claimOf({ spec }: PersistentVolume): string | undefined {
  const { namespace = '', name = '' } = spec.claimRef ?? {}
  return name === '' ? undefined : referenceKey('persistentvolumeclaims', namespace, name)
}

interface SecretBearer {
  readonly secretName?: string
  readonly secretNamespace?: string | null
  readonly secretRef?: SecretName | null
  readonly nodePublishSecretRef?: SecretName
  readonly nodeStageSecretRef?: SecretName
  readonly nodeExpandSecretRef?: SecretName
}

interface SecretName {
  readonly name?: string
  readonly namespace?: string
}

/** Returns the secrets that the kubelet needs, without those for controllers. The default namespace is that of the claim. */
function secretsOf({ spec }: PersistentVolume): readonly string[] {
  const keys: string[] = []
  for (const source of Object.values(spec)) {
    if (typeof source !== 'object' || source === null) continue
    const bearer = source as SecretBearer
    const own = { name: bearer.secretName ?? '', namespace: bearer.secretNamespace ?? '' }
    const { secretRef, nodePublishSecretRef, nodeStageSecretRef, nodeExpandSecretRef } = bearer
    for (const secret of [own, secretRef, nodePublishSecretRef, nodeStageSecretRef, nodeExpandSecretRef])
      if (secret?.name)
        keys.push(referenceKey('secrets', secret.namespace || (spec.claimRef?.namespace ?? ''), secret.name))
  }
  return keys
}
