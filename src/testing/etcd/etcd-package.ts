import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The path of etcd, or the reason why tests that need it are skipped. */
export type EtcdProgram = { readonly path: string } | { readonly missing: string }

let found: Promise<EtcdProgram> | undefined

/**
 * Finds etcd. If there is none, downloads Debian's package and unpacks it into a folder of this user below the temporary directory. It
 * installs nothing, so no service starts and the host does not change. The variable `PROA_TEST_ETCD` names another etcd program.
 */
export function etcdProgram(): Promise<EtcdProgram> {
  found ??= find()
  return found
}

async function find(): Promise<EtcdProgram> {
  for (const tool of ['setpriv', 'openssl'])
    if (!(await isThere(tool))) return { missing: `there is no ${tool}, which tests with etcd need` }
  const named = process.env.PROA_TEST_ETCD
  if (named) return { path: named }
  const cache = join(tmpdir(), `proa-etcd-${userInfo().username}`)
  for (const path of ['/usr/bin/etcd', '/usr/local/bin/etcd']) if (await exists(path)) return { path }
  try {
    if (!(await exists(cache))) await unpack(cache)
    // Another user who can write there could make us run any program.
    const { uid, mode } = await stat(cache)
    if (uid !== process.getuid?.() || mode & 0o022) return { missing: `${cache} belongs to another user` }
    return { path: join(cache, 'usr/bin/etcd') }
  } catch (error) {
    return { missing: `Debian’s package etcd-server cannot be downloaded: ${reason(error)}` }
  }
}

/** Unpacks into a temporary folder and renames it, so that concurrent test processes do not disturb each other. */
async function unpack(target: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'proa-etcd-package-'))
  try {
    await download(folder).catch(async (error) => {
      if (process.getuid?.() !== 0) throw error
      await run('apt-get', ['update'])
      await download(folder)
    })
    const [file] = (await readdir(folder)).filter((name) => name.endsWith('.deb'))
    if (!file) throw new Error('apt-get fetched nothing')
    const unpacked = join(folder, 'unpacked')
    await mkdir(unpacked, { mode: 0o700 })
    await run('dpkg', ['-x', join(folder, file), unpacked])
    await rename(unpacked, target).catch((error) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function download(folder: string): Promise<void> {
  await run('apt-get', ['download', 'etcd-server'], { cwd: folder })
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function isThere(tool: string): Promise<boolean> {
  return run(tool, ['--help']).then(
    () => true,
    (error) => error.code !== 'ENOENT',
  )
}

function reason(error: unknown): string {
  const { message, stderr } = error as Error & { stderr?: string }
  return (stderr || message).trim().split('\n').at(-1)!
}
