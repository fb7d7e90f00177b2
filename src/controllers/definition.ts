import type { ControllerRole } from '../api/rbac/rule-text.js'
import { integer } from '../base/flags/flag-types.js'
import type { Flag, FlagTable, FlagValues } from '../base/flags/flags.js'
import type { X509KeyPair } from '../wire/x509/issuer.js'
import type { ControllerBuilder } from './runtime/builder.js'
import type { Controller } from './runtime/reconcile.js'

/**
 * All that the controller manager and the API server must know of a controller. Each controller has a folder, whose `controller.ts` exports
 * its `definition`; `tools/module-lists.ts` finds it there.
 */
export interface ControllerDefinition<Flags extends FlagTable = FlagTable> extends Partial<ControllerRole> {
  /** As `--controllers` names it: `replicaset-controller`. The folder has the same name, without `-controller`. */
  readonly name: string
  /** The older name that `--controllers` also accepts: `replicaset`. */
  readonly alias?: string
  /** Its work queue in metrics, where upstream's label differs from the name. */
  readonly queue?: string
  /** The component that its events name as their source, where that differs from the name. */
  readonly eventSource?: string
  /** The controller manager starts it only if `--controllers` names it; `*` is not enough. */
  readonly isOffByDefault?: boolean
  /** The account of `kube-system` under which it calls the API. Without one it acts as the controller manager. */
  readonly serviceAccount?: string
  /** Its flags, by upstream's names. */
  readonly flags: Flags
  /** Builds the controller. Undefined where the cluster lacks something that it needs. */
  create(builder: ControllerBuilder, setup: ControllerSetup<Flags>): Controller | undefined
}

/** What a controller is built from. */
export interface ControllerSetup<Flags extends FlagTable = FlagTable> {
  readonly flags: FlagValues<Flags>
  readonly credentials: ClusterCredentials
  /** Reads a text file that a flag names. */
  readonly readFile: (path: string) => string
}

/** Keys and certificates of the cluster. Controllers use them where no flag names a file. */
export interface ClusterCredentials {
  /** The certificate by which clients know the API server, in PEM form. */
  readonly rootAuthority?: string | undefined
  /** Signs the tokens of service accounts, in PEM form. */
  readonly serviceAccountKey?: string | undefined
  /** Signs certificates. */
  readonly signing?: (() => X509KeyPair | undefined) | undefined
}

type ControllerDeclaration<Flags extends FlagTable> = Omit<ControllerDefinition<Flags>, 'flags'> & {
  readonly flags?: Flags
}

export function defineController<Flags extends FlagTable = Record<never, never>>(
  declaration: ControllerDeclaration<Flags>,
): ControllerDefinition<Flags> {
  return { ...declaration, flags: declaration.flags ?? ({} as Flags) }
}

/** The rule that lets a controller record events. */
export const recordEvents = 'create patch update on events of core events.k8s.io'

/** A flag such as `--concurrent-gc-syncs`. */
export function workersFlag(what: string, standard: number): Flag<number> {
  return integer(`How many ${what} are reconciled at the same time.`, {
    placeholder: 'COUNT',
    initial: standard,
    least: 1,
  })
}
