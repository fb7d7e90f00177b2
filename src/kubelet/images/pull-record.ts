import type { RegistryCredential, SecretIdentity } from './credential.js'

/** That an image of this name is being pulled, or was when the kubelet ended. */
export interface PullIntent {
  readonly image: string
}

/** How an image came to this node, by repository: those who could not have pulled it may not use it either. */
export interface PulledRecord {
  /** The runtime's id of the image. */
  readonly imageRef: string
  /** `2006-01-02T15:04:05Z` */
  readonly lastUpdatedTime: string
  readonly credentialMapping: Readonly<Record<string, PullCredentials>>
}

export interface PullCredentials {
  /** It could be had without credentials. */
  readonly nodePodsAccessible?: boolean
  readonly kubernetesSecrets?: readonly PullSecret[]
}

export interface PullSecret extends SecretIdentity {
  readonly credentialHash: string
}

export function pullSecretOf({ hash, secret }: RegistryCredential): PullSecret {
  return { ...secret, credentialHash: hash }
}

/** What a pull that worked says of who may use the image. */
export function pullCredentials(credential: RegistryCredential | undefined): PullCredentials {
  return credential ? { kubernetesSecrets: [pullSecretOf(credential)] } : { nodePodsAccessible: true }
}

/** Both together; `before` itself if nothing is new. What everybody may have needs no secrets. */
export function merged(before: PullCredentials, more: PullCredentials): PullCredentials {
  if (before.nodePodsAccessible) return before
  if (more.nodePodsAccessible) return more
  const secrets = before.kubernetesSecrets ?? []
  const changed = (more.kubernetesSecrets ?? []).filter((secret) => !secrets.some((known) => isSame(known, secret)))
  if (changed.length === 0) return before
  const kept = secrets.filter((known) => !changed.some((secret) => isSameSecret(known, secret)))
  return { kubernetesSecrets: [...kept, ...changed].sort(compareSecrets) }
}

/** Whether a pod with these credentials could have pulled it: by the same secret, or another that says the same. */
export function grantsAccess(
  { nodePodsAccessible, kubernetesSecrets = [] }: PullCredentials,
  secret: PullSecret,
): boolean {
  const isKnown = (known: PullSecret) => known.credentialHash === secret.credentialHash || isSameSecret(known, secret)
  return nodePodsAccessible || kubernetesSecrets.some(isKnown)
}

function isSame(one: PullSecret, other: PullSecret): boolean {
  return one.credentialHash === other.credentialHash && isSameSecret(one, other)
}

function isSameSecret(one: SecretIdentity, other: SecretIdentity): boolean {
  return one.uid === other.uid && one.namespace === other.namespace && one.name === other.name
}

function compareSecrets(one: SecretIdentity, other: SecretIdentity): number {
  const [a, b] = [one, other].map(({ namespace, name, uid }) => `${namespace}\0${name}\0${uid}`)
  return a! < b! ? -1 : 1
}
