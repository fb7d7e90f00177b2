import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The packages of Debian and Ubuntu that run containers and connect them to the network. */
export const containerPackages = ['containerd', 'runc', 'containernetworking-plugins', 'iproute2', 'nftables'] as const

const policyFile = '/usr/sbin/policy-rc.d'

/** Returns why packages cannot be installed on this host, or undefined if they can. */
export function installObstacle(): string | undefined {
  if (!isDebian()) return 'this host is neither Debian nor Ubuntu'
  if (process.getuid?.() !== 0) return 'installing packages requires root'
  return undefined
}

function isDebian(): boolean {
  if (!existsSync('/etc/os-release') || !existsSync('/usr/bin/apt-get')) return false
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/**
 * Installs packages of the distribution. It starts no service, now or at the next boot: only the programs are needed, so a service
 * that a package contains (as containerd's does) is disabled.
 */
export async function installPackages(packages: readonly string[]): Promise<void> {
  const obstacle = installObstacle()
  if (obstacle) throw new Error(`cannot install ${packages.join(', ')}: ${obstacle}`)
  const missing = await notInstalled(packages)
  if (missing.length === 0) return
  const allowServices = forbidServices()
  try {
    await aptInstall(missing).catch(async () => {
      await apt('update')
      await aptInstall(missing)
    })
  } finally {
    allowServices()
  }
  await Promise.all(missing.map(disableService))
}

async function notInstalled(packages: readonly string[]): Promise<string[]> {
  const states = await Promise.all(
    packages.map((name) =>
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of dpkg
      run('dpkg-query', ['-W', '-f', '${Status}', name]).then(
        ({ stdout }) => stdout.endsWith('ok installed'),
        () => false, // dpkg does not know the package
      ),
    ),
  )
  return packages.filter((_, index) => !states[index])
}

function aptInstall(packages: readonly string[]): Promise<unknown> {
  return apt('install', '--yes', '--no-install-recommends', ...packages)
}

/** Waits up to five minutes for another apt or dpkg. */
function apt(...args: readonly string[]): Promise<unknown> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { env, maxBuffer: 1 << 26 })
}

/** Debian consults this file before it starts a service. An existing file stays: the administrator wrote it. */
function forbidServices(): () => void {
  if (existsSync(policyFile)) return () => {}
  writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  return () => rmSync(policyFile, { force: true })
}

/** Does nothing on a host without systemd. */
async function disableService(service: string): Promise<void> {
  if (!existsSync(`/lib/systemd/system/${service}.service`) || !existsSync('/run/systemd/system')) return
  await run('systemctl', ['disable', `${service}.service`])
}
