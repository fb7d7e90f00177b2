import { readdir, readFile } from 'node:fs/promises'
import { arch, cpus, release } from 'node:os'
import { join } from 'node:path'
import { measureFilesystem } from './filesystem-space.js'
import type { HostFacts, HostLoad, NodeHost } from './node-host.js'

/** Returns this host, read from files below `root`. */
export function linuxHost(root = '/'): NodeHost {
  const files = new HostFiles(root)
  return { facts: () => factsOf(files), load: () => loadOf(files), measure: measureFilesystem }
}

async function factsOf(files: HostFiles): Promise<HostFacts> {
  const [memory, hugePages, osRelease] = await Promise.all([
    memoryInfo(files),
    hugePagesOf(files),
    files.read('etc/os-release', 'usr/lib/os-release'),
  ])
  const machineId = await files.read('etc/machine-id', 'var/lib/dbus/machine-id')
  return {
    cpus: cpus().length,
    memory: memory('MemTotal'),
    swap: memory('SwapTotal'),
    hugePages,
    machineId,
    systemUuid: (await files.read('sys/class/dmi/id/product_uuid')) || machineId,
    bootId: await files.read('proc/sys/kernel/random/boot_id'),
    kernelVersion: release(),
    osImage: /^PRETTY_NAME=["']?(.*?)["']?$/m.exec(osRelease)?.[1] ?? 'Linux',
    operatingSystem: process.platform,
    architecture: architectures[arch()] ?? arch(),
  }
}

/** Node's names of architectures that differ from those of images. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' }

async function loadOf(files: HostFiles): Promise<HostLoad> {
  const [memory, most, load] = await Promise.all([
    memoryInfo(files),
    files.read('proc/sys/kernel/pid_max'),
    files.read('proc/loadavg'),
  ])
  const [, now = '0'] = /\d+\/(\d+)/.exec(load) ?? []
  return { memoryAvailable: memory('MemAvailable'), processes: { most: Number(most), now: Number(now) } }
}

/** Returns bytes, or 0 for an unknown name. */
async function memoryInfo(files: HostFiles): Promise<(name: string) => number> {
  const text = await files.read('proc/meminfo')
  return (name) => 1024 * Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0)
}

async function hugePagesOf(files: HostFiles): Promise<ReadonlyMap<number, number>> {
  const folder = 'sys/kernel/mm/hugepages'
  const sizes = (await files.list(folder)).flatMap((name) => /^hugepages-(\d+)kB$/.exec(name)?.[1] ?? [])
  const pages = sizes.map(async (size): Promise<[number, number]> => {
    const bytes = 1024 * Number(size)
    return [bytes, bytes * Number(await files.read(`${folder}/hugepages-${size}kB/nr_hugepages`))]
  })
  return new Map(await Promise.all(pages))
}

/** Reads small files that may be missing. */
class HostFiles {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Returns the trimmed text of the first readable file, or ''. */
  async read(...paths: readonly string[]): Promise<string> {
    for (const path of paths) {
      const text = await readFile(join(this.#root, path), 'utf8').catch(() => '')
      if (text.trim() !== '') return text.trim()
    }
    return ''
  }

  list(folder: string): Promise<readonly string[]> {
    return readdir(join(this.#root, folder)).catch(() => [])
  }
}
