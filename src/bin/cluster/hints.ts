import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import type { ProcessVariables } from '../../base/flags/flags.js'
import { findProgram } from '../../base/programs.js'
import { proaCommand, quoted } from '../process/invocation.js'
import type { LocalCluster } from './cluster.js'
import { defaultName, usualDataDirectory } from './data-directory.js'

/** What a person may want to type next. */
export interface Hint {
  /** `start it again` */
  readonly purpose: string
  /** A whole line of shell that works as it stands, in the same directory. */
  readonly command: string
}

/** One line for each hint, with the commands below each other. */
export function hintLines(hints: readonly Hint[]): string {
  const width = Math.max(...hints.map(({ purpose }) => purpose.length))
  return hints.map(({ purpose, command }) => `  ${`${purpose}:`.padEnd(width + 2)} ${command}`).join('\n')
}

/** A sentence, and what to type about it. */
export function withHints(sentence: string, ...hints: readonly Hint[]): string {
  return `${sentence}\n${hintLines(hints)}`
}

/** A line of shell that calls this program for a cluster: `proa down --name trial`. */
export function proaLine(command: string, cluster: LocalCluster, further: readonly string[] = []): string {
  return [proaCommand(), command, ...[...clusterArguments(cluster), ...further].map(quoted)].join(' ')
}

/**
 * The flags that lead to the cluster. They are left out only where nothing else can be meant: a variable that is set now may not be set
 * when the line is typed, or the other way round.
 */
export function clusterArguments(
  { name, dataDirectory }: LocalCluster,
  variables: ProcessVariables = process.env,
): readonly string[] {
  const isDefaultName = name === defaultName && variables.PROA_NAME === undefined
  const isUsualPlace = dataDirectory === usualDataDirectory(name, variables) && variables.PROA_DATA_DIR === undefined
  return [...(isDefaultName ? [] : ['--name', name]), ...(isUsualPlace ? [] : ['--data-dir', dataDirectory])]
}

/** A line of shell for kubectl: the user's own where there is one, or else ours. */
export function kubectlLine(kubeconfig: string, args: string, variables: ProcessVariables = process.env): string {
  const folders = (variables.PATH ?? '').split(':').filter(isAbsolute)
  const kubectl = findProgram('kubectl', folders) === undefined ? `${proaCommand(variables)} kubectl` : 'kubectl'
  const isUsual = resolve(kubeconfig) === join(homedir(), '.kube', 'config') && !variables.KUBECONFIG
  return `${kubectl}${isUsual ? '' : ` --kubeconfig ${quoted(resolve(kubeconfig))}`} ${args}`
}
