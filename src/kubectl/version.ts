import { fileURLToPath } from 'node:url'
import { boolean, text } from '../base/flags/flag-types.js'
import type { JsonObject } from '../schema/declaration.js'
import { stringIn } from '../schema/json-value.js'
import { type CommandContext, command } from './command.js'

const flags = {
  client: boolean('Print only the client version, without a server'),
  output: text('Output format: json or yaml', { short: 'o' }),
} as const

type VersionContext = CommandContext<typeof flags>

export const version = command({
  usage: '[flags] [options]',
  about: 'Print the versions of the client and the server.',
  examples: ['kubectl version', 'kubectl version --client -o json'],
  flags,
  run: runVersion,
})

/** The version of Kubernetes whose behaviour kubectl has. */
const release = { major: '1', minor: '36', patch: '4' }

async function runVersion(call: VersionContext): Promise<void> {
  const { args, flags: given, out, err } = call
  if (args.length > 0) throw new Error(`extra arguments: [${args.join(' ')}]`)
  if (!['', 'json', 'yaml'].includes(given.output)) throw new Error("--output must be 'yaml' or 'json'")
  const clientVersion = await ownVersion(call)
  const asked = given.client ? undefined : await serverVersion(call)
  const serverInfo = asked instanceof Error ? undefined : asked
  await out(await shown(given.output, { clientVersion, ...(serverInfo && { serverVersion: serverInfo }) }))
  if (asked instanceof Error) throw asked
  const warning = serverInfo ? skewWarning(clientVersion, serverInfo) : ''
  if (warning !== '') await err(`${warning}\n`)
}

/** Returns the error instead of throwing it, so that the client version is printed first. */
async function serverVersion({ factory }: VersionContext): Promise<JsonObject | Error> {
  try {
    const { emulationMajor, emulationMinor, minCompatibilityMajor, minCompatibilityMinor, ...info } = await (
      await factory.rest()
    ).json<JsonObject>({ path: '/version' })
    return info
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

/** The version that the build recorded. */
async function ownVersion({ factory }: VersionContext): Promise<JsonObject> {
  const path = fileURLToPath(new URL('../../build.json', import.meta.url))
  const build = JSON.parse(await factory.environment.host.files.read(path)) as JsonObject
  const { major, minor, patch } = release
  return {
    major,
    minor,
    gitVersion: `v${major}.${minor}.${patch}+proa-${stringIn(build, 'version')}`,
    gitCommit: stringIn(build, 'commit'),
    gitTreeState: stringIn(build, 'treeState'),
    buildDate: stringIn(build, 'date'),
    goVersion: `node${process.versions.node}`,
    compiler: 'typescript',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  }
}

async function shown(output: string, versions: JsonObject): Promise<string> {
  if (output === 'json') return `${JSON.stringify(versions, undefined, 2)}\n`
  if (output === 'yaml') return `${(await import('./printers/yaml/yaml.js')).printYaml(versions)}\n`
  const { clientVersion, serverVersion: server } = versions as Readonly<Record<string, JsonObject>>
  const lines = [`Client Version: ${stringIn(clientVersion, 'gitVersion')}`]
  if (server) lines.push(`Server Version: ${stringIn(server, 'gitVersion')}`)
  return lines.map((line) => `${line}\n`).join('')
}

/** Warns if client and server differ by more than one minor version. */
export function skewWarning(client: JsonObject, server: JsonObject): string {
  const [own, other] = [numbers(client), numbers(server)]
  if (!own || !other) return ''
  if (own.major === other.major && Math.abs(own.minor - other.minor) <= 1) return ''
  const [left, right] = [`${own.major}.${own.minor}`, `${other.major}.${other.minor}`]
  return `WARNING: version difference between client (${left}) and server (${right}) exceeds the supported minor version skew of +/-1`
}

function numbers(version: JsonObject): { readonly major: number; readonly minor: number } | undefined {
  const found = /^v?(\d+)\.(\d+)/.exec(stringIn(version, 'gitVersion'))
  return found ? { major: Number(found[1]), minor: Number(found[2]) } : undefined
}
