import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Everything that the kubelet creates in the folder of a pod. */
const podEntries: ReadonlySet<string> = new Set([
  'volumes',
  'volumeDevices',
  'volume-subpaths',
  'plugins',
  'containers',
  'etc-hosts',
])

/** Returns whether the kubelet created the folder. Other folders next to those of pods are not orphaned pods. */
export function isPodFolder(path: string): boolean {
  return readdirSync(path).every((name) => podEntries.has(name))
}

/** Creates the folders that every pod has. */
export function createPodFolders(pod: string): void {
  for (const name of ['volumes', 'plugins']) mkdirSync(join(pod, name), { recursive: true, mode: 0o750 })
}

/** The volume plugin, which names the folder: `kubernetes.io~configmap`. */
export type PluginName = 'configmap' | 'downward-api' | 'empty-dir' | 'projected' | 'secret'

export function volumeFolder(pod: string, plugin: PluginName, volume: string): string {
  return join(pod, 'volumes', `kubernetes.io~${plugin}`, volume)
}

/**
 * Returns the path of the file that marks a completed setup, so that later changes by containers are kept. File volumes are wrapped in an
 * emptyDir.
 */
export function readyFile(pod: string, plugin: PluginName, volume: string): string {
  const name = plugin === 'empty-dir' ? volume : `wrapped_${volume}`
  return join(pod, 'plugins', 'kubernetes.io~empty-dir', name, 'ready')
}
