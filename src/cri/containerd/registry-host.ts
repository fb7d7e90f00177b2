import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RegistryHost {
  /** As in the names of images: `registry.example:5000`. */
  readonly host: string
  /** Where it is, such as `http://127.0.0.1:5000`. */
  readonly server: string
  /** A file with the authorities that it is known by. */
  readonly authorities?: string
}

/** Tells containerd how a registry is reached that is not simply `https://` and its name. It needs not be restarted. */
export function writeRegistryHost(registryFolder: string, { host, server, authorities }: RegistryHost): void {
  const folder = join(registryFolder, host)
  mkdirSync(folder, { recursive: true })
  const capabilities = 'capabilities = ["pull", "resolve"]'
  const ca = authorities === undefined ? '' : `ca = ${JSON.stringify(authorities)}\n`
  const text = `server = ${JSON.stringify(server)}\n\n[host.${JSON.stringify(server)}]\n${capabilities}\n${ca}`
  writeFileSync(join(folder, 'hosts.toml'), text)
}

export interface RegistryMirror {
  /** As in the names of images: `docker.io`. */
  readonly host: string
  /** Where that registry is: `https://registry-1.docker.io`. */
  readonly server: string
  /** Who is asked first. What it does not have, the registry itself is asked for. */
  readonly mirror: string
}

const signature = '# Written by proa at each start. Without this line it is yours, and stays as it is.\n'

/** Whether Proa wrote this `hosts.toml`. */
export function isOwnRegistryMirror(text: string): boolean {
  return text.startsWith(signature)
}

/** Tells containerd to ask a mirror before a registry, unless somebody has told it already how that is reached. Gives whether it did. */
export function writeRegistryMirror(registryFolder: string, { host, server, mirror }: RegistryMirror): boolean {
  const folder = join(registryFolder, host)
  const file = join(folder, 'hosts.toml')
  if (existsSync(file) && !isOwnRegistryMirror(readFileSync(file, 'utf8'))) return false
  mkdirSync(folder, { recursive: true })
  const hosts = `[host.${JSON.stringify(mirror)}]\ncapabilities = ["pull", "resolve"]\n`
  writeFileSync(file, `${signature}server = ${JSON.stringify(server)}\n\n${hosts}`)
  return true
}
