import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { kubeconfigSources, loadKubeconfig } from '../../client/kubeconfig/sources.js'
import type { JsonObject } from '../../schema/declaration.js'
import { compareText } from '../../schema/text-order.js'
import type { Factory } from '../factory/factory.js'
import { itemsOf, metadataOf, resourceName, resourcePath } from '../resources/resource-object.js'

export interface Completion {
  /** Each choice with its description, or ''. */
  readonly choices: readonly (readonly [string, string])[]
  readonly directive: number
}

/** The directives of upstream's completion protocol: what the shell does with the choices. */
export const files = 0
export const noFiles = 4
const extensions = 8

export const noCompletion: Completion = { choices: [], directive: files }

const formats = ['json', 'yaml', 'name', 'go-template', 'go-template-file', 'template', 'templatefile']
const pathFormats = ['jsonpath', 'jsonpath-as-json', 'jsonpath-file']
const tableFormats = ['custom-columns', 'custom-columns-file', 'wide']

const anyType = ['get', 'describe', 'delete', 'edit', 'label', 'annotate', 'patch', 'apply edit-last-applied']
const podCommands = ['logs', 'exec', 'attach', 'port-forward']
const nodeCommands = ['cordon', 'uncordon', 'drain']
/** The types that a command accepts, if not all. */
const someTypes: Readonly<Record<string, readonly string[]>> = {
  scale: ['deployment', 'replicaset', 'replicationcontroller', 'statefulset'],
  'rollout history': ['deployment', 'daemonset', 'statefulset'],
  'rollout pause': ['deployment'],
  'rollout restart': ['deployment', 'daemonset', 'statefulset'],
  'rollout resume': ['deployment'],
  'rollout status': ['deployment', 'daemonset', 'statefulset'],
  'rollout undo': ['deployment', 'daemonset', 'statefulset'],
  taint: ['node'],
}
const withPods = [
  'daemonsets',
  'deployments',
  'pods',
  'jobs',
  'replicasets',
  'replicationcontrollers',
  'services',
  'statefulsets',
]

/** Finds completions of a word from the server and the kubeconfig. */
export class Choices {
  readonly #factory: Factory
  readonly #path: string
  readonly #args: readonly string[]

  constructor(factory: Factory, line: { readonly path: string; readonly args: readonly string[] }) {
    this.#factory = factory
    this.#path = line.path
    this.#args = line.args
  }

  /** Completes the value of a flag. */
  async flag(name: string, last: string): Promise<Completion> {
    if (name === 'filename') return { choices: plain(['json', 'yaml', 'yml']), directive: extensions }
    const found = await this.#flagValues(name)
    return found ? offered(found, last) : noCompletion
  }

  async #flagValues(name: string): Promise<readonly string[] | undefined> {
    if (name === 'output') return [...formats, ...pathFormats, ...(this.#path === 'get' ? tableFormats : [])]
    if (name === 'namespace') return this.#names('namespaces')
    if (name === 'context' || name === 'cluster' || name === 'user') return this.#configured(`${name}s` as const)
    if (name === 'container') return this.#containers()
    return undefined
  }

  /** Completes an argument. */
  async argument(last: string): Promise<Completion> {
    const path = this.#path
    if (anyType.includes(path)) return this.#typesAndNames(last, await this.#types())
    const types = someTypes[path]
    if (types) return this.#typesAndNames(last, types)
    if (podCommands.includes(path)) return this.#pods(last)
    const found = await this.#words()
    return found ? offered(this.#args.length === 0 ? found : [], last) : noCompletion
  }

  async #words(): Promise<readonly string[] | undefined> {
    switch (this.#path) {
      case 'completion':
        return ['bash', 'zsh', 'fish']
      case 'config use-context':
      case 'config delete-context':
      case 'config get-contexts':
      case 'config rename-context':
        return this.#configured('contexts')
      case 'config delete-cluster':
        return this.#configured('clusters')
      case 'config delete-user':
        return this.#configured('users')
      default:
        return nodeCommands.includes(this.#path) ? this.#names('nodes') : undefined
    }
  }

  /** `pods`, `pods,deploy…`, `pods/web`, `pods web`. */
  async #typesAndNames(last: string, types: readonly string[]): Promise<Completion> {
    const [type] = this.#args
    if (type !== undefined && !type.includes('/')) {
      const names = await this.#names(type)
      return offered(
        names.filter((name) => !this.#args.includes(name)),
        last,
      )
    }
    const [own = '', slash] = /^([^/]*)(\/)?/.exec(last)!.slice(1)
    if (slash !== undefined)
      return offered(
        (await this.#names(own)).map((name) => `${own}/${name}`),
        last,
      )
    if (type !== undefined)
      return offered(
        types.map((each) => `${each}/`),
        last,
      )
    const given = last.slice(0, last.lastIndexOf(',') + 1)
    return offered(
      types.map((each) => `${given}${each}`),
      last,
    )
  }

  /** Completes pod names and types that have pods, then the containers of the pod. */
  async #pods(last: string): Promise<Completion> {
    if (this.#args.length === 1 && this.#path === 'logs') return offered(await this.#containers(), last)
    if (this.#args.length > 0) return { choices: [], directive: noFiles }
    const [, type] = /^([^/]+)\//.exec(last) ?? []
    if (type !== undefined)
      return offered(
        (await this.#names(type)).map((name) => `${type}/${name}`),
        last,
      )
    return offered([...(await this.#names('pods')), ...withPods.map((each) => `${each}/`)], last)
  }

  async #containers(): Promise<readonly string[]> {
    const [pod = ''] = this.#args
    const { name: namespace } = await this.#factory.namespace()
    const path = resourcePath(
      { root: '/api/v1', plural: 'pods', namespaced: true },
      namespace,
      pod.replace(/^pods?\//, ''),
    )
    const { spec } = await (await this.#factory.rest()).json<{ readonly spec: PodContainers }>({ path })
    return [...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name)
  }

  /** The types that can be listed, as `api-resources -o name` prints them. */
  async #types(): Promise<readonly string[]> {
    const all = await (await this.#factory.mapper()).preferred()
    const byGroup = (left: DiscoveredResource, right: DiscoveredResource) =>
      compareText(left.group, right.group) || compareText(left.plural, right.plural)
    return all
      .filter(({ verbs }) => verbs.includes('get'))
      .sort(byGroup)
      .map(resourceName)
  }

  async #names(type: string): Promise<readonly string[]> {
    const resource = await (await this.#factory.mapper()).resource(type)
    const { name: namespace } = await this.#factory.namespace()
    const list = await (await this.#factory.rest()).json<JsonObject>({ path: resourcePath(resource, namespace) })
    return itemsOf(list).map((item) => metadataOf(item).name ?? '')
  }

  async #configured(section: 'contexts' | 'clusters' | 'users'): Promise<readonly string[]> {
    const { host } = this.#factory.environment
    const config = await loadKubeconfig(host, kubeconfigSources(host, this.#factory.globals.kubeconfig))
    return [...config[section].keys()].sort(compareText)
  }
}

interface PodContainers {
  readonly initContainers?: readonly { readonly name: string }[]
  readonly containers: readonly { readonly name: string }[]
}

function plain(names: readonly string[]): readonly (readonly [string, string])[] {
  return names.map((name) => [name, ''])
}

function offered(names: readonly string[], last: string): Completion {
  return { choices: plain(names.filter((name) => name.startsWith(last))), directive: noFiles }
}
