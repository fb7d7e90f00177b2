import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../base/logging.js'
import { findProgram, outputOf } from '../base/programs.js'
import { type AddressRecord, addressRecords } from './address-records.js'
import { detach } from './attachment.js'
import { placeMasquerade, removeMasquerade } from './masquerade-table.js'
import { type NetworkConfiguration, networkConfiguration, pluginsOfNetwork } from './network-configuration.js'
import { type Placed, placeConfiguration, readConfiguration, removeConfiguration } from './network-folder.js'
import { removePluginMasquerade } from './plugin-masquerade.js'
import { commonVersion } from './plugins.js'

export interface PodNetworkOptions {
  /** Where the runtime looks for the configuration of pods' network: `/etc/cni/net.d`, or a private containerd's own. */
  readonly configurationFolder: string
  /** Where the reference plugins are. */
  readonly pluginFolder: string
  readonly log: Logger
  /** `proa` unless told. Networks of one machine that have the same name share their addresses. */
  readonly name?: string
  /** `proa0` unless told. */
  readonly bridge?: string
  /** Where addresses that are taken are written down; the plugin's own place unless told. */
  readonly addressesFolder?: string
  /** Where the runtime's library remembers attachments. */
  readonly cacheFolder?: string
  /** Who gives traffic that leaves the node its address: a rule of nftables for all pods, unless told or where there is none. */
  readonly masquerade?: 'table' | 'plugin'
}

const pluginPlace = '/var/lib/cni/networks'
const libraryPlace = '/var/lib/cni'

/** The network that this node's pods meet on, made by the runtime with each sandbox as this tells it to. */
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
   * Pods get their addresses from these ranges: those of the Node's `spec.podCIDRs`. Writes the runtime's configuration, unless somebody
   * else has put one there; those who run already keep what they have. For the same ranges again it only looks whether all is as it was.
   */
  async configure(ranges: readonly string[]): Promise<Placed> {
    const key = ranges.join()
    if (this.#configured?.ranges !== key) this.#configured = { ranges: key, network: await this.#describe(ranges) }
    const placed = await placeConfiguration(this.#options.configurationFolder, this.#configured.network)
    const { log, configurationFolder: folder } = this.#options
    if (placed === 'foreign') await removeMasquerade(this.bridge)
    if (placed === 'written') log.info('The network of pods is configured', { folder, ranges, bridge: this.bridge })
    return placed
  }

  /**
   * Gives back the addresses of sandboxes that are not among the living ones, which a crash kept from being given back, with all else that
   * is left of their attachment. Only what was written down before `before` (milliseconds since the epoch) counts: a runtime shows a
   * sandbox only some time after it gave it an address. Resolves with the addresses.
   */
  async releaseDead(living: ReadonlySet<string>, before: number): Promise<readonly string[]> {
    const records = await addressRecords(this.#addressesFolder, this.name)
    const dead = records.filter(({ containerId, madeAt }) => madeAt < before && !living.has(containerId))
    await this.#release(dead)
    return dead.map(({ address }) => address)
  }

  /** Takes the network away: pods that are still on it lose it. */
  async reset(): Promise<void> {
    await this.#release(await addressRecords(this.#addressesFolder, this.name))
    await removeConfiguration(this.#options.configurationFolder)
    await rm(join(this.#addressesFolder, this.name), { recursive: true, force: true })
    await removeMasquerade(this.bridge)
    const ip = findProgram('ip')
    if (ip && interfaces().has(this.bridge)) await outputOf({ program: ip, args: ['link', 'delete', this.bridge] })
    this.#configured = undefined
  }

  async #release(records: readonly AddressRecord[]): Promise<void> {
    if (records.length === 0) return
    const { pluginFolder, cacheFolder = libraryPlace, log } = this.#options
    const network = await this.#network()
    // One sandbox has an address of each family.
    const sandboxes = new Map(records.map((record) => [`${record.containerId} ${record.interfaceName}`, record]))
    for (const { containerId, interfaceName, address } of sandboxes.values()) {
      await detach({ network, containerId, interfaceName }, { pluginFolder, cacheFolder })
      log.info('The address of a sandbox that is gone was given back', { address, containerId })
    }
    await removePluginMasquerade(
      this.name,
      records.map(({ containerId }) => containerId),
    )
  }

  /** As it is configured, or was by an earlier life. */
  async #network(): Promise<NetworkConfiguration> {
    if (this.#configured) return this.#configured.network
    const text = await readConfiguration(this.#options.configurationFolder)
    return text === undefined ? this.#describe([]) : (JSON.parse(text) as NetworkConfiguration)
  }

  async #describe(ranges: readonly string[]): Promise<NetworkConfiguration> {
    const { pluginFolder, addressesFolder, log } = this.#options
    const { name, bridge } = this
    const mapsPorts = findProgram('iptables') !== undefined
    if (!mapsPorts) log.warn('Without iptables, ports of this node do not lead to pods', { bridge })
    const isPlaced = this.#options.masquerade !== 'plugin' && (await placeMasquerade({ bridge, ranges }))
    if (!isPlaced && !mapsPorts)
      log.warn('Without nftables and iptables, pods do not reach beyond this node', { bridge })
    const cniVersion = await commonVersion(pluginFolder, pluginsOfNetwork)
    const masquerades = !isPlaced && mapsPorts
    return networkConfiguration({ cniVersion, name, bridge, ranges, addressesFolder, masquerades, mapsPorts })
  }

  get #addressesFolder(): string {
    return this.#options.addressesFolder ?? pluginPlace
  }
}

function interfaces(): ReadonlySet<string> {
  return new Set(readdirSync('/sys/class/net'))
}
