import { join } from 'node:path'
import { runProgram } from '../base/programs.js'

/** What a plugin is told besides its configuration. */
export interface PluginCall {
  readonly command: 'DEL' | 'VERSION'
  /** Where it and the plugins that it calls itself are. */
  readonly folder: string
  readonly type: string
  readonly configuration: object
  readonly containerId?: string
  readonly interfaceName?: string
  /** Empty for a network namespace that is gone. */
  readonly namespace?: string
}

/** Resolves with what it answers. Rejects with what the plugin says that is wrong. */
export async function callPlugin(call: PluginCall): Promise<unknown> {
  const { command, folder, type, configuration, containerId = '', interfaceName = '', namespace = '' } = call
  const { code, output, complaint } = await runProgram({
    program: join(folder, type),
    input: JSON.stringify(configuration),
    variables: {
      CNI_COMMAND: command,
      CNI_CONTAINERID: containerId,
      CNI_IFNAME: interfaceName,
      CNI_NETNS: namespace,
      CNI_PATH: folder,
    },
  })
  const answer: unknown = output.trim() === '' ? {} : JSON.parse(output)
  if (code === 0) return answer
  const { msg, details } = answer as { readonly msg?: string; readonly details?: string }
  throw new Error(`${type} ${command}: ${[msg, details].filter(Boolean).join(': ') || complaint.trim()}`)
}

/** Those that we can write, the best first. Newer ones exist, which runtimes that are in use do not know. */
const versions = ['1.0.0', '0.4.0', '0.3.1']

/** The version of configuration that all of these plugins take. */
export async function commonVersion(folder: string, types: readonly string[]): Promise<string> {
  const known = await Promise.all(types.map((type) => versionsOf(folder, type)))
  const common = versions.find((version) => known.every((supported) => supported.has(version)))
  if (!common)
    throw new Error(`the CNI plugins in ${folder} have none of the versions ${versions.join(', ')} in common`)
  return common
}

async function versionsOf(folder: string, type: string): Promise<ReadonlySet<string>> {
  const answer = await callPlugin({ command: 'VERSION', folder, type, configuration: { cniVersion: versions.at(-1) } })
  return new Set((answer as { readonly supportedVersions?: readonly string[] }).supportedVersions)
}
