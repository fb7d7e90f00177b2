import { join } from 'node:path'
import { runProgram } from '../base/programs.js'

/** One call of a CNI plugin. */
export interface PluginCall {
  readonly command: 'DEL' | 'VERSION'
  /** The folder of this plugin and of the plugins that it calls. */
  readonly folder: string
  readonly type: string
  readonly configuration: object
  readonly containerId?: string
  readonly interfaceName?: string
  /** The path of the network namespace; empty if it no longer exists. */
  readonly namespace?: string
}

/** Resolves with the plugin's result. Rejects with the plugin's error message. */
export async function callPlugin(call: PluginCall): Promise<unknown> {
  const { command, folder, type, configuration, containerId = '', interfaceName = '', namespace = '' } = call
  const { code, output, errorOutput } = await runProgram({
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
  const result: unknown = output.trim() === '' ? {} : JSON.parse(output)
  if (code === 0) return result
  const { msg, details } = result as { readonly msg?: string; readonly details?: string }
  throw new Error(`${type} ${command}: ${[msg, details].filter(Boolean).join(': ') || errorOutput.trim()}`)
}

/** The versions of the configuration format that we can write, in order of preference. Current runtimes do not support newer ones. */
const versions = ['1.0.0', '0.4.0', '0.3.1']

/** Returns the preferred version of the configuration format that all of these plugins support. */
export async function commonVersion(folder: string, types: readonly string[]): Promise<string> {
  const known = await Promise.all(types.map((type) => versionsOf(folder, type)))
  const common = versions.find((version) => known.every((supported) => supported.has(version)))
  if (!common)
    throw new Error(`the CNI plugins in ${folder} have none of the versions ${versions.join(', ')} in common`)
  return common
}

async function versionsOf(folder: string, type: string): Promise<ReadonlySet<string>> {
  const result = await callPlugin({ command: 'VERSION', folder, type, configuration: { cniVersion: versions.at(-1) } })
  return new Set((result as { readonly supportedVersions?: readonly string[] }).supportedVersions)
}
