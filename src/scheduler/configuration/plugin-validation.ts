import { DecodeError } from '../../schema/decode/inspect.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { argumentRules } from './argument-validation.js'
import type { KubeSchedulerProfile, PluginConfig, Plugins } from './declarations.js'
import { isAnywhere, isHere } from './known-plugins.js'
import { type Point, pluginsAt } from './plugin-sets.js'
import { configurationVersion, isDeclared, readAs } from './read.js'

type Errors = readonly field.FieldError[]

/** What is wrong with which plugins a profile has, and with what it says to them. */
export function validatePlugins({ plugins = {}, pluginConfig = [] }: KubeSchedulerProfile, path: FieldPath): Errors {
  const at = path.child('plugins')
  return [
    ...(Object.keys(plugins) as (keyof Plugins)[]).flatMap((point) => validateNames(point, plugins, at)),
    ...needed('queueSort', 'PrioritySort', plugins, at),
    ...needed('bind', 'DefaultBinder', plugins, at),
    ...pluginConfig.flatMap((config, i) =>
      validateArguments(pluginConfig, config, path.child('pluginConfig').index(i)),
    ),
  ]
}

function validateNames(point: keyof Plugins, plugins: Plugins, path: FieldPath): Errors {
  const { enabled = [] } = plugins[point] ?? {}
  const at = path.child(point, 'enabled')
  return enabled.flatMap(({ name, weight = 0 }, i) => [
    ...(isAnywhere(name) ? [] : [field.notFound(at.index(i).child('name'), name)]),
    ...(enabled.findIndex((other) => other.name === name) < i
      ? [field.duplicate(at.index(i).child('name'), name)]
      : []),
    ...(weight < 0 ? [field.invalid(at.index(i).child('weight'), weight, 'must not be negative')] : []),
  ])
}

/** Without it pods have no order, or are never bound, and there is no other way here to do either. */
function needed(point: Point, name: string, plugins: Plugins, path: FieldPath): Errors {
  const chosen = pluginsAt(point, plugins)
  if (chosen.some((plugin) => plugin.name === name)) return field.none
  return [field.required(path.child(point), `${name} must be enabled: there is no other`)]
}

function validateArguments(all: readonly PluginConfig[], { name, args }: PluginConfig, path: FieldPath): Errors {
  const isRepeated = all.find((other) => other.name === name)?.args !== args
  const repeated = isRepeated ? [field.duplicate(path, name)] : []
  if (!isAnywhere(name)) return [...repeated, field.notFound(path.child('name'), name)]
  if (!isHere(name) || args === undefined) return repeated
  return [...repeated, ...argumentErrors(name, args, path.child('args'))]
}

function argumentErrors(name: string, args: unknown, path: FieldPath): Errors {
  const kind = `${name}Args`
  if (!isDeclared(kind)) return [field.invalid(path, args, 'has to match plugin args')]
  const { apiVersion = configurationVersion, kind: given = kind } = args as { apiVersion?: string; kind?: string }
  if (apiVersion !== configurationVersion || given !== kind)
    return [field.invalid(path, args, `has to match plugin args: ${configurationVersion}, ${kind}`)]
  try {
    return argumentRules[name]!(readAs(kind, args) as never, path)
  } catch (error) {
    if (error instanceof DecodeError) return [field.invalid(path, args, error.message)]
    throw error
  }
}
