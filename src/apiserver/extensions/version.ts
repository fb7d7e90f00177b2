import type { JsonObject } from '../../schema/declaration.js'

/** The build: the Kubernetes version of the wire behaviour, and the version and commit of Proa. */
export const kubernetesVersion = { major: '1', minor: '36', patch: '4' }

export interface Build {
  readonly version: string
  readonly commit: string
  /** Whether the sources were unchanged since the commit. */
  readonly treeState: string
  readonly date: string
}

export function gitVersion({ version }: Build): string {
  const { major, minor, patch } = kubernetesVersion
  return `v${major}.${minor}.${patch}+proa-${version}`
}

export function versionInfo(build: Build): JsonObject {
  const { major, minor } = kubernetesVersion
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: gitVersion(build),
    gitCommit: build.commit,
    gitTreeState: build.treeState,
    buildDate: build.date,
    goVersion: `node${process.versions.node}`,
    compiler: 'typescript',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  }
}
