import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findProgram } from '../../base/programs.js'
import { clusterNames } from '../../bin/up/cluster-names.js'
import { containerLeftOvers } from '../containers/container-left-overs.js'
import { containersMissing } from '../containers/container-packages.js'

const run = promisify(execFile)

/** Of the checkout that the tests run in. */
export const repository = fileURLToPath(new URL('../../../../', import.meta.url))

/** A machine as new as it can be made: a clone, an empty home, a place for a cluster. */
export interface FreshClone {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** Ends and deletes a cluster that is still there. Gives what is left of it all the same. */
  end(): Promise<string[]>
}

/** Why this cannot be tried here, or false: to be given to `test` as `skip`. */
export async function freshCloneMissing(): Promise<string | false> {
  for (const program of ['git', 'npm', 'curl', 'bash'])
    if (findProgram(program) === undefined) return `there is no ${program} on the PATH`
  if (!existsSync(join(repository, '.git'))) return 'this is not a clone'
  const missing = await containersMissing()
  if (missing) return missing
  return run('npm', ['ping', '--fetch-retries=0', '--fetch-timeout=10000']).then(
    () => false,
    () => 'no npm registry can be reached',
  )
}

export async function freshClone(): Promise<FreshClone> {
  const place = mkdtempSync(join(tmpdir(), 'proa-readme-'))
  const folder = join(place, 'proa')
  const home = join(place, 'home')
  const data = join(place, 'data')
  mkdirSync(home)
  // The end that reads is a process of its own, and is not told what this one is told.
  const reader = ['--no-local', '--upload-pack', 'git -c safe.directory=* upload-pack']
  await git('clone', '--quiet', ...reader, repository, folder)
  await bringChanges(folder)
  return {
    folder,
    env: { ...plainEnvironment(), ...(await npmSettings()), HOME: home, PROA_DATA_DIR: data, PROA_PORT: '0' },
    async end() {
      if (existsSync(data))
        await run(join(folder, 'proa'), ['reset', '--yes'], {
          env: { ...process.env, HOME: home, PROA_DATA_DIR: data },
        })
      const { bridge, cgroupRoot } = clusterNames(data)
      const left = containerLeftOvers({ folder: data, bridge, cgroupParent: cgroupRoot, podRange: '' })
      rmSync(place, { recursive: true })
      return left.filter((line) => !line.startsWith('socket ')) // those may be of another test
    },
  }
}

/** Whoever the checkout belongs to: tests of root may run in that of somebody else. */
async function git(...args: readonly string[]): Promise<string> {
  const settings = ['-c', 'safe.directory=*']
  return (await run('git', [...settings, ...args], { maxBuffer: 1 << 26 })).stdout
}

/** What was not committed yet is tried as well. */
async function bringChanges(folder: string): Promise<void> {
  const list = async (...args: readonly string[]) => {
    const files = (await git('-C', repository, 'ls-files', '-z', ...args)).split('\0')
    return files.filter((file) => file !== '')
  }
  for (const file of await list('--deleted')) rmSync(join(folder, file))
  for (const file of await list('--modified', '--others', '--exclude-standard')) {
    if (!existsSync(join(repository, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(repository, file), join(folder, file))
  }
}

/** Without what a test runner or an own cluster has put there. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(NODE_TEST_CONTEXT|NODE_OPTIONS|KUBECONFIG|PROA_.*|npm_.*)$/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}

/** Which registry there is, is the machine's business; what was downloaded before needs not be downloaded again. */
async function npmSettings(): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await run('npm', ['config', 'get', 'cache'])
  const own = join(homedir(), '.npmrc')
  return {
    npm_config_cache: stdout.trim(),
    npm_config_prefer_offline: 'true',
    ...(existsSync(own) && { npm_config_userconfig: own }),
  }
}
