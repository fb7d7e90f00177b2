import { isAbsolute, join, relative, sep } from 'node:path'
import type { Kubeconfig, KubeconfigCluster, KubeconfigUser, Stanza, Stanzas } from './kubeconfig.js'

type Change = (path: string) => string

/** Makes every relative path absolute, relative to its file. Entries that come from no file stay unchanged. */
export function withAbsolutePaths(config: Kubeconfig, folderOf: (file: string) => string): Kubeconfig {
  return {
    ...config,
    clusters: changed(config.clusters, ({ settings, file }) => absoluteCluster(settings, folderOf(file))),
    users: changed(config.users, ({ settings, file }) => absoluteUser(settings, folderOf(file))),
  }
}

function changed<T>(stanzas: Stanzas<T>, change: (stanza: Required<Stanza<T>>) => T): Stanzas<T> {
  const entries = [...stanzas].map(([name, { settings, file }]): [string, Stanza<T>] =>
    file === undefined ? [name, { settings }] : [name, { settings: change({ settings, file }), file }],
  )
  return new Map(entries)
}

export function absoluteCluster(cluster: KubeconfigCluster, folder: string): KubeconfigCluster {
  return clusterPaths(cluster, (path) => (isAbsolute(path) ? path : join(folder, path)))
}

export function absoluteUser(user: KubeconfigUser, folder: string): KubeconfigUser {
  return userPaths(user, (path) => (isAbsolute(path) ? path : join(folder, path)))
}

/** Makes paths below `folder` relative to it, so that the folder can be moved. Other paths stay unchanged. */
export function relativeCluster(cluster: KubeconfigCluster, folder: string): KubeconfigCluster {
  return clusterPaths(absoluteCluster(cluster, folder), relativeTo(folder))
}

export function relativeUser(user: KubeconfigUser, folder: string): KubeconfigUser {
  return userPaths(absoluteUser(user, folder), relativeTo(folder))
}

function relativeTo(folder: string): Change {
  return (path) => {
    const short = relative(folder, path)
    return short.startsWith(`..${sep}`) ? path : short
  }
}

function clusterPaths(cluster: KubeconfigCluster, change: Change): KubeconfigCluster {
  const authority = cluster['certificate-authority']
  return authority ? { ...cluster, 'certificate-authority': change(authority) } : cluster
}

const userFiles = ['client-certificate', 'client-key', 'tokenFile'] as const

function userPaths(user: KubeconfigUser, change: Change): KubeconfigUser {
  const files = userFiles.filter((name) => user[name]).map((name) => [name, change(user[name]!)])
  const { exec } = user
  // A command without a separator is looked up on the PATH.
  const command = exec?.command?.includes(sep) ? { exec: { ...exec, command: change(exec.command) } } : {}
  return { ...user, ...Object.fromEntries(files), ...command }
}
