import { gateNames, openGates } from '../api/feature-gates.js'
import { admissionPlugins } from '../apiserver/admission/registry.js'
import { editDistance } from '../base/edit-distance.js'
import { type DurationLike, spanInMilliseconds } from '../base/virtual-clock.js'
import { definitions } from '../controllers/definitions.js'
import type { Schema } from '../schema/declaration.js'

export interface StartClusterOptions {
  /** `virtual`: time stands still until the test moves it, and hours pass in milliseconds. `real` by default. */
  readonly clock?: 'real' | 'virtual'
  /** Makes chance repeatable: the same seed gives the same names in the same order. Only on a virtual clock does it repeat everything. */
  readonly seed?: number
  /** The controllers, as `--controllers` names them. By default all that are on by default. */
  readonly controllers?: readonly string[]
  /** How many nodes there are. Their containers are simulated: pods run, and no process does. One by default. */
  readonly nodes?: number
  /** The namespace of everything that names none. `default` by default. */
  readonly namespace?: string
  /** Features to turn on or off, as `--feature-gates` names them: `{ Initializers: true }`. */
  readonly featureGates?: Readonly<Record<string, boolean>>
  /** Admission plugins besides those that are on by default: `['Initializers']`. A name after `-` turns a plugin off: `['-ServiceAccount']`. */
  readonly admissionPlugins?: readonly string[]
}

export interface WaitOptions {
  /** By default the cluster's, which is `default` unless its options say otherwise. */
  readonly namespace?: string
  /** How long it may take, by the cluster's clock. 30 seconds by default. */
  readonly timeout?: DurationLike
}

const clusterOptions = [
  'clock',
  'seed',
  'controllers',
  'nodes',
  'namespace',
  'featureGates',
  'admissionPlugins',
] as const
const waitOptions = ['namespace', 'timeout'] as const
const mostNodes = 10_000

/** Throws a `TypeError` that says what is wrong, and what to write. */
export function checkClusterOptions(options: StartClusterOptions): void {
  checkNames('startCluster', options, clusterOptions)
  const { clock, seed, controllers, nodes, namespace, featureGates, admissionPlugins } = options
  if (clock !== undefined && clock !== 'real' && clock !== 'virtual')
    throw new TypeError(`clock is ${shown(clock)}: write 'real' or 'virtual'`)
  if (seed !== undefined && !Number.isFinite(seed)) throw new TypeError(`seed is ${shown(seed)}: write a number`)
  if (nodes !== undefined && !(Number.isInteger(nodes) && nodes >= 0 && nodes <= mostNodes))
    throw new TypeError(`nodes is ${shown(nodes)}: write a whole number from 0 to ${mostNodes}`)
  if (controllers !== undefined) checkControllers(controllers)
  if (namespace !== undefined) checkNamespace(namespace)
  if (featureGates !== undefined) checkGates(featureGates)
  if (admissionPlugins !== undefined) checkPlugins(admissionPlugins, featureGates)
}

/** Returns the names of plugins to enable, and of those to disable. */
export function admissionPluginNames(given: readonly string[] = []): AdmissionPluginNames {
  return {
    enabled: given.filter((name) => !name.startsWith('-')),
    disabled: given.filter((name) => name.startsWith('-')).map((name) => name.slice(1)),
  }
}

export interface AdmissionPluginNames {
  readonly enabled: readonly string[]
  readonly disabled: readonly string[]
}

export function checkWait(kind: Schema, name: string, condition: unknown, options: WaitOptions): void {
  checkKind(kind)
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`the name is ${shown(name)}: write waitFor(${kindName(kind)}, 'name of the object')`)
  if (typeof condition !== 'function')
    throw new TypeError(
      `the condition is ${shown(condition)}: write a function of the object; options come after it, as in waitFor(${kindName(kind)}, '${name}', undefined, { timeout: '1m' })`,
    )
  checkNames('waitFor', options, waitOptions)
  if (options.namespace !== undefined) checkNamespace(options.namespace)
  if (options.timeout !== undefined) checkTimeout(options.timeout)
}

function checkKind(kind: unknown): void {
  if (typeof kind === 'object' && kind !== null && 'kind' in kind) return
  const example = typeof kind === 'string' && /^[A-Z]\w+$/.test(kind) ? kind : 'Pod'
  const path = example === 'Deployment' ? 'apps/v1' : 'core/v1'
  throw new TypeError(
    `the kind is ${shown(kind)}: import a kind, as in import { ${example} } from 'proa/api/${path}', and write waitFor(${example}, 'name')`,
  )
}

function kindName({ name }: Schema): string {
  return name.slice(name.indexOf('.') + 1)
}

function checkTimeout(timeout: DurationLike): void {
  try {
    spanInMilliseconds(timeout)
  } catch {
    throw new TypeError(`timeout is ${shown(timeout)}: write a duration such as '1m30s', or milliseconds as a number`)
  }
}

function checkControllers(controllers: unknown): void {
  if (!Array.isArray(controllers) || controllers.some((each) => typeof each !== 'string'))
    throw new TypeError(
      `controllers is ${shown(controllers)}: write a list of names, as in ['deployment-controller', '-job-controller']`,
    )
  const known = definitions.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]))
  for (const given of controllers as readonly string[]) {
    const name = given.replace(/^-/, '')
    if (name !== '*' && !known.includes(name))
      throw new TypeError(
        `there is no controller ${shown(name)}${suggestion(name, known)}; the controllers are ${definitions.map((each) => each.name).join(', ')}`,
      )
  }
}

function checkGates(gates: unknown): void {
  const isTable = typeof gates === 'object' && gates !== null && !Array.isArray(gates)
  if (!isTable || Object.values(gates).some((value) => typeof value !== 'boolean'))
    throw new TypeError(`featureGates is ${shown(gates)}: write an object, as in { Initializers: true }`)
  for (const name of Object.keys(gates))
    if (!gateNames.includes(name))
      throw new TypeError(
        `there is no feature gate ${shown(name)}${suggestion(name, gateNames)}; the feature gates are ${gateNames.join(', ')}`,
      )
}

function checkPlugins(plugins: unknown, gates: Readonly<Record<string, boolean>> = {}): void {
  if (!Array.isArray(plugins) || plugins.some((each) => typeof each !== 'string'))
    throw new TypeError(
      `admissionPlugins is ${shown(plugins)}: write a list of names, as in ['PodSecurity', '-ServiceAccount']`,
    )
  const { enabled, disabled } = admissionPluginNames(plugins)
  const known = admissionPlugins.map(({ name }) => name)
  for (const name of [...enabled, ...disabled])
    if (!known.includes(name))
      throw new TypeError(
        `there is no admission plugin ${shown(name)}${suggestion(name, known)}; the admission plugins are ${known.join(', ')}`,
      )
  const both = enabled.find((name) => disabled.includes(name))
  if (both !== undefined) throw new TypeError(`admissionPlugins names '${both}' and '-${both}': write one of them`)
  const open: ReadonlySet<string> = openGates(gates)
  for (const { name, gate } of admissionPlugins)
    if (enabled.includes(name) && gate !== undefined && !open.has(gate))
      throw new TypeError(
        `the admission plugin '${name}' needs a feature: write featureGates: { ${gate}: true } as well`,
      )
}

function checkNamespace(namespace: unknown): void {
  if (typeof namespace === 'string' && /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) return
  throw new TypeError(`namespace is ${shown(namespace)}: write the name of a namespace, in lower case, as in 'shop'`)
}

function checkNames(method: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(`the options of ${method} are ${shown(options)}: write an object, as in { ${names[0]}: … }`)
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `${method} has no option ${shown(unknown)}${suggestion(unknown, names)}; its options are ${names.join(', ')}`,
    )
}

function suggestion(word: string, names: readonly string[]): string {
  const near = names.find((name) => editDistance(word.toLowerCase(), name.toLowerCase()) <= 2)
  return near === undefined ? '' : `: did you mean '${near}'?`
}

/** A value as it would be written in a program. */
function shown(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? (JSON.stringify(value) ?? 'an object') : String(value)
}
