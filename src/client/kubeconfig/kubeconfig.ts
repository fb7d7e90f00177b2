/**
 * A kubeconfig. Fields have the names of the file, so that reading, merging, printing and writing use the same type. `shape.ts` lists them
 * for decoding.
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
  /** The file that contains it, and that changes are written to. */
  readonly file?: string
}

/** By name. The values have no schema. */
export type Extensions = ReadonlyMap<string, unknown>

export interface Preferences {
  readonly colors?: boolean
  readonly extensions?: Extensions
}

/** The address of a server, and how to verify it. */
export interface KubeconfigCluster {
  readonly server?: string
  readonly 'tls-server-name'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'certificate-authority'?: string
  /** In base64, like all `-data`. Takes precedence over the file. */
  readonly 'certificate-authority-data'?: string
  readonly 'proxy-url'?: string
  readonly 'disable-compression'?: boolean
  readonly extensions?: Extensions
}

/** The credentials of a user. */
export interface KubeconfigUser {
  readonly 'client-certificate'?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key'?: string
  readonly 'client-key-data'?: string
  readonly token?: string
  /** Read repeatedly. Takes precedence over `token` as long as it can be read. */
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

/** A cluster, a user and a default namespace. */
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

/** A program that returns credentials. */
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
