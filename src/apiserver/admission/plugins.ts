import type { Environment } from '../../base/environment.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { AdmissionPlugin } from './admission.js'
import { defaultTolerationSeconds } from './default-toleration-seconds.js'
import { Lookups } from './lookup.js'
import { namespaceLifecycle } from './namespace-lifecycle.js'
import { priority } from './priority.js'
import { serviceAccount } from './service-account.js'

export interface PluginParts {
  readonly environment: Environment
  readonly resources: ResourceMap
  readonly store: ObjectStore
  /** `--enable-admission-plugins`: besides those that are on by themselves. */
  readonly enabled?: readonly string[]
  /** `--disable-admission-plugins`. */
  readonly disabled?: readonly string[]
  /** `--default-not-ready-toleration-seconds`, `--default-unreachable-toleration-seconds`. */
  readonly notReadyTolerationSeconds?: number
  readonly unreachableTolerationSeconds?: number
}

interface PluginEntry {
  readonly name: string
  readonly isOn: boolean
  readonly make: (parts: PluginParts, lookups: Lookups) => AdmissionPlugin
}

const fiveMinutes = 300

/** Every plugin there is, in the order in which they are asked; those that count come last. */
const catalogue: readonly PluginEntry[] = [
  on('NamespaceLifecycle', (_, lookups) => namespaceLifecycle(lookups)),
  on('ServiceAccount', ({ environment }, lookups) => serviceAccount(lookups, environment)),
  on('Priority', (_, lookups) => priority(lookups)),
  on('DefaultTolerationSeconds', ({ notReadyTolerationSeconds, unreachableTolerationSeconds }) =>
    defaultTolerationSeconds({
      notReady: notReadyTolerationSeconds ?? fiveMinutes,
      unreachable: unreachableTolerationSeconds ?? fiveMinutes,
    }),
  ),
]

function on(name: string, make: PluginEntry['make']): PluginEntry {
  return { name, isOn: true, make }
}

/** The plugins that are on, in their order. */
export function defaultPlugins(parts: PluginParts): readonly AdmissionPlugin[] {
  const { enabled = [], disabled = [] } = parts
  for (const name of [...enabled, ...disabled])
    if (!catalogue.some((entry) => entry.name === name)) throw new Error(`unknown admission plugin: ${name}`)
  const both = enabled.find((name) => disabled.includes(name))
  if (both) throw new Error(`${both} in enable-admission-plugins and disable-admission-plugins`)
  const lookups = new Lookups(parts.resources, parts.store)
  return catalogue
    .filter(({ name, isOn }) => !disabled.includes(name) && (isOn || enabled.includes(name)))
    .map(({ make }) => make(parts, lookups))
}
