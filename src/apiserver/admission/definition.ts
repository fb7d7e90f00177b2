import type { GateName } from '../../api/feature-gates.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { Environment } from '../../base/environment.js'
import type { Declaration } from '../../schema/declaration.js'
import type { FieldError } from '../../schema/field-errors.js'
import type { Authorize, IsAllowed } from '../authorization/authorizer.js'
import type { ResourceMap } from '../registry/resource-map.js'
import type { AdmissionPlugin, AdmissionRequest } from './admission.js'
import type { ObjectLookups } from './lookup.js'
import type { ServiceResolver } from './webhooks/service-address.js'

/**
 * All that the server knows of an admission plugin before it creates one. The list of plugins, their order, the help of the flags and the
 * configuration file derive from the definitions; `README.md` says how to add one.
 */
export interface AdmissionPluginDefinition<Configuration extends object = object> {
  readonly is: 'admission plugin'
  /** The name in flags and in the configuration file. */
  readonly name: string
  /** Plugins run by rising position: ten times the index in upstream's list of plugins. No two plugins have the same. */
  readonly position: number
  /** Whether the plugin runs unless `--disable-admission-plugins` names it. */
  readonly isDefault: boolean
  /** The feature gate that the plugin needs. */
  readonly gate?: GateName
  /** The file that configures the plugin; without it, the plugin takes no configuration. */
  readonly configuration?: PluginConfigurationKind<Configuration>
  /** Throws if the plugin cannot run with this configuration. */
  create(dependencies: AdmissionPluginDependencies, configuration?: Configuration): AdmissionPlugin
}

export interface AdmissionPluginDependencies {
  readonly environment: Environment
  readonly resources: ResourceMap
  readonly lookups: ObjectLookups
  readonly isAllowed: IsAllowed
  readonly authorize: Authorize
  readonly createNamespace: (name: string) => Promise<void>
  /** `--default-not-ready-toleration-seconds`, `--default-unreachable-toleration-seconds`. */
  readonly notReadyTolerationSeconds?: number | undefined
  readonly unreachableTolerationSeconds?: number | undefined
  /** Finds the addresses of services that webhooks run behind; if it is left out, their cluster addresses. */
  readonly resolveService?: ServiceResolver | undefined
}

/** The kind of a plugin's configuration file. */
export interface PluginConfigurationKind<Configuration extends object = object> {
  /** Each `apiVersion/Kind`. The first is the declared kind, the others are older names of it. */
  readonly kindNames: readonly [name: string, ...older: string[]]
  readonly declarations: readonly Declaration[]
  /** Returns the errors of a decoded file with defaults. */
  validate(configuration: Configuration): Iterable<FieldError>
}

/** The methods of a plugin for objects of the kind `T`. */
type Implementation<T extends KubeObject> = Omit<AdmissionPlugin<AdmissionRequest<T>>, 'name'>

interface Defined<T extends KubeObject, Configuration extends object>
  extends Omit<AdmissionPluginDefinition<Configuration>, 'is' | 'isDefault' | 'create'> {
  readonly isDefault?: boolean
  create(dependencies: AdmissionPluginDependencies, configuration?: Configuration): Implementation<T>
}

/** Defines a plugin whose `handles` lets through objects of the kind `T` only. It is off by default unless it says otherwise. */
export function defineAdmissionPlugin<T extends KubeObject = KubeObject, Configuration extends object = object>(
  definition: Defined<T, Configuration>,
): AdmissionPluginDefinition<Configuration>
export function defineAdmissionPlugin({ create, ...defined }: Defined<KubeObject, object>): AdmissionPluginDefinition {
  const { name, isDefault = false } = defined
  return {
    ...defined,
    isDefault,
    is: 'admission plugin',
    create: (dependencies, configuration) => ({ name, ...create(dependencies, configuration) }),
  }
}

/** Returns every plugin that the modules export. */
export function admissionPluginsIn(modules: readonly object[]): readonly AdmissionPluginDefinition[] {
  return modules.flatMap((module) => Object.values(module)).filter(isDefinition)
}

function isDefinition(value: unknown): value is AdmissionPluginDefinition {
  return typeof value === 'object' && value !== null && 'is' in value && value.is === 'admission plugin'
}
