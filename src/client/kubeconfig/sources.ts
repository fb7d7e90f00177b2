import { dirname, join, resolve } from 'node:path'
import { fileError } from '../file-error.js'
import { type HostAccess, isMissing } from '../host-access.js'
import { aggregated } from './configuration-error.js'
import type { Kubeconfig } from './kubeconfig.js'
import { mergeKubeconfigs } from './merge.js'
import { withAbsolutePaths } from './paths.js'
import { parseKubeconfig } from './read.js'

/** Which files make up the configuration, the strongest first. */
export interface Sources {
  readonly files: readonly string[]
  /** Somebody named the one file, which must be there then, and which alone counts. */
  readonly isExplicit: boolean
}

/** A file that was named by hand; else those that `KUBECONFIG` lists; else `.kube/config` in the home folder. */
export function kubeconfigSources(
  { variables, home, pathDelimiter }: Pick<HostAccess, 'variables' | 'home' | 'pathDelimiter'>,
  explicit = '',
): Sources {
  if (explicit !== '') return { files: [explicit], isExplicit: true }
  const { KUBECONFIG: list = '' } = variables
  const listed = [...new Set(list.split(pathDelimiter))].filter((file) => file !== '')
  return { files: listed.length > 0 ? listed : [join(home, '.kube', 'config')], isExplicit: false }
}

export interface LoadOptions {
  /** Whether relative paths become absolute; those who write files back want them as they are. */
  readonly absolutePaths?: boolean
  /** Is told when files were named and none of them is there. */
  readonly warn?: (warning: string) => void
}

type FileAccess = Pick<HostAccess, 'files' | 'workingDirectory'>

/** Reads and merges all of them. Throws where one cannot be read or understood, naming it; files that are not there are passed over. */
export async function loadKubeconfig(
  host: FileAccess,
  sources: Sources,
  { absolutePaths = true, warn = () => {} }: LoadOptions = {},
): Promise<Kubeconfig> {
  const { files, isExplicit } = sources
  const read = await Promise.all(files.map((file) => readFile(host, file)))
  if (isExplicit && read[0] === undefined) throw fileError('stat', files[0]!, { code: 'ENOENT', message: '' })
  const problems = read.filter((each) => each instanceof Error)
  if (problems.length > 0) throw new Error(aggregated(problems.map(({ message }) => message)))
  const configs = read.filter((each): each is Kubeconfig => each !== undefined)
  if (configs.length === 0) warn(`Config not found: ${files.join(', ')}`)
  const merged = mergeKubeconfigs(configs)
  return absolutePaths ? withAbsolutePaths(merged, (file) => dirname(resolve(host.workingDirectory, file))) : merged
}

/** One file as it is; undefined where it is not there, an error where it is of no use. */
async function readFile(host: FileAccess, file: string): Promise<Kubeconfig | Error | undefined> {
  try {
    return await readKubeconfigFile(host, file)
  } catch (error) {
    if (isMissing(error)) return undefined
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === undefined ? message : fileError('open', file, error).message
    return new Error(`error loading config file "${file}": ${why}`, { cause: error })
  }
}

export async function readKubeconfigFile({ files, workingDirectory }: FileAccess, file: string): Promise<Kubeconfig> {
  return parseKubeconfig(await files.read(resolve(workingDirectory, file)), file)
}
