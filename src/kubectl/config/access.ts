import { resolve } from 'node:path'
import type { FlagTable } from '../../base/flags/flags.js'
import { fileError, type HostAccess } from '../../client/host-access.js'
import type { Kubeconfig, Stanza } from '../../client/kubeconfig/kubeconfig.js'
import { kubeconfigSources, loadKubeconfig } from '../../client/kubeconfig/sources.js'
import { defaultKubeconfigFile, modifyKubeconfig } from '../../client/kubeconfig/write.js'
import type { Command, CommandContext } from '../command.js'
import type { Factory } from '../factory/factory.js'
import { helpText } from '../help.js'

export type KubeconfigSection = 'clusters' | 'users' | 'contexts'

/** Reads and writes the kubeconfig of a `config` command. Paths in it stay as written. */
export class ConfigAccess {
  readonly #factory: Factory

  constructor(factory: Factory) {
    this.#factory = factory
  }

  get #sources() {
    return kubeconfigSources(this.#host, this.#factory.globals.kubeconfig)
  }

  get #host() {
    return this.#factory.environment.host
  }

  get isExplicit(): boolean {
    return this.#sources.isExplicit
  }

  /** A missing file counts as empty. */
  load(): Promise<Kubeconfig> {
    return loadKubeconfig(this.#host, { ...this.#sources, isExplicit: false }, { absolutePaths: false })
  }

  /** The file that new stanzas are written to. */
  file(): Promise<string> {
    return defaultKubeconfigFile(this.#host, this.#sources)
  }

  modify(change: (config: Kubeconfig) => Kubeconfig): Promise<void> {
    return modifyKubeconfig(this.#host, this.#sources, change, { relativePaths: true })
  }
}

/** Returns the kubeconfig with a stanza replaced, or removed if `settings` is undefined. */
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

/** Removes fields that are undefined or ''. */
export function withoutEmptyFields<T extends object>(settings: T): T {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined && value !== '' && value !== false)
  return Object.fromEntries(entries) as T
}

/** Prints the help and throws an error about the arguments. */
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

/** Reads a certificate or key in the form that a kubeconfig embeds. */
export async function embedded(host: HostAccess, what: string, path: string): Promise<string> {
  try {
    return Buffer.from(await host.files.read(resolve(host.workingDirectory, path))).toString('base64')
  } catch (error) {
    const why = fileError('stat', path, error).message
    throw new Error(`could not stat ${what} file ${path}: ${why}`, { cause: error })
  }
}
