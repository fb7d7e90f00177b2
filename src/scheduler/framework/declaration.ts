import type { Schema } from '../../schema/declaration.js'
import type { FieldError } from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import type { SchedulerPlugin, SchedulerPluginDependencies } from './plugin.js'

/**
 * The extension points that plugins can have here, as configurations name them, with the method that serves each. Upstream's Reserve,
 * Permit, PreBind and PostBind join them with the first plugin that needs them; until then configurations may name them to no effect.
 */
interface ExtensionPointMethods {
  readonly queueSort: 'queueSort'
  readonly preEnqueue: 'preEnqueue'
  readonly filter: 'preFilter'
  readonly postFilter: 'postFilter'
  readonly score: 'preScore'
  readonly bind: 'bind'
}

export type ExtensionPoint = keyof ExtensionPointMethods

/**
 * All that the scheduler knows of a plugin before it creates one. The registry, the default profile and the configuration are derived
 * from the declarations; `plugins/README.md` says how to add one.
 */
export interface SchedulerPluginDeclaration<Args extends object = object> {
  readonly is: 'scheduler plugin'
  readonly name: string
  readonly extensionPoints: ReadonlySet<ExtensionPoint>
  readonly defaultProfile?: DefaultProfileEntry
  readonly arguments?: PluginArguments<Args>
  /** Throws if the arguments make no sense. */
  create(dependencies: SchedulerPluginDependencies, args: Args): SchedulerPlugin
}

/** A plugin without one is only in profiles whose configuration enables it. */
export interface DefaultProfileEntry {
  /** Profiles run plugins by rising position. The order matters: the first filter that rejects a node gives the reason. */
  readonly position: number
  /** How much its scores count; 1 if left out. */
  readonly weight?: number
}

/** What `pluginConfig` of a profile can say to the plugin. */
export interface PluginArguments<Args extends object> {
  /** `kubescheduler.config.k8s.io/v1.<plugin name>Args`, with the defaults of its fields. */
  readonly schema: Schema
  /** All types that `schema` refers to, directly or indirectly. */
  readonly types?: readonly Schema[]
  /** Defaults are set. */
  validate(args: Args, path: FieldPath): readonly FieldError[]
}

/** The methods of the declared extension points, all of them and no others. */
type Implementation<Point extends ExtensionPoint> = Required<Pick<SchedulerPlugin, ExtensionPointMethods[Point]>> &
  Pick<SchedulerPlugin, 'queueingHints'>

interface Declared<Point extends ExtensionPoint, Args extends object>
  extends Omit<SchedulerPluginDeclaration<Args>, 'is' | 'extensionPoints' | 'create'> {
  readonly extensionPoints: readonly Point[]
  readonly create: (dependencies: SchedulerPluginDependencies, args: Args) => Implementation<Point>
}

export function declarePlugin<const Point extends ExtensionPoint, Args extends object = object>({
  create,
  ...declared
}: Declared<Point, Args>): SchedulerPluginDeclaration<Args> {
  return {
    ...declared,
    is: 'scheduler plugin',
    extensionPoints: new Set(declared.extensionPoints),
    create: (dependencies, args) => ({ name: declared.name, ...create(dependencies, args) }),
  }
}

/** Creates the plugin. Arguments that are not given have their defaults. */
export function createPlugin<Args extends object>(
  declaration: SchedulerPluginDeclaration<Args>,
  dependencies: SchedulerPluginDependencies,
  given: Partial<Args> = {},
): SchedulerPlugin {
  return declaration.create(dependencies, { ...defaultArguments(declaration.arguments?.schema), ...given } as Args)
}

function defaultArguments(schema: Schema | undefined): object {
  const fields = Object.entries(schema?.optional ?? {})
  return Object.fromEntries(
    fields.flatMap(([name, { options }]) => ('default' in options ? [[name, options.default]] : [])),
  )
}

/** Every plugin that the modules export. */
export function pluginsIn(modules: readonly object[]): readonly SchedulerPluginDeclaration[] {
  return modules.flatMap((module) => Object.values(module)).filter(isPluginDeclaration)
}

function isPluginDeclaration(value: unknown): value is SchedulerPluginDeclaration {
  return typeof value === 'object' && value !== null && 'is' in value && value.is === 'scheduler plugin'
}
