import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Packages of Debian and Ubuntu that together run containers, and lead them out of the machine. */
export const containerPackages = ['containerd', 'runc', 'containernetworking-plugins', 'iproute2', 'nftables'] as const

const policyFile = '/usr/sbin/policy-rc.d'

/** Why packages cannot be installed here; undefined where they can. */
export function installObstacle(): string | undefined {
  if (!isDebian()) return 'this is neither Debian nor Ubuntu'
  if (process.getuid?.() !== 0) return 'installing takes root'
  return undefined
}

function isDebian(): boolean {
  if (!existsSync('/etc/os-release') || !existsSync('/usr/bin/apt-get')) return false
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(readFileSync('/etc/os-release', 'utf8'))
}

/**
 * Installs packages of the distribution. Nothing is started by it, now or at the next boot: a package that brings a service
 * (containerd does) has that service left off, because what is wanted is its programs.
 */
export async function installPackages(packages: readonly string[]): Promise<void> {
  const why = installObstacle()
  if (why) throw new Error(`${packages.join(', ')} cannot be installed: ${why}`)
  const missing = await notInstalled(packages)
  if (missing.length === 0) return
  const servicesAllowed = forbidServices()
  try {
    await aptInstall(missing).catch(async () => {
      await apt('update')
      await aptInstall(missing)
    })
  } finally {
    servicesAllowed()
  }
  await Promise.all(missing.map(disableService))
}

async function notInstalled(packages: readonly string[]): Promise<string[]> {
  const states = await Promise.all(
    packages.map((name) =>
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is dpkg's
      run('dpkg-query', ['-W', '-f', '${Status}', name]).then(
        ({ stdout }) => stdout.endsWith('ok installed'),
        () => false, // dpkg has never heard of it
      ),
    ),
  )
  return packages.filter((_, index) => !states[index])
}

function aptInstall(packages: readonly string[]): Promise<unknown> {
  return apt('install', '--yes', '--no-install-recommends', ...packages)
}

/** Others may be installing too: then it is their turn first. */
function apt(...args: readonly string[]): Promise<unknown> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { env, maxBuffer: 1 << 26 })
}

/** Debian asks this file before it starts any service. One that is there already is somebody's decision, and stays. */
function forbidServices(): () => void {
  if (existsSync(policyFile)) return () => {}
  writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  return () => rmSync(policyFile, { force: true })
}

/** Without systemd there is nothing to keep off. */
async function disableService(service: string): Promise<void> {
  if (!existsSync(`/lib/systemd/system/${service}.service`) || !existsSync('/run/systemd/system')) return
  await run('systemctl', ['disable', `${service}.service`])
}
