import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NetworkConfiguration, PluginConfiguration } from './network-configuration.js'
import { callPlugin } from './plugins.js'

/** A sandbox that is attached to a network. */
export interface Attachment {
  readonly network: NetworkConfiguration
  readonly containerId: string
  readonly interfaceName: string
}

export interface DetachOptions {
  readonly pluginFolder: string
  /** Where the runtime's CNI library caches attachments: `results/<network>-<container>-<interface>`. */
  readonly cacheFolder: string
}

/** What the CNI library caches of an attachment: its configuration and its result. */
interface CachedAttachment {
  readonly config?: string
  readonly capabilityArgs?: Readonly<Record<string, unknown>>
  readonly result?: PluginResult
}

interface PluginResult {
  readonly interfaces?: readonly { readonly sandbox?: string }[]
}

/** Detaches a sandbox as the runtime would: calls DEL of the plugins in reverse order. Succeeds if the sandbox is already gone. */
export async function detachSandbox(
  attachment: Attachment,
  { pluginFolder, cacheFolder }: DetachOptions,
): Promise<void> {
  const cacheFile = join(cacheFolder, 'results', cacheName(attachment))
  const cached = await readCache(cacheFile)
  const network = cachedConfiguration(cached) ?? attachment.network
  const { containerId, interfaceName } = attachment
  const namespace = existingNamespace(cached.result)
  for (const plugin of [...network.plugins].reverse()) {
    const configuration = {
      ...plugin,
      cniVersion: network.cniVersion,
      name: network.name,
      ...runtimeConfiguration(plugin, cached),
      ...(cached.result && { prevResult: cached.result }),
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
  await rm(cacheFile, { force: true })
}

function cacheName({ network, containerId, interfaceName }: Attachment): string {
  return `${network.name}-${containerId}-${interfaceName}`
}

async function readCache(place: string): Promise<CachedAttachment> {
  try {
    return JSON.parse(await readFile(place, 'utf8')) as CachedAttachment
  } catch (error) {
    // A crash may have truncated the file. DEL also works without it.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

function cachedConfiguration({ config }: CachedAttachment): NetworkConfiguration | undefined {
  return config === undefined ? undefined : JSON.parse(Buffer.from(config, 'base64').toString())
}

/** The network namespace of the pod; empty if it no longer exists, and its interfaces with it. */
function existingNamespace(result: PluginResult | undefined): string {
  const paths = (result?.interfaces ?? []).flatMap(({ sandbox }) => (sandbox ? [sandbox] : []))
  return paths.find((path) => existsSync(path)) ?? ''
}

/** The arguments for capabilities that the plugin declares, such as port mappings. */
function runtimeConfiguration(
  { capabilities = {} }: PluginConfiguration,
  { capabilityArgs = {} }: CachedAttachment,
): object {
  const wanted = Object.entries(capabilityArgs).filter(([name]) => capabilities[name])
  return wanted.length === 0 ? {} : { runtimeConfig: Object.fromEntries(wanted) }
}
