import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ScopedResourceSelectorRequirement } from '../../api/core/v1/resource-quota.js'
import type { Declaration } from '../../schema/declaration.js'
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
import * as eventRateLimit from './event-rate-limit/configuration.js'
import * as initialResources from './initial-resources/configuration.js'
import * as podSecurity from './pod-security/configuration.js'
import * as resourceQuota from './resource-quota/configuration.js'
import * as webhook from './webhooks/configuration.js'

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
    /** Of a file that has the configuration; relative to the one that says so. */
    path: string(2),
    /** Counts before `path`. */
    configuration: rawExtension(3),
  },
})
interface AdmissionPluginConfiguration extends Infer<typeof AdmissionPluginConfiguration> {}

/** What the file says about plugins, read and checked. */
export interface PluginConfigurations {
  readonly PodSecurity?: podSecurity.PodSecurityConfiguration
  readonly EventRateLimit?: eventRateLimit.EventRateLimitConfiguration
  readonly InitialResources?: initialResources.InitialResourcesConfiguration
  readonly ResourceQuota?: resourceQuota.ResourceQuotaConfiguration
  readonly MutatingAdmissionWebhook?: webhook.WebhookAdmissionConfiguration
  readonly ValidatingAdmissionWebhook?: webhook.WebhookAdmissionConfiguration
}

/** Names of one kind, each `apiVersion/Kind`: under the first it is declared, the others are older and mean the same. */
type KindNames = readonly [name: string, ...older: string[]]

/** A kind of configuration file. */
interface ConfigurationKind {
  readonly kindNames: KindNames
  /** The errors of a decoded file with defaults. */
  readonly validate: (configuration: never) => Iterable<field.FieldError>
}

const admission: ConfigurationKind = {
  kindNames: ['apiserver.config.k8s.io/v1/AdmissionConfiguration', 'apiserver.k8s.io/v1alpha1/AdmissionConfiguration'],
  *validate({ plugins = [] }: AdmissionConfiguration) {
    for (const [index, { name }] of plugins.entries())
      if (!name) yield field.required(fieldPath('plugins').index(index).child('name'))
  },
}
const kinds: Readonly<Record<keyof PluginConfigurations, ConfigurationKind>> = {
  PodSecurity: podSecurity,
  EventRateLimit: eventRateLimit,
  InitialResources: initialResources,
  ResourceQuota: resourceQuota,
  MutatingAdmissionWebhook: webhook,
  ValidatingAdmissionWebhook: webhook,
}

const declarations: readonly Declaration[] = [
  AdmissionConfiguration,
  AdmissionPluginConfiguration,
  ScopedResourceSelectorRequirement,
  ...podSecurity.declarations,
  ...eventRateLimit.declarations,
  ...initialResources.declarations,
  ...resourceQuota.declarations,
  ...webhook.declarations,
]
const scheme = new Scheme({ declarations, groups: [] })

/** Reads the file and those that it names. Throws, in a sentence that names file and field, where that cannot be. */
export async function loadAdmissionConfiguration(
  path: string,
  plugins: readonly string[],
): Promise<PluginConfigurations> {
  const { plugins: given = [] } = read(await parsed(path), admission, path) as AdmissionConfiguration
  const configurations: Record<string, object> = {}
  for (const [index, one] of given.entries()) {
    const where = `${path}: plugins[${index}]`
    const { name } = one
    if (!plugins.includes(name) && !(name in kinds)) throw new Error(`${where}.name: there is no plugin ${name}`)
    if (given.findIndex((other) => other.name === name) < index)
      throw new Error(`${where}.name: ${name} is configured twice`)
    const configuration = await configurationOf(one, path, where)
    if (configuration) configurations[name] = configuration
  }
  return configurations
}

async function configurationOf(
  { name, path, configuration }: AdmissionPluginConfiguration,
  base: string,
  where: string,
): Promise<object | undefined> {
  if (configuration === undefined && path === undefined) return undefined
  const expected = Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : undefined
  if (!expected) throw new Error(`${where}: ${name} takes no configuration`)
  if (configuration !== undefined) return read(configuration, expected, `${where}.configuration`)
  const file = resolve(dirname(base), path!)
  return read(await parsed(file), expected, file)
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

function read(value: unknown, { kindNames, validate }: ConfigurationKind, where: string): object {
  const typed = { ...(value as object), ...typeMetaOf(value, kindNames, where) }
  const type = scheme.kind(typed.apiVersion, typed.kind)!
  const object = decoded(() => decodeValue(type, typed, 'Strict').object, where)
  setDefaults(type, object)
  const errors = [...validate(object as never)]
  if (errors.length > 0) throw new Error(`${where}: ${field.aggregated(errors.map(String))}`)
  return object
}

interface TypeMeta {
  readonly apiVersion: string
  readonly kind: string
}

function typeMetaOf(value: unknown, names: KindNames, where: string): TypeMeta {
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
