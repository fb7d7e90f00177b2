import type { ObjectStore } from '../cache/object-store.js'
import type { AdmissionPlugin } from './admission.js'
import type { PluginConfigurations } from './configuration.js'
import type { AdmissionPluginDefinition, AdmissionPluginDependencies } from './definition.js'
import { pluginDefinitions } from './definitions.js'
import { ObjectLookups } from './lookup.js'

/** Every plugin, in the order in which plugins run. */
export const admissionPlugins: readonly AdmissionPluginDefinition[] = inOrder(pluginDefinitions)

export interface AdmissionPluginOptions extends Omit<AdmissionPluginDependencies, 'lookups'> {
  readonly store: ObjectStore
  /** The plugins to choose from; all of them unless given. */
  readonly definitions?: readonly AdmissionPluginDefinition[]
  /** Feature gates that are on. */
  readonly gates: ReadonlySet<string>
  /** `--enable-admission-plugins`: in addition to the default ones. */
  readonly enabled?: readonly string[]
  /** `--disable-admission-plugins`. */
  readonly disabled?: readonly string[]
  /** Changes the order of the plugins. */
  readonly arrange?: (plugins: readonly AdmissionPlugin[]) => readonly AdmissionPlugin[]
  /** Read from the file of `--admission-control-config-file`. */
  readonly configurations?: PluginConfigurations
}

/** Creates the enabled plugins, in their order. */
export function createAdmissionPlugins(options: AdmissionPluginOptions): readonly AdmissionPlugin[] {
  const { enabled = [], disabled = [], configurations = {}, arrange = (plugins) => plugins } = options
  const definitions = options.definitions ? inOrder(options.definitions) : admissionPlugins
  checkNames(definitions, enabled, disabled)
  const lookups = new ObjectLookups(options.resources, options.store)
  const isEnabled = ({ name, isDefault }: AdmissionPluginDefinition) =>
    !disabled.includes(name) && (isDefault || enabled.includes(name))
  const plugins = definitions.filter(isEnabled).map((definition) => {
    checkGate(definition, options.gates)
    return definition.create({ ...options, lookups }, configurations[definition.name])
  })
  return arrange(plugins)
}

function checkNames(
  definitions: readonly AdmissionPluginDefinition[],
  enabled: readonly string[],
  disabled: readonly string[],
): void {
  for (const name of [...enabled, ...disabled])
    if (!definitions.some((definition) => definition.name === name))
      throw new Error(`unknown admission plugin: ${name}`)
  const both = enabled.find((name) => disabled.includes(name))
  if (both) throw new Error(`${both} in enable-admission-plugins and disable-admission-plugins`)
}

function checkGate({ name, gate }: AdmissionPluginDefinition, gates: ReadonlySet<string>): void {
  if (gate !== undefined && !gates.has(gate))
    throw new Error(`the admission plugin ${name} needs a feature that is off: --feature-gates=${gate}=true`)
}

function inOrder(definitions: readonly AdmissionPluginDefinition[]): readonly AdmissionPluginDefinition[] {
  const sorted = [...definitions].sort((left, right) => left.position - right.position)
  for (const [index, { name, position }] of sorted.entries()) {
    const next = sorted[index + 1]
    if (next?.position === position) throw new Error(`admission plugins ${name} and ${next.name} have one position`)
    if (sorted.findIndex((other) => other.name === name) < index)
      throw new Error(`two admission plugins are defined as ${name}`)
  }
  return sorted
}
