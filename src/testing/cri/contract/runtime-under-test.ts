import type { ContainerRuntime } from '../../../cri/interface/services.js'

/** A runtime for the contract tests, with its environment. */
export interface RuntimeUnderTest {
  readonly runtime: ContainerRuntime
  /** Folder for logs and other files of tests. */
  readonly folder: string
  /** A present image of a small Linux. */
  readonly image: string
  readonly registry: {
    /** An image that needs no credentials. */
    readonly open: string
    /** An image that needs credentials. */
    readonly guarded: string
    readonly username: string
    readonly password: string
    /** An image that the registry does not have. */
    readonly missing: string
  }
  /** The parent cgroup of pods, in the kubelet's notation. */
  readonly cgroupParent: string
  /** Missing features with the reason. Their tests are skipped. */
  readonly lacks: Partial<Record<'events' | 'network' | 'podStats', string>>
  /** The enforced limit in bytes. */
  memoryLimit(containerId: string): Promise<number>
  /** Kills and restarts the runtime. Its containers keep running. */
  restart(): Promise<void>
  /** Stops the runtime. Rejects if it leaves anything on the host. */
  close(): Promise<void>
}
