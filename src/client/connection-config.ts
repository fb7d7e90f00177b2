import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig/kubeconfig.js'

/** Where a server is, how it is known and who one is there: all that it takes to talk to it. */
export interface ConnectionConfig {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** In which one works unless one says otherwise. */
  readonly namespace: string
  readonly cluster: KubeconfigCluster
  readonly user: KubeconfigUser
  /** Milliseconds after which a request is given up. Unlimited unless given. */
  readonly timeout?: number
  /** Keeps what the user's auth provider has learned. */
  readonly persist?: PersistAuthProvider
}

export type PersistAuthProvider = (config: Readonly<Record<string, string>>) => Promise<void>
