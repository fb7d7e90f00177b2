import { dirname, join, resolve } from 'node:path'
import { fileError, type HostAccess, isMissing } from '../host-access.js'
import { combinedMessage } from './configuration-error.js'
import type { Kubeconfig } from './kubeconfig.js'
import { mergeKubeconfigs } from './merge.js'
import { withAbsolutePaths } from './paths.js'
import { parseKubeconfig } from './read.js'

/** The files of the configuration, the one with the highest precedence first. */
export interface Sources {
  readonly files: readonly string[]
  /** The file was named explicitly: it must exist, and no other file is read. */
  readonly isExplicit: boolean
}

/** Returns the explicitly named file; otherwise the files in `KUBECONFIG`; otherwise `.kube/config` in the home folder. */
export function kubeconfigSources(
  { variables, home, pathDelimiter }: Pick<HostAccess, 'variables' | 'home' | 'pathDelimiter'>,
  explicit = '',
): Sources {
  if (explicit !== '') return { files: [explicit], isExplicit: true }
  const { KUBECONFIG: list = '' } = variables
  const listed = [...new Set(list.split(pathDelimiter))].filter((file) => file !== '')
  return { files: listed.length > 0 ? listed : [join(home, '.kube', 'config')], isExplicit: false }
}

export interface LoadKubeconfigOptions {
  /** Makes relative paths absolute. Set it to false to write the files back. */
  readonly absolutePaths?: boolean
  /** Called if files are named and none of them exists. */
  readonly warn?: (warning: string) => void
}

type FileAccess = Pick<HostAccess, 'files' | 'workingDirectory'>

/** Reads and merges all files. Throws an error that names each invalid file. Skips missing files. */
export async function loadKubeconfig(
  host: FileAccess,
  sources: Sources,
  { absolutePaths = true, warn = () => {} }: LoadKubeconfigOptions = {},
): Promise<Kubeconfig> {
  const { files, isExplicit } = sources
  const read = await Promise.all(files.map((file) => readFile(host, file)))
  if (isExplicit && read[0] === undefined) throw fileError('stat', files[0]!, { code: 'ENOENT', message: '' })
  const problems = read.filter((each) => each instanceof Error)
  if (problems.length > 0) throw new Error(combinedMessage(problems.map(({ message }) => message)))
  const configs = read.filter((each): each is Kubeconfig => each !== undefined)
  if (configs.length === 0) warn(`Config not found: ${files.join(', ')}`)
  const merged = mergeKubeconfigs(configs)
  return absolutePaths ? withAbsolutePaths(merged, (file) => dirname(resolve(host.workingDirectory, file))) : merged
}

/** Returns undefined if the file is missing, and an error if it is invalid. */
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
