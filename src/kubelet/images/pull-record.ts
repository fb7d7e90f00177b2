import type { RegistryCredential, SecretIdentity } from './credential.js'

/** A pull that is in progress, or was when the kubelet stopped. */
export interface PullIntent {
  readonly image: string
}

/** Who may use an image, by repository: only pods that could have pulled it. */
export interface PulledRecord {
  /** The runtime's id of the image. */
  readonly imageRef: string
  /** `2006-01-02T15:04:05Z` */
  readonly lastUpdatedTime: string
  readonly credentialMapping: Readonly<Record<string, PullCredentials>>
}

export interface PullCredentials {
  /** True if it was pulled without credentials. */
  readonly nodePodsAccessible?: boolean
  readonly kubernetesSecrets?: readonly PullSecret[]
}

export interface PullSecret extends SecretIdentity {
  readonly credentialHash: string
}

export function pullSecretOf({ hash, secret }: RegistryCredential): PullSecret {
  return { ...secret, credentialHash: hash }
}

/** Returns the access that a successful pull grants. */
export function pullCredentials(credential: RegistryCredential | undefined): PullCredentials {
  return credential ? { kubernetesSecrets: [pullSecretOf(credential)] } : { nodePodsAccessible: true }
}

/** Returns the union, or `before` itself if nothing is new. Access for all pods needs no secrets. */
export function merged(before: PullCredentials, more: PullCredentials): PullCredentials {
  if (before.nodePodsAccessible) return before
  if (more.nodePodsAccessible) return more
  const secrets = before.kubernetesSecrets ?? []
  const changed = (more.kubernetesSecrets ?? []).filter((secret) => !secrets.some((known) => isSame(known, secret)))
  if (changed.length === 0) return before
  const kept = secrets.filter((known) => !changed.some((secret) => isSameSecret(known, secret)))
  return { kubernetesSecrets: [...kept, ...changed].sort(compareSecrets) }
}

/** Returns whether a secret grants access: it is a known secret, or has equal contents. */
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
