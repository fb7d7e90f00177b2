import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { freemem, totalmem } from 'node:os'
import { dirname } from 'node:path'
import { cgroupMode, mayLowerOomScore } from '../cri/containerd/machine.js'
import { whyNotInstalled } from '../cri/containerd/packages.js'
import { findPrograms } from '../cri/containerd/programs.js'
import { findCluster } from './cluster/cluster.js'
import { clusterFlags } from './cluster/flags.js'
import { command } from './command.js'
import { integer, truth } from './flag-types.js'
import type { FlagValues } from './flags.js'

const doctorFlags = {
  ...clusterFlags,
  port: {
    ...integer('The port that the API server is to have.', 'PORT', { standard: 6443, most: 65_535 }),
    variable: 'PROA_PORT',
  },
  help: { ...truth('Shows this text.', false), short: 'h' },
}

type DoctorFlags = FlagValues<typeof doctorFlags>

export const doctorCommand = command({
  name: 'doctor',
  about: `Looks at this machine: what a cluster can do here, what it cannot, and what would help.

Usage:
  proa doctor [flags]
`,
  flags: doctorFlags,
  async run(flags) {
    const findings = await examine(flags)
    for (const { what, is, text } of findings) process.stdout.write(`  ${marks[is]}  ${what.padEnd(16)} ${text}\n`)
    const failed = findings.filter(({ is }) => is === 'bad').length
    if (failed > 0) throw new Error(`${failed} of these must be put right before proa up can work`)
  },
})

/** How something is: as it should be, good enough with something missing, or so that nothing works. */
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

/** In the order in which they matter. */
const everywhere: readonly Check[] = [node, disk, memory, port, rights, programs]
const onLinux: readonly Check[] = [cgroups, oomScores, overlay, forwarding]

export function examine(flags: DoctorFlags): Promise<Finding[]> {
  const checks = process.platform === 'linux' ? [...everywhere, ...onLinux] : everywhere
  return Promise.all(checks.map((check) => check(flags)))
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > 20 || (major === 20 && minor >= 15)
  return isNew ? good('Node', process.version) : bad('Node', `${process.version} is too old; 20.15 or newer is needed`)
}

const leastDisk = 1 << 30

async function disk(flags: DoctorFlags): Promise<Finding> {
  const { dataDirectory } = findCluster(flags)
  let existing = dataDirectory
  while (!existsSync(existing)) existing = dirname(existing)
  const { bavail, bsize } = await statfs(existing)
  const text = `${gigabytes(bavail * bsize)} free for ${dataDirectory}`
  return bavail * bsize > leastDisk ? good('disk', text) : lacking('disk', `${text}; images and objects need more`)
}

function memory(): Finding {
  return good('memory', `${gigabytes(freemem())} of ${gigabytes(totalmem())} free`)
}

function port({ port }: DoctorFlags): Promise<Finding> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(lacking('port', `${port} cannot be used (${error.code}); proa up --port takes another one`)),
    )
    server.listen(port, () => server.close(() => resolve(good('port', `${port} is free`))))
  })
}

function rights(): Finding {
  if (process.getuid?.() === 0) return good('rights', 'root')
  return lacking('rights', 'running containers takes root; without it they are simulated')
}

function programs(): Finding {
  const found = findPrograms()
  if ('found' in found)
    return good('containers', `containerd is ${found.found.containerd}, runc is ${found.found.runc}`)
  const obstacle = whyNotInstalled()
  const missing = found.missing.join(', ')
  if (obstacle === undefined) return good('containers', `proa up will install ${missing}`)
  return lacking(
    'containers',
    `${missing} must be installed by hand (${obstacle}); until then containers are simulated`,
  )
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
  if (/\boverlay\b/.test(known)) return good('overlayfs', 'is there')
  return lacking('overlayfs', 'is not loaded yet; modprobe overlay, if containers do not start')
}

function forwarding(): Finding {
  if (readText('/proc/sys/net/ipv4/ip_forward').trim() === '1') return good('forwarding', 'is on')
  return lacking('forwarding', 'is off: pods reach nothing outside of this machine until net.ipv4.ip_forward is 1')
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function gigabytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`
}
