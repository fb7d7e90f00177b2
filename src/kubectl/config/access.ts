import { resolve } from 'node:path'
import type { FlagTable } from '../../base/flags/flags.js'
import { fileError } from '../../client/file-error.js'
import type { HostAccess } from '../../client/host-access.js'
import type { Kubeconfig, Stanza } from '../../client/kubeconfig/kubeconfig.js'
import { kubeconfigSources, loadKubeconfig } from '../../client/kubeconfig/sources.js'
import { defaultKubeconfigFile, modifyKubeconfig } from '../../client/kubeconfig/write.js'
import type { Command, CommandContext } from '../command.js'
import type { Factory } from '../factory/factory.js'
import { helpText } from '../help.js'

export type KubeconfigSection = 'clusters' | 'users' | 'contexts'

/** The kubeconfig that a line is about: paths in it stand as they are written. */
export class ConfigAccess {
  readonly #factory: Factory

  constructor(factory: Factory) {
    this.#factory = factory
  }

  get #sources() {
    return kubeconfigSources(this.#machine, this.#factory.globals.kubeconfig)
  }

  get #machine() {
    return this.#factory.environment.machine
  }

  get isExplicit(): boolean {
    return this.#sources.isExplicit
  }

  /** A file that is not there is as good as an empty one. */
  load(): Promise<Kubeconfig> {
    return loadKubeconfig(this.#machine, { ...this.#sources, isExplicit: false }, { absolutePaths: false })
  }

  /** The file that new things go into. */
  file(): Promise<string> {
    return defaultKubeconfigFile(this.#machine, this.#sources)
  }

  modify(change: (config: Kubeconfig) => Kubeconfig): Promise<void> {
    return modifyKubeconfig(this.#machine, this.#sources, change, { relativePaths: true })
  }
}

/** With another stanza, or without one. */
export function withStanza<T extends object>(
  config: Kubeconfig,
  section: KubeconfigSection,
  [name, settings]: readonly [string, T | undefined],
): Kubeconfig {
  const stanzas = new Map<string, Stanza<object>>(config[section])
  const known = stanzas.get(name)
  if (settings) stanzas.set(name, { ...known, settings })
  else stanzas.delete(name)
  return { ...config, [section]: stanzas }
}

/** Without the fields that are undefined or ''. */
export function withoutEmptyFields<T extends object>(settings: T): T {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined && value !== '' && value !== false)
  return Object.fromEntries(entries) as T
}

/** Prints help, and throws: somebody got the arguments wrong. */
export async function rejectArguments<Table extends FlagTable>(
  { path, out }: Pick<CommandContext<Table>, 'path' | 'out'>,
  command: Command,
  problem: string,
): Promise<never> {
  await out(helpText(path, command))
  throw new Error(problem)
}

export function unexpected(args: readonly string[]): string {
  return `Unexpected args: [${args.join(' ')}]`
}

/** The content of a certificate or key, as a kubeconfig holds it. */
export async function embedded(machine: HostAccess, what: string, path: string): Promise<string> {
  try {
    return Buffer.from(await machine.files.read(resolve(machine.workingDirectory, path))).toString('base64')
  } catch (error) {
    const why = fileError('stat', path, error).message
    throw new Error(`could not stat ${what} file ${path}: ${why}`, { cause: error })
  }
}
