import { containerPackages, installObstacle, installPackages } from '../../cri/containerd/packages.js'

/** What the real thing takes, a registry and a small Linux included. */
const packages = [...containerPackages, 'docker-registry', 'busybox-static', 'curl']

let installed: Promise<string | false> | undefined

/** Why tests with real containers cannot run here, or false: to be given to `test` as `skip`. Installs what is missing. */
export function containersMissing(): Promise<string | false> {
  installed ??= install()
  return installed
}

async function install(): Promise<string | false> {
  if (process.getuid?.() !== 0) return 'real containers take root'
  const why = installObstacle()
  if (why) return `real containers take Debian’s packages, and ${why}`
  return installPackages(packages).then(
    () => false,
    (error: Error) => `Debian’s packages cannot be had: ${error.message.trim().split('\n').at(-1)}`,
  )
}
