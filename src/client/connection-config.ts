import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig/kubeconfig.js'

/** Everything that a connection to a server needs: its URL, how to verify it, and the user. */
export interface ConnectionConfig {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** The default namespace. */
  readonly namespace: string
  readonly cluster: KubeconfigCluster
  readonly user: KubeconfigUser
  /** Milliseconds that a request may take. Unlimited by default. */
  readonly timeout?: number
  /** Stores new settings of the user's auth provider. */
  readonly persist?: PersistAuthProvider
}

export type PersistAuthProvider = (config: Readonly<Record<string, string>>) => Promise<void>
