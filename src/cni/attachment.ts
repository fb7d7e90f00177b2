import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NetworkConfiguration, PluginConfiguration } from './network-configuration.js'
import { callPlugin } from './plugins.js'

/** A sandbox that was plugged into a network. */
export interface Attachment {
  readonly network: NetworkConfiguration
  readonly containerId: string
  readonly interfaceName: string
}

export interface DetachPlaces {
  readonly pluginFolder: string
  /** Where the runtime's library remembers what it did: `results/<network>-<container>-<interface>`. */
  readonly cacheFolder: string
}

/** What is remembered of an attachment: as it was asked for, and what came of it. */
interface Remembered {
  readonly config?: string
  readonly capabilityArgs?: Readonly<Record<string, unknown>>
  readonly result?: Result
}

interface Result {
  readonly interfaces?: readonly { readonly sandbox?: string }[]
}

/** Unplugs a sandbox as the runtime would have done: what was done last is undone first. What is gone already does not matter. */
export async function detach(attachment: Attachment, { pluginFolder, cacheFolder }: DetachPlaces): Promise<void> {
  const place = join(cacheFolder, 'results', cacheName(attachment))
  const remembered = await readRemembered(place)
  const network = configurationOf(remembered) ?? attachment.network
  const { containerId, interfaceName } = attachment
  const namespace = livingNamespace(remembered.result)
  for (const plugin of [...network.plugins].reverse()) {
    const configuration = {
      ...plugin,
      cniVersion: network.cniVersion,
      name: network.name,
      ...runtimeConfiguration(plugin, remembered),
      ...(remembered.result && { prevResult: remembered.result }),
    }
    await callPlugin({
      command: 'DEL',
      folder: pluginFolder,
      type: plugin.type,
      configuration,
      containerId,
      interfaceName,
      namespace,
    })
  }
  await rm(place, { force: true })
}

function cacheName({ network, containerId, interfaceName }: Attachment): string {
  return `${network.name}-${containerId}-${interfaceName}`
}

async function readRemembered(place: string): Promise<Remembered> {
  try {
    return JSON.parse(await readFile(place, 'utf8')) as Remembered
  } catch (error) {
    // A crash may have cut it off; without it, less is known and the rest still works.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

function configurationOf({ config }: Remembered): NetworkConfiguration | undefined {
  return config === undefined ? undefined : JSON.parse(Buffer.from(config, 'base64').toString())
}

/** Plugins take it for the pod's. Without it, what was in it is gone with it. */
function livingNamespace(result: Result | undefined): string {
  const paths = (result?.interfaces ?? []).flatMap(({ sandbox }) => (sandbox ? [sandbox] : []))
  return paths.find((path) => existsSync(path)) ?? ''
}

/** What the runtime was asked for that the plugin says it can do, such as port mappings. */
function runtimeConfiguration({ capabilities = {} }: PluginConfiguration, { capabilityArgs = {} }: Remembered): object {
  const wanted = Object.entries(capabilityArgs).filter(([name]) => capabilities[name])
  return wanted.length === 0 ? {} : { runtimeConfig: Object.fromEntries(wanted) }
}
