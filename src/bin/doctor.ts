import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { freemem, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { boolean, integer } from '../base/flags/flag-types.js'
import type { FlagValues } from '../base/flags/flags.js'
import { cgroupMode, mayLowerOomScore } from '../cri/containerd/host-capabilities.js'
import { installObstacle } from '../cri/containerd/packages.js'
import { findPrograms } from '../cri/containerd/programs.js'
import { checkDataDirectory, inDataDirectory } from './cluster/claim.js'
import { findCluster } from './cluster/cluster.js'
import { clusterFlags } from './cluster/cluster-flags.js'
import { defineCommand } from './command.js'
import { describeError } from './process/error-description.js'

const doctorFlags = {
  ...clusterFlags,
  port: {
    ...integer('The port that the API server will use.', { placeholder: 'PORT', initial: 6443, most: 65_535 }),
    variable: 'PROA_PORT',
  },
  help: { ...boolean('Show this help.'), short: 'h' },
}

type DoctorFlags = FlagValues<typeof doctorFlags>

export const doctorCommand = defineCommand({
  name: 'doctor',
  about: `Check this machine: what a cluster can do here, what it cannot do, and what would help.

Usage:
  proa doctor [flags]
`,
  flags: doctorFlags,
  async run(flags) {
    const findings = await examine(flags)
    for (const { what, is, text } of findings) process.stdout.write(`  ${marks[is]}  ${what.padEnd(16)} ${text}\n`)
    const failed = findings.filter(({ is }) => is === 'bad').length
    if (failed > 0)
      throw new Error(
        `${failed === 1 ? 'one of these problems' : `${failed} of these problems`} must be fixed before "proa up" can work`,
      )
  },
})

/** The result of a check: `lacking` means that a cluster runs, but not with everything; `bad` means that it does not run. */
export interface Finding {
  readonly what: string
  readonly is: 'good' | 'lacking' | 'bad'
  readonly text: string
}

const marks = { good: 'ok  ', lacking: 'note', bad: 'BAD ' } as const

type Check = (flags: DoctorFlags) => Finding | Promise<Finding>

const good = (what: string, text: string): Finding => ({ what, is: 'good', text })
const lacking = (what: string, text: string): Finding => ({ what, is: 'lacking', text })
const bad = (what: string, text: string): Finding => ({ what, is: 'bad', text })

/** The most important checks come first. */
const everywhere: readonly Check[] = [node, directory, disk, memory, port, rights, programs]
const onLinux: readonly Check[] = [cgroups, oomScores, overlay, forwarding]

export function examine(flags: DoctorFlags): Promise<Finding[]> {
  const checks = process.platform === 'linux' ? [...everywhere, ...onLinux] : everywhere
  return Promise.all(checks.map((check) => check(flags)))
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > 20 || (major === 20 && minor >= 15)
  return isNew ? good('Node', process.version) : bad('Node', `${process.version} is too old; install 20.15 or newer`)
}

const leastDisk = 1 << 30

/** Checks the data directory without writing to it. */
function directory(flags: DoctorFlags): Finding {
  const cluster = findCluster(flags)
  const { dataDirectory } = cluster
  try {
    const { is } = checkDataDirectory(cluster)
    inDataDirectory(dataDirectory, () => accessSync(existingPart(dataDirectory), constants.W_OK))
    return good('data directory', `${dataDirectory}${is === 'absent' ? ' will be created' : ''}`)
  } catch (error) {
    return bad('data directory', describeError(error))
  }
}

async function disk(flags: DoctorFlags): Promise<Finding> {
  const { dataDirectory } = findCluster(flags)
  const { bavail, bsize } = await statfs(existingPart(dataDirectory))
  const text = `${gigabytes(bavail * bsize)} free for ${dataDirectory}`
  if (bavail === 0) return bad('disk', `${text}; free some space, or name another directory with --data-dir`)
  return bavail * bsize > leastDisk ? good('disk', text) : lacking('disk', `${text}; images and objects need more`)
}

function existingPart(path: string): string {
  return existsSync(path) ? path : existingPart(dirname(path))
}

function memory(): Finding {
  return good('memory', `${gigabytes(freemem())} of ${gigabytes(totalmem())} free`)
}

function port({ port }: DoctorFlags): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(lacking('port', `${port} cannot be used (${error.code}); choose another one with --port`)),
    )
    server.listen(port, () => server.close(() => resolve(good('port', `${port} is free`))))
  })
}

function rights(): Finding {
  if (process.getuid?.() === 0) return good('rights', 'root')
  return lacking('rights', 'only root can run containers; for other users they are simulated')
}

function programs(): Finding {
  const found = findPrograms()
  if ('found' in found)
    return good('containers', `containerd is ${found.found.containerd}, runc is ${found.found.runc}`)
  const obstacle = installObstacle()
  const missing = found.missing.join(', ')
  if (obstacle === undefined) return good('containers', `"proa up" will install ${missing}`)
  return lacking('containers', `install ${missing} yourself (${obstacle}); until then containers are simulated`)
}

function cgroups(): Finding {
  return good('cgroups', cgroupMode())
}

function oomScores(): Finding {
  if (mayLowerOomScore()) return good('OOM scores', 'can be lowered')
  return lacking(
    'OOM scores',
    'CAP_SYS_RESOURCE is missing: containers are killed in another order when memory runs out',
  )
}

function overlay(): Finding {
  const known = readText('/proc/filesystems')
  if (/\boverlay\b/.test(known)) return good('overlayfs', 'is available')
  return lacking('overlayfs', 'is not loaded yet; if containers do not start, run modprobe overlay')
}

function forwarding(): Finding {
  if (readText('/proc/sys/net/ipv4/ip_forward').trim() === '1') return good('forwarding', 'is on')
  return lacking(
    'forwarding',
    'is off: pods reach nothing outside of this machine until you run sysctl net.ipv4.ip_forward=1',
  )
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`
}
