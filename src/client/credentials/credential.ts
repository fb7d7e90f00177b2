import type { X509KeyPair } from '../../wire/x509/issuer.js'

/** What a client sends to prove its identity. */
export interface Credential {
  /** The `Authorization` header. */
  readonly authorization?: string
  readonly certificate?: X509KeyPair
}

/** Provides credentials, which may change from one request to the next. Its errors contain no secrets. */
export interface CredentialSource {
  /** Returns the credential for the next request: the same object until it changes. */
  current(signal?: AbortSignal): Promise<Credential>
  /** Reports that the server rejected a credential. If another one can be had, `current` returns that from now on. */
  rejected(credential: Credential, signal?: AbortSignal): Promise<void>
}

/** Provides a credential that never changes. */
export function fixedCredential(credential: Credential): CredentialSource {
  return { current: async () => credential, rejected: async () => {} }
}

export function bearer(token: string): string {
  return `Bearer ${token}`
}
