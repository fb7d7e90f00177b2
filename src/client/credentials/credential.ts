/** What is shown to a server to prove who one is. */
export interface Credential {
  /** The header of that name. */
  readonly authorization?: string
  /** In PEM form. */
  readonly certificate?: Certificate
}

export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Where credentials come from; they may change from one request to the next. Errors that it throws hold no secret. */
export interface CredentialSource {
  /** To be shown with the next request. The same object as long as it has not changed. */
  current(signal?: AbortSignal): Promise<Credential>
  /** The server does not accept it: if there may be another one, it is to be had from now on. */
  refused(credential: Credential, signal?: AbortSignal): Promise<void>
}

/** One that never changes. */
export function fixedCredential(credential: Credential): CredentialSource {
  return { current: async () => credential, refused: async () => {} }
}

export function bearer(token: string): string {
  return `Bearer ${token}`
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
