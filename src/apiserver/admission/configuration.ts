import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ScopedResourceSelectorRequirement } from '../../api/core/v1/resource-quota.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { DecodeError } from '../../schema/decode/inspect.js'
import { setDefaults } from '../../schema/defaults.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import { list, rawExtension, ref, string } from '../../schema/fields.js'
import type { Infer, Instance } from '../../schema/infer.js'
import { kind, schema } from '../../schema/schema.js'
import { Scheme } from '../../schema/scheme.js'
import { parseYaml } from '../../wire/yaml.js'
import type { AdmissionPluginDefinition, PluginConfigurationKind } from './definition.js'

/** The file of `--admission-control-config-file`. */
const AdmissionConfiguration = kind('apiserver.config.k8s.io/v1.AdmissionConfiguration', {
  optional: {
    plugins: list(1, ref<AdmissionPluginConfiguration>('apiserver.config.k8s.io/v1.AdmissionPluginConfiguration')),
  },
})
interface AdmissionConfiguration extends Instance<typeof AdmissionConfiguration> {}

const AdmissionPluginConfiguration = schema('apiserver.config.k8s.io/v1.AdmissionPluginConfiguration', {
  required: { name: string(1) },
  optional: {
    /** The path of the plugin's configuration file, relative to this file. */
    path: string(2),
    /** Takes precedence over `path`. */
    configuration: rawExtension(3),
  },
})
interface AdmissionPluginConfiguration extends Infer<typeof AdmissionPluginConfiguration> {}

const admissionConfigurationKind: PluginConfigurationKind<AdmissionConfiguration> = {
  kindNames: ['apiserver.config.k8s.io/v1/AdmissionConfiguration', 'apiserver.k8s.io/v1alpha1/AdmissionConfiguration'],
  declarations: [AdmissionConfiguration, AdmissionPluginConfiguration, ScopedResourceSelectorRequirement],
  *validate({ plugins = [] }) {
    for (const [index, { name }] of plugins.entries())
      if (!name) yield field.required(fieldPath('plugins').index(index).child('name'))
  },
}

/** The decoded and checked configurations, by the names of the plugins. */
export type PluginConfigurations = Readonly<Record<string, object>>

/** Reads the file and the files that it names. Throws an error with file and field if one of them is invalid. */
export async function loadAdmissionConfiguration(
  path: string,
  definitions: readonly AdmissionPluginDefinition[],
): Promise<PluginConfigurations> {
  const reader = new ConfigurationReader(definitions)
  const { plugins = [] } = reader.read(await parsed(path), admissionConfigurationKind, path)
  const configurations: Record<string, object> = {}
  for (const [index, plugin] of plugins.entries()) {
    const { name } = plugin
    const where = `${path}: plugins[${index}]`
    const definition = definitions.find((known) => known.name === name)
    if (!definition) throw new Error(`${where}.name: there is no plugin ${name}`)
    if (plugins.findIndex((other) => other.name === name) < index)
      throw new Error(`${where}.name: ${name} is configured twice`)
    const configuration = await configurationOf(plugin, { reader, definition, path, where })
    if (configuration) configurations[name] = configuration
  }
  return configurations
}

interface ReadContext {
  readonly reader: ConfigurationReader
  readonly definition: AdmissionPluginDefinition
  /** The file that names the plugin. */
  readonly path: string
  /** The entry in that file, for errors. */
  readonly where: string
}

async function configurationOf(
  { name, path, configuration }: AdmissionPluginConfiguration,
  { reader, definition, path: base, where }: ReadContext,
): Promise<object | undefined> {
  if (configuration === undefined && path === undefined) return undefined
  if (!definition.configuration) throw new Error(`${where}: ${name} takes no configuration`)
  if (configuration !== undefined) return reader.read(configuration, definition.configuration, `${where}.configuration`)
  const file = resolve(dirname(base), path!)
  return reader.read(await parsed(file), definition.configuration, file)
}

async function parsed(path: string): Promise<unknown> {
  const text = readFileSync(path, 'utf8')
  try {
    const { value, duplicates } = await parseYaml(text)
    if (duplicates.length === 0) return value
    throw new Error(duplicates.join(', '))
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`)
  }
}

/** Decodes configuration files strictly, sets their defaults and validates them. */
class ConfigurationReader {
  readonly #scheme: Scheme

  constructor(definitions: readonly AdmissionPluginDefinition[]) {
    const kinds = definitions.flatMap(({ configuration }) => configuration ?? [])
    const declarations = new Set([admissionConfigurationKind, ...kinds].flatMap((each) => each.declarations))
    this.#scheme = new Scheme({ declarations: [...declarations], groups: [] })
  }

  read<T extends object>(value: unknown, { kindNames, validate }: PluginConfigurationKind<T>, where: string): T {
    const typed = { ...(value as object), ...typeMetaOf(value, kindNames, where) }
    const type = this.#scheme.kind(typed.apiVersion, typed.kind)!
    const object = decoded(() => decodeValue(type, typed, 'Strict').object, where)
    setDefaults(type, object)
    const errors = [...validate(object as T)]
    if (errors.length > 0) throw new Error(`${where}: ${field.aggregateMessages(errors.map(String))}`)
    return object as T
  }
}

interface TypeMeta {
  readonly apiVersion: string
  readonly kind: string
}

function typeMetaOf(value: unknown, names: PluginConfigurationKind['kindNames'], where: string): TypeMeta {
  const { apiVersion = '', kind: given = '' } = (value ?? {}) as Partial<TypeMeta>
  const [name] = names
  const [group, version, declared] = name.split('/') as [string, string, string]
  if (!names.includes(`${apiVersion}/${given}`))
    throw new Error(
      `${where}: apiVersion and kind must be ${group}/${version} and ${declared}; they are ${apiVersion || 'missing'} and ${given || 'missing'}`,
    )
  return { apiVersion: `${group}/${version}`, kind: declared }
}

function decoded<T>(decode: () => T, where: string): T {
  try {
    return decode()
  } catch (error) {
    if (error instanceof DecodeError) throw new Error(`${where}: ${error.message}`)
    throw error
  }
}
