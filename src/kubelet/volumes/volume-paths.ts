import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** All that the kubelet makes in the folder of a pod. */
const podEntries: ReadonlySet<string> = new Set([
  'volumes',
  'volumeDevices',
  'volume-subpaths',
  'plugins',
  'containers',
  'etc-hosts',
])

/** Whether the kubelet made that folder. What else somebody keeps beside the folders of pods is not a pod that is gone. */
export function isPodFolder(path: string): boolean {
  return readdirSync(path).every((name) => podEntries.has(name))
}

/** What every pod has, whatever it has of volumes. */
export function createPodFolders(pod: string): void {
  for (const name of ['volumes', 'plugins']) mkdirSync(join(pod, name), { recursive: true, mode: 0o750 })
}

/** By the plugin that makes it, which names the folder: `kubernetes.io~configmap`. */
export type PluginName = 'configmap' | 'downward-api' | 'empty-dir' | 'projected' | 'secret'

export function volumeFolder(pod: string, plugin: PluginName, volume: string): string {
  return join(pod, 'volumes', `kubernetes.io~${plugin}`, volume)
}

/**
 * Tells that a volume was made to its end: what a container has changed since must not be made as it was. Volumes that consist of files
 * are wrapped around an empty one.
 */
export function readyFile(pod: string, plugin: PluginName, volume: string): string {
  const name = plugin === 'empty-dir' ? volume : `wrapped_${volume}`
  return join(pod, 'plugins', 'kubernetes.io~empty-dir', name, 'ready')
}
