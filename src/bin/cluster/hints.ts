import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { ProcessVariables } from '../../base/flags/flags.js'
import { findProgram } from '../../base/programs.js'
import { proaCommand, quoted } from '../process/invocation.js'
import type { LocalCluster } from './cluster.js'
import { defaultDataDirectory, defaultName } from './data-directory.js'

/** A command that the user may want to type next. */
export interface Hint {
  /** `start it again` */
  readonly purpose: string
  /** A whole shell line that works as typed, in the same directory. */
  readonly command: string
}

/** Formats one line for each hint, with aligned commands. */
export function hintLines(hints: readonly Hint[]): string {
  const width = Math.max(...hints.map(({ purpose }) => purpose.length))
  return hints.map(({ purpose, command }) => `  ${`${purpose}:`.padEnd(width + 2)} ${command}`).join('\n')
}

/** Returns the sentence followed by the lines of its hints. */
export function withHints(sentence: string, ...hints: readonly Hint[]): string {
  return `${sentence}\n${hintLines(hints)}`
}

/** Returns the shell line that calls a command of this program for a cluster: `proa down --name trial`. */
export function proaLine(command: string, cluster: LocalCluster, further: readonly string[] = []): string {
  return [proaCommand(), command, ...[...clusterArguments(cluster), ...further].map(quoted)].join(' ')
}

/**
 * Returns the flags that name the cluster. A flag is left out only if it has its default value and its variable is not set: the variable may
 * have another value when the user types the line.
 */
export function clusterArguments(
  { name, dataDirectory }: LocalCluster,
  variables: ProcessVariables = process.env,
): readonly string[] {
  const isDefaultName = name === defaultName && variables.PROA_NAME === undefined
  const isDefaultDirectory =
    dataDirectory === defaultDataDirectory(name, variables) && variables.PROA_DATA_DIR === undefined
  return [...(isDefaultName ? [] : ['--name', name]), ...(isDefaultDirectory ? [] : ['--data-dir', dataDirectory])]
}

/** Returns a shell line for kubectl: the user's own if it is installed, otherwise ours. */
export function kubectlLine(kubeconfig: string, args: string, variables: ProcessVariables = process.env): string {
  const folders = (variables.PATH ?? '').split(':').filter(isAbsolute)
  const kubectl = findProgram('kubectl', folders) === undefined ? `${proaCommand(variables)} kubectl` : 'kubectl'
  const isUsual = resolve(kubeconfig) === join(homedir(), '.kube', 'config') && !variables.KUBECONFIG
  return `${kubectl}${isUsual ? '' : ` --kubeconfig ${quoted(resolve(kubeconfig))}`} ${args}`
}
