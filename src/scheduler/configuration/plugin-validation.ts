import { DecodeError } from '../../schema/decode/inspect.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import type { ExtensionPoint, SchedulerPluginDeclaration } from '../framework/declaration.js'
import { configurationVersion } from '../framework/plugin-arguments.js'
import { isKnownPlugin, pluginRegistry } from '../plugins/registry.js'
import type { KubeSchedulerProfile, PluginConfig, Plugins } from './declarations.js'
import { decodeArguments } from './decoding.js'
import { enabledAt } from './plugin-sets.js'

type Errors = readonly field.FieldError[]

/** Validates the plugins of a profile and their arguments. */
export function validatePlugins({ plugins = {}, pluginConfig = [] }: KubeSchedulerProfile, path: FieldPath): Errors {
  const at = path.child('plugins')
  return [
    ...(Object.keys(plugins) as (keyof Plugins)[]).flatMap((point) => validateNames(point, plugins, at)),
    ...validateRequiredPoint('queueSort', plugins, at),
    ...validateRequiredPoint('bind', plugins, at),
    ...pluginConfig.flatMap((config, i) =>
      validateArguments(pluginConfig, config, path.child('pluginConfig').index(i)),
    ),
  ]
}

function validateNames(point: keyof Plugins, plugins: Plugins, path: FieldPath): Errors {
  const { enabled = [] } = plugins[point] ?? {}
  const at = path.child(point, 'enabled')
  return enabled.flatMap(({ name, weight = 0 }, i) => [
    ...(isKnownPlugin(name) ? [] : [field.notFound(at.index(i).child('name'), name)]),
    ...(enabled.findIndex((other) => other.name === name) < i
      ? [field.duplicate(at.index(i).child('name'), name)]
      : []),
    ...(weight < 0 ? [field.invalid(at.index(i).child('weight'), weight, 'must not be negative')] : []),
  ])
}

/** Without a QueueSort plugin pods have no order, and without a Bind plugin they are never bound. */
function validateRequiredPoint(point: ExtensionPoint, plugins: Plugins, path: FieldPath): Errors {
  const hasPoint = (name: string) => pluginRegistry.get(name)?.extensionPoints.has(point)
  if (enabledAt(point, plugins).some(({ name }) => hasPoint(name))) return field.none
  const names = [...pluginRegistry.keys()].filter(hasPoint).join(' or ')
  return [field.required(path.child(point), `${names} must be enabled: there is no other`)]
}

function validateArguments(all: readonly PluginConfig[], { name, args }: PluginConfig, path: FieldPath): Errors {
  const isRepeated = all.find((other) => other.name === name)?.args !== args
  const repeated = isRepeated ? [field.duplicate(path, name)] : []
  const plugin = pluginRegistry.get(name)
  if (!isKnownPlugin(name)) return [...repeated, field.notFound(path.child('name'), name)]
  if (!plugin || args === undefined) return repeated
  return [...repeated, ...argumentErrors(plugin, args, path.child('args'))]
}

function argumentErrors(plugin: SchedulerPluginDeclaration, args: unknown, path: FieldPath): Errors {
  if (!plugin.arguments) return [field.invalid(path, args, 'has to match plugin args')]
  const kind = `${plugin.name}Args`
  const { apiVersion = configurationVersion, kind: given = kind } = args as { apiVersion?: string; kind?: string }
  if (apiVersion !== configurationVersion || given !== kind)
    return [field.invalid(path, args, `has to match plugin args: ${configurationVersion}, ${kind}`)]
  try {
    return plugin.arguments.validate(decodeArguments(plugin, args), path)
  } catch (error) {
    if (error instanceof DecodeError) return [field.invalid(path, args, error.message)]
    throw error
  }
}
