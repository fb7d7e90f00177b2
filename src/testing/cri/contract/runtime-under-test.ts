import type { ContainerRuntime } from '../../../cri/interface/services.js'

/** A runtime that the contract is tried on, and what is around it. */
export interface RuntimeUnderTest {
  readonly runtime: ContainerRuntime
  /** For logs and whatever else a test has to keep. */
  readonly folder: string
  /** A small Linux that is there already. */
  readonly image: string
  readonly registry: {
    /** Anybody may pull it. */
    readonly open: string
    /** Takes a name and a password. */
    readonly guarded: string
    readonly username: string
    readonly password: string
    /** The registry is there, and has no such image. */
    readonly missing: string
  }
  /** Below which cgroup pods are, as the kubelet says it. */
  readonly cgroupParent: string
  /** What this runtime cannot do, each with the reason: those tests are skipped, visibly. */
  readonly lacks: Partial<Record<'events' | 'network' | 'podStats', string>>
  /** In bytes, as the runtime enforces it. */
  memoryLimit(containerId: string): Promise<number>
  /** The runtime dies and comes back; its containers do not notice. */
  restart(): Promise<void>
  /** Ends everything. Rejects when anything of it is left. */
  close(): Promise<void>
}
