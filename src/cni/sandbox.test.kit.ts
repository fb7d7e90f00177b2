import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../base/programs.js'
import { systemRandom } from '../base/random.js'
import type { ContainerHarness } from '../testing/containers/container-harness.js'

/** Ports of the host that lead to the sandbox. */
export interface PortMapping {
  readonly hostPort: number
  readonly containerPort: number
  readonly protocol: 'tcp'
}

/** A network namespace that was plugged in by real plugins, as a runtime does it, with what its library remembers of that. */
export class PluggedSandbox {
  readonly id = systemRandom().uuid().replaceAll('-', '')
  readonly #world: ContainerHarness
  readonly #pluginFolder: string

  constructor(world: ContainerHarness, pluginFolder: string) {
    this.#world = world
    this.#pluginFolder = pluginFolder
  }

  get namespace(): string {
    return `${this.#world.bridge}-${this.id.slice(0, 8)}`
  }

  /** Its address. */
  async plugIn(configurationFile: string, portMappings: readonly PortMapping[] = []): Promise<string> {
    await ip('netns', 'add', this.namespace)
    const text = readFileSync(configurationFile, 'utf8')
    const { cniVersion, name, plugins } = JSON.parse(text)
    let prevResult: { ips: { address: string }[] } | undefined
    for (const plugin of plugins) {
      const runtimeConfig = plugin.capabilities?.portMappings ? { runtimeConfig: { portMappings } } : {}
      const given = { ...plugin, cniVersion, name, ...runtimeConfig, ...(prevResult && { prevResult }) }
      const variables = {
        CNI_COMMAND: 'ADD',
        CNI_CONTAINERID: this.id,
        CNI_IFNAME: 'eth0',
        CNI_NETNS: `/run/netns/${this.namespace}`,
        CNI_PATH: this.#pluginFolder,
      }
      const program = join(this.#pluginFolder, plugin.type)
      const { code, output } = await runProgram({ program, input: JSON.stringify(given), variables })
      if (code !== 0) throw new Error(output)
      prevResult = JSON.parse(output)
    }
    this.#remember({
      kind: 'cniCacheV1',
      containerId: this.id,
      config: Buffer.from(text).toString('base64'),
      ifName: 'eth0',
      networkName: name,
      capabilityArgs: { portMappings },
      result: prevResult,
    })
    return prevResult!.ips[0]!.address.split('/')[0]!
  }

  #remember(what: { readonly networkName: string; readonly [field: string]: unknown }): void {
    const folder = join(this.#world.folder, 'cache', 'results')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${what.networkName}-${this.id}-eth0`), JSON.stringify(what))
  }

  async removeNamespace(): Promise<void> {
    await ip('netns', 'delete', this.namespace)
  }
}

export async function ip(...args: readonly string[]): Promise<string> {
  const { code, output, errorOutput } = await runProgram({ program: '/usr/sbin/ip', args })
  if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${errorOutput}`)
  return output
}
