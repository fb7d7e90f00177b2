/**
 * What a kubeconfig says. Fields are called what the file calls them, so that what is read, merged, shown and written is one thing;
 * `shape.ts` lists them for reading.
 */
export interface Kubeconfig {
  readonly preferences: Preferences
  readonly clusters: Stanzas<KubeconfigCluster>
  readonly users: Stanzas<KubeconfigUser>
  readonly contexts: Stanzas<KubeconfigContext>
  readonly 'current-context': string
  readonly extensions: Extensions
}

/** By name. */
export type Stanzas<T> = ReadonlyMap<string, Stanza<T>>

export interface Stanza<T> {
  readonly settings: T
  /** From which file it comes, and into which changes of it go. */
  readonly file?: string
}

/** By name; anything at all, of which only whoever put it there knows what it means. */
export type Extensions = ReadonlyMap<string, unknown>

export interface Preferences {
  readonly colors?: boolean
  readonly extensions?: Extensions
}

/** How a server is reached, and how it is known. */
export interface KubeconfigCluster {
  readonly server?: string
  readonly 'tls-server-name'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'certificate-authority'?: string
  /** In base64, as all `-data`. Goes before the file. */
  readonly 'certificate-authority-data'?: string
  readonly 'proxy-url'?: string
  readonly 'disable-compression'?: boolean
  readonly extensions?: Extensions
}

/** How one proves to a server who one is. */
export interface KubeconfigUser {
  readonly 'client-certificate'?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key'?: string
  readonly 'client-key-data'?: string
  readonly token?: string
  /** Is read again and again, and goes before `token` as long as it can be read. */
  readonly tokenFile?: string
  readonly as?: string
  readonly 'as-uid'?: string
  readonly 'as-groups'?: readonly string[]
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>
  readonly username?: string
  readonly password?: string
  readonly 'auth-provider'?: AuthProvider
  readonly exec?: ExecPlugin
  readonly extensions?: Extensions
}

/** A server, who one is there, and where one usually works. */
export interface KubeconfigContext {
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
  readonly extensions?: Extensions
}

export interface AuthProvider {
  readonly name?: string
  readonly config?: Readonly<Record<string, string>>
}

/** A program that gives credentials. */
export interface ExecPlugin {
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name?: string; readonly value?: string }[]
  readonly apiVersion?: string
  readonly installHint?: string
  readonly provideClusterInfo?: boolean
  readonly interactiveMode?: string
}

export const emptyKubeconfig: Kubeconfig = {
  preferences: {},
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  'current-context': '',
  extensions: new Map(),
}
