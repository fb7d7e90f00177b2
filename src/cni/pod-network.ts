import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../base/logging.js'
import { findProgram, outputOf } from '../base/programs.js'
import { type AddressRecord, addressRecords } from './address-records.js'
import { detachSandbox } from './attachment.js'
import { installMasquerade, removeMasquerade } from './masquerade-table.js'
import { type NetworkConfiguration, networkConfiguration, pluginsOfNetwork } from './network-configuration.js'
import {
  type PlacementResult,
  placeConfiguration,
  readOwnConfiguration,
  removeOwnConfiguration,
} from './network-folder.js'
import { removePluginMasquerade } from './plugin-masquerade.js'
import { commonVersion } from './plugins.js'

export interface PodNetworkOptions {
  /** Where the runtime reads CNI configurations: `/etc/cni/net.d`, or the folder of a private containerd. */
  readonly configurationFolder: string
  /** The folder of the reference plugins. */
  readonly pluginFolder: string
  readonly log: Logger
  /** Default: `proa`. Networks with the same name on one machine share their addresses. */
  readonly name?: string
  /** Default: `proa0`. */
  readonly bridge?: string
  /** Where host-local stores allocated addresses. Default: the plugin's own folder. */
  readonly addressesFolder?: string
  /** Where the runtime's CNI library caches attachments. */
  readonly cacheFolder?: string
  /** How traffic that leaves the node is masqueraded: by one nftables table for all pods, or by the bridge plugin. Default: `table` if nftables is available. */
  readonly masquerade?: 'table' | 'plugin'
}

const defaultAddressesFolder = '/var/lib/cni/networks'
const defaultCacheFolder = '/var/lib/cni'

/** The pod network of this node. The runtime attaches each sandbox to it, as our CNI configuration says. */
export class PodNetwork {
  readonly #options: PodNetworkOptions
  readonly name: string
  readonly bridge: string
  #configured: { readonly ranges: string; readonly network: NetworkConfiguration } | undefined

  constructor(options: PodNetworkOptions) {
    this.#options = options
    this.name = options.name ?? 'proa'
    this.bridge = options.bridge ?? 'proa0'
  }

  /**
   * Sets the ranges of pod addresses: the Node's `spec.podCIDRs`. Writes the CNI configuration, unless another program has written one.
   * Running pods keep their addresses. A call with the same ranges only restores the configuration if it was changed.
   */
  async configure(ranges: readonly string[]): Promise<PlacementResult> {
    const key = ranges.join()
    if (this.#configured?.ranges !== key) this.#configured = { ranges: key, network: await this.#describe(ranges) }
    const placed = await placeConfiguration(this.#options.configurationFolder, this.#configured.network)
    const { log, configurationFolder: folder } = this.#options
    if (placed === 'foreign') await removeMasquerade(this.bridge)
    if (placed === 'written') log.info('pod network configured', { folder, ranges, bridge: this.bridge })
    return placed
  }

  /**
   * Releases the addresses of sandboxes that are not in `living`, and detaches them: after a crash the runtime may not have done so. Only
   * addresses allocated before `before` (milliseconds since the epoch) are released, because a runtime lists a sandbox only some time after
   * it allocated its address. Resolves with the released addresses.
   */
  async releaseUnused(living: ReadonlySet<string>, before: number): Promise<readonly string[]> {
    const records = await addressRecords(this.#addressesFolder, this.name)
    const dead = records.filter(({ containerId, writtenAt: madeAt }) => madeAt < before && !living.has(containerId))
    await this.#release(dead)
    return dead.map(({ address }) => address)
  }

  /** Removes the network. Pods that are still attached lose their connection. */
  async reset(): Promise<void> {
    await this.#release(await addressRecords(this.#addressesFolder, this.name))
    await removeOwnConfiguration(this.#options.configurationFolder)
    await rm(join(this.#addressesFolder, this.name), { recursive: true, force: true })
    await removeMasquerade(this.bridge)
    const ip = findProgram('ip')
    if (ip && interfaces().has(this.bridge)) await outputOf({ program: ip, args: ['link', 'delete', this.bridge] })
    this.#configured = undefined
  }

  async #release(records: readonly AddressRecord[]): Promise<void> {
    if (records.length === 0) return
    const { pluginFolder, cacheFolder = defaultCacheFolder, log } = this.#options
    const network = await this.#network()
    // A sandbox has one address per family.
    const sandboxes = new Map(records.map((record) => [`${record.containerId} ${record.interfaceName}`, record]))
    for (const { containerId, interfaceName, address } of sandboxes.values()) {
      await detachSandbox({ network, containerId, interfaceName }, { pluginFolder, cacheFolder })
      log.info('address of deleted sandbox released', { address, containerId })
    }
    await removePluginMasquerade(
      this.name,
      records.map(({ containerId }) => containerId),
    )
  }

  /** The current configuration, or the one that an earlier process wrote. */
  async #network(): Promise<NetworkConfiguration> {
    if (this.#configured) return this.#configured.network
    const text = await readOwnConfiguration(this.#options.configurationFolder)
    return text === undefined ? this.#describe([]) : (JSON.parse(text) as NetworkConfiguration)
  }

  async #describe(ranges: readonly string[]): Promise<NetworkConfiguration> {
    const { pluginFolder, addressesFolder, log } = this.#options
    const { name, bridge } = this
    const mapsPorts = findProgram('iptables') !== undefined
    if (!mapsPorts) log.warn('host ports disabled: iptables not found', { bridge })
    const isPlaced = this.#options.masquerade !== 'plugin' && (await installMasquerade({ bridge, ranges }))
    if (!isPlaced && !mapsPorts)
      log.warn('pods cannot reach other hosts: neither nftables nor iptables found', { bridge })
    const cniVersion = await commonVersion(pluginFolder, pluginsOfNetwork)
    const masquerades = !isPlaced && mapsPorts
    return networkConfiguration({ cniVersion, name, bridge, ranges, addressesFolder, masquerades, mapsPorts })
  }

  get #addressesFolder(): string {
    return this.#options.addressesFolder ?? defaultAddressesFolder
  }
}

function interfaces(): ReadonlySet<string> {
  return new Set(readdirSync('/sys/class/net'))
}
