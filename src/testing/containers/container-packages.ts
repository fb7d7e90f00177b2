import { containerPackages, installObstacle, installPackages } from '../../cri/containerd/packages.js'

/** The packages that real containers need, with a registry and BusyBox. */
const packages = [...containerPackages, 'docker-registry', 'busybox-static', 'curl']

let installed: Promise<string | false> | undefined

/** Installs missing packages. Returns why tests with real containers cannot run here, or false: for `{ skip }` of a test. */
export function containersMissing(): Promise<string | false> {
  installed ??= install()
  return installed
}

async function install(): Promise<string | false> {
  if (process.getuid?.() !== 0) return 'real containers need root'
  const why = installObstacle()
  if (why) return `real containers need Debian’s packages: ${why}`
  return installPackages(packages).then(
    () => false,
    (error: Error) => `Debian’s packages cannot be installed: ${error.message.trim().split('\n').at(-1)}`,
  )
}
